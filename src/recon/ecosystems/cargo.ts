/** Rust: Cargo.toml, Cargo.lock, cargo aliases. */
import { parseToml } from '../parsing/toml.js';
import { at, entriesOf, itemsOf, type Tree, textOf } from '../parsing/tree.js';
import { folderOf, joinPath, nameOf } from '../repository.js';
import type { Claim, DependencyScope, Ecosystem } from './claim.js';
import { parsedNotes } from './notes.js';

const TABLES: readonly (readonly [string, DependencyScope])[] = [
  ['dependencies', 'runtime'],
  ['dev-dependencies', 'development'],
  ['build-dependencies', 'build'],
];

function dependencies(tree: Tree | undefined, folder: string): Claim[] {
  return TABLES.flatMap(([key, scope]) =>
    entriesOf(at(tree, key)).map(([alias, value]): Claim => {
      const local = textOf(at(value, 'path'));
      const target = local === undefined ? undefined : joinPath(folder, local);
      const name = textOf(at(value, 'package')) ?? alias;
      return { kind: 'dependency', name, scope, line: value.line, ...(target !== undefined ? { folder: target } : {}) };
    }),
  );
}

function manifest(path: string, text: string): Claim[] {
  const folder = folderOf(path);
  const { tree, problem } = parseToml(text);
  const claims = parsedNotes(problem);
  const name = at(tree, 'package', 'name');
  const crate = textOf(name);
  if (name && crate !== undefined) claims.push({ kind: 'component', type: 'package', name: crate, line: name.line });
  const members = at(tree, 'workspace', 'members');
  if (members) {
    const globs = itemsOf(members).flatMap((item) => joinPath(folder, textOf(item) ?? '') ?? []);
    claims.push({ kind: 'aggregator', name: 'cargo workspace', members: globs, line: members.line });
  }
  const line = at(tree, 'workspace')?.line ?? at(tree, 'package')?.line ?? 1;
  if (at(tree, 'workspace') || crate !== undefined) {
    const all = at(tree, 'workspace') ? ' --workspace' : '';
    claims.push({ kind: 'package-manager', name: 'cargo', line });
    claims.push({ kind: 'tool', name: 'cargo', purpose: 'build', command: `cargo build${all}`, line });
    claims.push({ kind: 'tool', name: 'cargo', purpose: 'test', command: `cargo test${all}`, line });
    claims.push({ kind: 'test-framework', name: 'cargo test', line });
  }
  claims.push(...dependencies(tree, folder));
  for (const [, target] of entriesOf(at(tree, 'target'))) claims.push(...dependencies(target, folder));
  for (const bin of itemsOf(at(tree, 'bin'))) {
    const target = textOf(at(bin, 'path')) ?? 'src/main.rs';
    const file = joinPath(folder, target);
    claims.push({
      kind: 'entry-point',
      type: 'command',
      name: textOf(at(bin, 'name')) ?? crate ?? '',
      target,
      line: bin.line,
      ...(file ? { path: file } : {}),
    });
  }
  return claims;
}

export const cargo: Ecosystem = {
  id: 'cargo',
  matches: (path) => /^(Cargo\.toml|Cargo\.lock)$/.test(nameOf(path)) || /(^|\/)\.cargo\/config(\.toml)?$/.test(path),
  read(path, text) {
    if (nameOf(path) === 'Cargo.toml') return manifest(path, text);
    if (nameOf(path) === 'Cargo.lock') return [{ kind: 'package-manager', name: 'cargo', line: 1 }];
    return entriesOf(at(parseToml(text).tree, 'alias')).map(([name, value]): Claim => {
      const runs = itemsOf(value).map(textOf).join(' ');
      return { kind: 'task', runner: 'cargo-alias', name, runs: [`cargo ${runs}`], line: value.line };
    });
  },
};
