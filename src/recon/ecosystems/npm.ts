/** npm, pnpm, yarn and bun: package.json, workspaces, lock files, and the configuration files of their tools. */
import { parseJson, parseJson5 } from '../parsing/json.js';
import { at, entriesOf, itemsOf, type Parsed, type Tree, textOf } from '../parsing/tree.js';
import { parseYaml } from '../parsing/yaml.js';
import { folderOf, joinPath, nameOf } from '../repository.js';
import type { Claim, DependencyScope, Ecosystem } from './claim.js';
import { parsedNotes } from './notes.js';

const LOCKS: Readonly<Record<string, string>> = {
  'package-lock.json': 'npm',
  'npm-shrinkwrap.json': 'npm',
  'yarn.lock': 'yarn',
  'pnpm-lock.yaml': 'pnpm',
  'bun.lock': 'bun',
  'bun.lockb': 'bun',
};

/** Configuration files by the start of their name, with what they say about testing and linting. */
const TOOLS: readonly (readonly [RegExp, string, 'test' | 'lint' | 'build'])[] = [
  [/^vitest\.(config|workspace)\./, 'vitest', 'test'],
  [/^jest\.config\./, 'jest', 'test'],
  [/^\.mocharc\./, 'mocha', 'test'],
  [/^karma\.conf\./, 'karma', 'test'],
  [/^playwright\.config\./, 'playwright', 'test'],
  [/^cypress\.config\./, 'cypress', 'test'],
  [/^ava\.config\./, 'ava', 'test'],
  [/^(eslint\.config\.|\.eslintrc)/, 'eslint', 'lint'],
  [/^biome\.jsonc?$/, 'biome', 'lint'],
  [/^\.oxlintrc\.json$/, 'oxlint', 'lint'],
];

const FRAMEWORKS = new Set(
  'vitest jest mocha ava karma jasmine tap uvu cypress @playwright/test supertest tsd @web/test-runner node-tap'.split(
    ' ',
  ),
);

const SCOPES: readonly (readonly [string, DependencyScope])[] = [
  ['dependencies', 'runtime'],
  ['peerDependencies', 'runtime'],
  ['optionalDependencies', 'optional'],
  ['devDependencies', 'development'],
];

function members(folder: string, globs: readonly (string | undefined)[]): string[] {
  return globs
    .filter((glob): glob is string => glob !== undefined && !glob.startsWith('!'))
    .map((glob) => joinPath(folder, glob))
    .filter((glob): glob is string => glob !== undefined);
}

function packageClaims(path: string, { tree, problem }: Parsed): Claim[] {
  const folder = folderOf(path);
  const claims: Claim[] = parsedNotes(problem);
  const name = textOf(at(tree, 'name'));
  // A bare `{"type": "commonjs"}` only tells Node how to read a folder.
  const isMarker = name === undefined && !at(tree, 'scripts') && !at(tree, 'dependencies') && !at(tree, 'workspaces');
  if (isMarker) return claims;
  claims.push({
    kind: 'component',
    type: 'package',
    name: name ?? (folder === '' ? '(root)' : folder),
    line: at(tree, 'name')?.line ?? 1,
  });
  const manager = at(tree, 'packageManager');
  const managerName = /^[a-z]+/.exec(textOf(manager) ?? '')?.[0];
  if (manager && managerName) claims.push({ kind: 'package-manager', name: managerName, line: manager.line });
  for (const [script, body] of entriesOf(at(tree, 'scripts'))) {
    const runs = textOf(body);
    if (runs !== undefined)
      claims.push({ kind: 'task', runner: 'npm-script', name: script, runs: [runs], line: body.line });
  }
  const seen = new Set<string>();
  for (const [key, scope] of SCOPES) {
    for (const [dependency, version] of entriesOf(at(tree, key))) {
      if (seen.has(dependency)) continue;
      seen.add(dependency);
      const local = /^(?:link|file|portal):(.*)$/.exec(textOf(version) ?? '')?.[1];
      const target = local === undefined ? undefined : joinPath(folder, local);
      claims.push({
        kind: 'dependency',
        name: dependency,
        scope,
        line: version.line,
        ...(target !== undefined ? { folder: target } : {}),
      });
      if (FRAMEWORKS.has(dependency)) claims.push({ kind: 'test-framework', name: dependency, line: version.line });
    }
  }
  const workspaces = at(tree, 'workspaces');
  const globs = members(folder, itemsOf(at(workspaces, 'packages') ?? workspaces).map(textOf));
  if (workspaces && globs.length > 0) {
    claims.push({ kind: 'aggregator', name: 'workspaces', members: globs, line: workspaces.line });
  }
  const bin = at(tree, 'bin');
  if (bin?.scalar !== undefined) claims.push(entry('command', name ?? folder, bin.line, textOf(bin) ?? '', folder));
  for (const [command, target] of entriesOf(bin)) {
    claims.push(entry('command', command, target.line, textOf(target) ?? '', folder));
  }
  const library = [at(tree, 'exports'), at(tree, 'module'), at(tree, 'main')].find((value) => value !== undefined);
  if (library) {
    const target = exported(at(library, '.') ?? library, 0);
    claims.push(entry('library', name ?? folder, library.line, target, folder));
  }
  if (at(tree, 'jest')) claims.push({ kind: 'tool', name: 'jest', purpose: 'test', line: at(tree, 'jest')?.line ?? 1 });
  return claims;
}

