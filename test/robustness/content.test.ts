/** Whatever bytes a repository holds: what can be read is indexed, the rest is named, and align equals build. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { sidecarPath } from '../../src/sidecars/layout.js';
import type { Sidecar } from '../../src/sidecars/sidecar.generated.js';
import { WorkTree } from '../support/work-tree.js';
import { sidecar } from './command.js';

let tree: WorkTree | undefined;
afterEach(() => tree?.dispose());

function start(files: Readonly<Record<string, string | Buffer>>): WorkTree {
  tree?.dispose();
  tree = new WorkTree(files);
  tree.commit();
  return tree;
}

const sidecarOf = (t: WorkTree, path: string): Sidecar =>
  JSON.parse(readFileSync(join(t.generation(), sidecarPath(path)), 'utf8')) as Sidecar;
const symbolsOf = (t: WorkTree, path: string): string[] => (sidecarOf(t, path).symbols ?? []).map(({ name }) => name);

describe('bytes', () => {
  const CASES: Readonly<
    Record<string, { readonly bytes: Buffer; readonly symbols: string[]; readonly skip?: string }>
  > = {
    'bytes that are not UTF-8': {
      bytes: Buffer.from('x = "\xe9\xff"\ndef first():\n    pass\n', 'latin1'),
      symbols: ['first'],
    },
    'a byte order mark': { bytes: Buffer.from('\ufeffdef first():\n    pass\n'), symbols: ['first'] },
    'UTF-16, little end first': { bytes: Buffer.from('\ufeffdef first():\n    pass\n', 'utf16le'), symbols: ['first'] },
    'UTF-16, big end first': {
      bytes: Buffer.from('\ufeffdef first():\n    pass\n', 'utf16le').swap16(),
      symbols: ['first'],
    },
    'Windows line ends': {
      bytes: Buffer.from('def first():\r\n    pass\r\n\r\ndef second():\r\n    pass\r\n'),
      symbols: ['first', 'second'],
    },
    'old Macintosh line ends': { bytes: Buffer.from('def first():\r    pass\r'), symbols: ['first'] },
    nothing: { bytes: Buffer.alloc(0), symbols: [] },
    'NUL bytes': { bytes: Buffer.from('def first():\n    pass\n\0'), symbols: [], skip: 'binary' },
    'a NUL byte far down': {
      bytes: Buffer.from(`def first():\n    pass\n${'#\n'.repeat(5000)}\0\n`),
      symbols: ['first'],
      skip: 'syntax not understood',
    },
    'a syntax error': {
      bytes: Buffer.from('def first():\n    pass\n\nclass (:\n\ndef second(:\n    pass\n'),
      symbols: ['first'],
      skip: 'syntax not understood',
    },
    'brackets nested ten thousand deep': {
      bytes: Buffer.from(`def first():\n    return ${'('.repeat(10_000)}1${')'.repeat(10_000)}\n`),
      symbols: ['first'],
    },
    'a long line': {
      bytes: Buffer.from(`x = "${'a'.repeat(3_000_000)}"\ndef first():\n    pass\n`),
      symbols: ['first'],
    },
    'a line of 20 MB': {
      bytes: Buffer.from(`x = "${'a'.repeat(20_000_000)}"\n`),
      symbols: [],
      skip: 'larger than 4 MiB',
    },
  };
  for (const [name, { bytes, symbols, skip }] of Object.entries(CASES)) {
    it(`a file with ${name}`, async () => {
      const t = start({
        'app/odd.py': bytes,
        'app/even.py': 'from app.odd import first\n\n\ndef use():\n    first()\n',
      });
      const { index } = await t.build();
      expect(symbolsOf(t, 'app/even.py')).toEqual(['use']);
      if (skip === undefined) expect(index.skipped).toEqual([]);
      else expect(index.skipped).toEqual([{ count: 1, paths: ['app/odd.py'], reason: skip }]);
      if (skip !== 'larger than 4 MiB') {
        for (const symbol of symbols) expect(symbolsOf(t, 'app/odd.py')).toContain(symbol);
        if (symbols.length === 0) expect(symbolsOf(t, 'app/odd.py')).toEqual([]);
      }
      t.write('app/odd.py', 'def other():\n    pass\n');
      await t.align();
      expect(await t.differencesFromBuild()).toEqual([]);
      t.write('app/odd.py', bytes);
      await t.align();
      expect(await t.differencesFromBuild()).toEqual([]);
    });
  }

  it('line ends that git converts: the listed content is the content', async () => {
    const t = start({ 'a.py': 'def first():\n    pass\n' });
    t.git('config', 'core.autocrlf', 'true');
    t.remove('a.py');
    t.git('checkout', '-q', '--', 'a.py');
    expect(readFileSync(join(t.root, 'a.py'), 'utf8')).toContain('\r\n');
    const { index } = await t.build();
    expect(index.tree).toBe('clean');
    expect(sidecarOf(t, 'a.py').content).toBe(t.git('rev-parse', 'HEAD:a.py').trim());
    expect((await t.align('index', undefined, 'auto')).outcome).toBe('unchanged');
    t.write('a.py', 'def first():\r\n    pass\r\n\r\n\r\ndef second():\r\n    pass\r\n');
    await t.align();
    expect(symbolsOf(t, 'a.py')).toEqual(['first', 'second']);
    expect(await t.differencesFromBuild()).toEqual([]);
  });
});

describe('names', () => {
  const CODE = 'def first():\n    pass\n';
  const NAMES = [
    'with space.py',
    "quote'.py",
    'double".py',
    'new\nline.py',
    'tab\t.py',
    'back\\slash.py',
    'ümläut-\u4e2d\u6587-\u{1f600}.py',
    'e\u0301.py',
    '\u00e9.py',
    '-n.py',
    '--help',
    '*.py',
    '[a].py',
    ':(top)x.py',
    '$(id).py',
    'Case.py',
    'case.py',
    'a',
    'a.json/inner.py',
    '%.py',
    '%25.py',
    'CON.py',
    ' ',
    `${'n'.repeat(252)}.py`,
    `${'\u4e2d'.repeat(84)}.py`,
    `${'d'.repeat(250)}.json/${'e'.repeat(250)}/${'f'.repeat(250)}/g.py`,
    '__proto__.py',
    'constructor',
    'files/index.json',
    'index.json',
    '.json',
  ];

  it('any name has its own sidecar', async () => {
    const t = start(Object.fromEntries(NAMES.map((name) => [name, CODE])));
    const { index } = await t.build();
    expect(index.counts.files).toBe(NAMES.length);
    expect(index.skipped).toEqual([]);
    for (const name of NAMES) expect(sidecarOf(t, name).path).toBe(name);
    for (const name of NAMES) t.write(name, `${CODE}\n\ndef second():\n    pass\n`);
    await t.align();
    expect(await t.differencesFromBuild()).toEqual([]);
    for (const name of NAMES.slice(0, 12)) t.remove(name);
    await t.align();
    expect(await t.differencesFromBuild()).toEqual([]);
    t.commit();
    t.git('reset', '-q', '--hard', 'HEAD~1');
    await t.align();
    expect(await t.differencesFromBuild()).toEqual([]);
  });

  it('a name that is not UTF-8 is named, escaped, and the rest is indexed', async () => {
    const t = start({ 'a.py': CODE });
    const { writeFileSync } = await import('node:fs');
    writeFileSync(Buffer.concat([Buffer.from(`${t.root}/b`), Buffer.from([0xff]), Buffer.from('.py')]), CODE);
    for (const commit of [false, true]) {
      if (commit) t.commit();
      const { code, out } = await sidecar('build', t.root);
      expect(code).toBe(0);
      expect(out).toContain('1 name is not valid UTF-8');
      expect((await sidecar('status', t.root)).out).toContain('up to date');
    }
    await t.build();
    t.write('c.py', CODE);
    await t.align();
    expect(await t.differencesFromBuild()).toEqual([]);
  });

  it('names that differ in case only, renamed by case only', async () => {
    const t = start({ 'Case.py': CODE, 'other.py': 'from Case import first\n\n\ndef use():\n    first()\n' });
    await t.build();
    t.git('mv', 'Case.py', 'case.py');
    await t.align();
    expect(await t.differencesFromBuild()).toEqual([]);
    expect(() => sidecarOf(t, 'Case.py')).toThrow();
  });

  it('a folder turns into a file and back', async () => {
    const t = start({ 'a/b.py': CODE, 'a.json/c.py': CODE });
    await t.build();
    t.remove('a');
    t.write('a', 'text\n');
    await t.align();
    expect(await t.differencesFromBuild()).toEqual([]);
    t.remove('a');
    t.write('a/b.py/c.py', CODE);
    await t.align();
    expect(await t.differencesFromBuild()).toEqual([]);
  });
});
