import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { roleOf } from '../../src/graph/roles.js';
import { ECOSYSTEMS } from '../../src/recon/ecosystems/registry.js';
import { MANIFEST_TOKENS, manifestOf } from '../../src/recon/manifest/manifest.js';
import { renderManifest } from '../../src/recon/manifest/render.js';
import type { RepositoryText } from '../../src/recon/repository.js';
import { tokensOf } from '../../src/recon/tokens.js';
import { readFixture } from '../support/repository.js';

const SCHEMA = JSON.parse(readFileSync('sidecar-schema/manifest.schema.json', 'utf8'));
const valid = new Ajv2020({ allErrors: true }).compile(SCHEMA);

function repository(files: Readonly<Record<string, string>>): RepositoryText {
  const listed = Object.keys(files)
    .sort()
    .map((path) => ({ path, role: roleOf(path, '', 0).role }));
  return { files: listed, text: (path) => files[path] };
}

const FIXTURES = [
  'broken-toml',
  'npm-workspaces',
  'django-with-npm',
  'go-workspace',
  'ci-is-the-truth',
  'self-including-workspace',
  'maven-reactor',
  'cmake-targets',
  'scripts-folder',
  'five-that-disagree',
];

describe('manifest', () => {
  it.each(FIXTURES)('of %s', async (name) => {
    const folder = `fixtures/recon/manifest/${name}`;
    const manifest = manifestOf(repository(readFixture(folder)));
    expect(valid(manifest), JSON.stringify(valid.errors)).toBe(true);
    await expect(renderManifest(manifest)).toMatchFileSnapshot(`../../${folder}/expected.txt`);
  });

  it('of an empty repository says that there is none', () => {
    const manifest = manifestOf(repository({}));
    expect(manifest.notes).toEqual([{ text: 'no manifest of a known ecosystem' }]);
    expect(manifest.commands).toEqual({});
  });

  it('says that five managers disagree', () => {
    const locks = ['package-lock.json', 'yarn.lock', 'pnpm-lock.yaml', 'bun.lock'];
    const files = Object.fromEntries([...locks.map((lock) => [lock, '']), ['package.json', '{"name":"x"}']]);
    const { notes } = manifestOf(repository(files));
    expect(notes.map(({ text }) => text)).toContain('package managers disagree in the root: bun, npm, pnpm, yarn');
  });

  it('keeps its tokens for a repository of a thousand packages, and says what was cut', () => {
    const files: Record<string, string> = {};
    for (let i = 0; i < 1000; i += 1) {
      files[`packages/package-number-${i}/package.json`] = JSON.stringify({
        name: `@scope/package-number-${i}`,
        scripts: { [`test-${i}`]: 'vitest run', build: `tsc -p ${i}` },
        dependencies: { [`external-${i}`]: '1', [`@scope/package-number-${i + 1}`]: '1' },
      });
    }
    const manifest = manifestOf(repository(files));
    expect(tokensOf(JSON.stringify(manifest))).toBeLessThanOrEqual(MANIFEST_TOKENS);
    expect(manifest.cut).toContainEqual({ section: 'components', shown: manifest.components.length, total: 1000 });
    expect(valid(manifest)).toBe(true);
  });

  it('never throws, whatever the text of a manifest is', () => {
    const paths = [
      'package.json',
      'package.json5',
      'pnpm-workspace.yaml',
      'pyproject.toml',
      'setup.cfg',
      'setup.py',
      'tox.ini',
      'noxfile.py',
      'requirements.txt',
      'environment.yml',
      'go.mod',
      'go.work',
      'Cargo.toml',
      'pom.xml',
      'build.gradle',
      'settings.gradle.kts',
      'CMakeLists.txt',
      'Makefile',
      'Taskfile.yml',
      'justfile',
      'Dockerfile',
      'compose.yaml',
      '.github/workflows/ci.yml',
    ];
    const pieces = fc.constantFrom(
      '[',
      ']',
      '{',
      '}',
      ':',
      '=',
      '"',
      '\n',
      '\t',
      ' ',
      '<',
      '>',
      '&a',
      '*a',
      '- ',
      'run',
      'name',
      '|',
      '\\',
      '$(',
      '\u0000',
    );
    fc.assert(
      fc.property(
        fc.constantFrom(...paths),
        fc.array(fc.oneof(pieces, fc.string({ maxLength: 6 })), { maxLength: 40 }),
        (path, parts) => {
          for (const ecosystem of ECOSYSTEMS) if (ecosystem.matches(path)) ecosystem.read(path, parts.join(''));
        },
      ),
      { numRuns: 2000 },
    );
  });
});