/** The file that an `exports` condition leads to, '' where it leads to none. */
function exported(tree: Tree | undefined, depth: number): string {
  const text = textOf(tree);
  if (text !== undefined || tree === undefined || depth > 6) return text ?? '';
  for (const condition of ['import', 'default', 'node', 'require', 'types']) {
    const found = exported(at(tree, condition), depth + 1);
    if (found !== '') return found;
  }
  return '';
}

function entry(type: 'command' | 'library', name: string, line: number, target: string, folder: string): Claim {
  const path = target === '' ? undefined : joinPath(folder, target);
  return { kind: 'entry-point', type, name, target, line, ...(path ? { path } : {}) };
}

function denoClaims({ tree, problem }: Parsed): Claim[] {
  const claims: Claim[] = parsedNotes(problem);
  claims.push({ kind: 'package-manager', name: 'deno', line: 1 });
  for (const [name, body] of entriesOf(at(tree, 'tasks'))) {
    const runs = textOf(body) ?? textOf(at(body, 'command'));
    if (runs !== undefined) claims.push({ kind: 'task', runner: 'deno', name, runs: [runs], line: body.line });
  }
  return claims;
}

export const npm: Ecosystem = {
  id: 'npm',
  matches(path) {
    const name = nameOf(path);
    return (
      /^(package\.json5?|pnpm-workspace\.yaml|lerna\.json|turbo\.json|nx\.json|deno\.jsonc?)$/.test(name) ||
      Object.hasOwn(LOCKS, name) ||
      TOOLS.some(([pattern]) => pattern.test(name))
    );
  },
  read(path, text) {
    const name = nameOf(path);
    const folder = folderOf(path);
    if (Object.hasOwn(LOCKS, name)) return [{ kind: 'package-manager', name: LOCKS[name] ?? '', line: 1 }];
    if (name === 'package.json') return packageClaims(path, parseJson(text));
    if (name === 'package.json5') return packageClaims(path, parseJson5(text));
    if (name.startsWith('deno.')) return denoClaims(parseJson(text));
    if (name === 'pnpm-workspace.yaml') {
      const { tree, problem } = parseYaml(text);
      const packages = at(tree, 'packages');
      const globs = members(folder, itemsOf(packages).map(textOf));
      const claims: Claim[] = [...parsedNotes(problem), { kind: 'package-manager', name: 'pnpm', line: 1 }];
      if (packages && globs.length > 0)
        claims.push({ kind: 'aggregator', name: 'pnpm workspace', members: globs, line: packages.line });
      return claims;
    }
    if (name === 'lerna.json') {
      const { tree, problem } = parseJson(text);
      const packages = at(tree, 'packages');
      const globs = members(folder, itemsOf(packages).map(textOf));
      const claims: Claim[] = parsedNotes(problem);
      if (packages) claims.push({ kind: 'aggregator', name: 'lerna', members: globs, line: packages.line });
      return claims;
    }
    if (name === 'turbo.json' || name === 'nx.json') {
      return [{ kind: 'tool', name: name.slice(0, name.indexOf('.')), purpose: 'build', line: 1 }];
    }
    const tool = TOOLS.find(([pattern]) => pattern.test(name));
    if (!tool) return [];
    const [, toolName, purpose] = tool;
    const claims: Claim[] = [{ kind: 'tool', name: toolName, purpose, line: 1 }];
    if (purpose === 'test') claims.push({ kind: 'test-framework', name: toolName, line: 1 });
    return claims;
  },
};
