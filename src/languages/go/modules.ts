/** go.mod and go.work: how they are read, and which folder of the repository an import path means. */
import { posix } from 'node:path';
import type { Json } from '../../facts/model.js';
import type { LinkView } from '../../graph/view.js';
import { isStandard } from './imports.js';

/** Scope under which go.mod files list their module path, and the first segment of it. */
export const MODULE_SCOPE = 'go:module';
export const MODULE_HEAD_SCOPE = 'go:module-head';

/** Directives of a go.mod or go.work, one a line or in parentheses: keyword and arguments, comments dropped. */
function directives(text: string): { keyword: string; args: string[] }[] {
  const found: { keyword: string; args: string[] }[] = [];
  let block: string | undefined;
  for (const line of text.split(/\r?\n/)) {
    const words = line.replace(/\/\/.*$/, '').split(/\s+/);
    const args = words.filter((word) => word !== '').map((word) => word.replace(/^["`]|["`]$/g, ''));
    const first = args[0];
    if (first === undefined) continue;
    if (block !== undefined) {
      if (first === ')') block = undefined;
      else found.push({ keyword: block, args });
    } else if (args[1] === '(') {
      block = first;
    } else {
      found.push({ keyword: first, args: args.slice(1) });
    }
  }
  return found;
}

const isLocal = (path: string): boolean => /^\.{1,2}(\/|$)/.test(path);

/** `replace a => ../b` by module path, versions left out; only local folders, since others are outside. */
function localReplacements(all: readonly { keyword: string; args: string[] }[]): Record<string, string> {
  const replacements: Record<string, string> = {};
  for (const { keyword, args } of all) {
    const arrow = args.indexOf('=>');
    const from = args[0];
    const to = args[arrow + 1];
    if (keyword === 'replace' && arrow > 0 && from !== undefined && to !== undefined && isLocal(to))
      replacements[from] = to;
  }
  return replacements;
}

export function readGoMod(text: string): Record<string, Json> {
  const all = directives(text);
  const module = all.find(({ keyword }) => keyword === 'module')?.args[0];
  if (module === undefined) return { error: 'no module line' };
  return { module, replace: localReplacements(all) };
}

export function readGoWork(text: string): Record<string, Json> {
  const all = directives(text);
  const use = all.filter(({ keyword }) => keyword === 'use').flatMap(({ args }) => args.slice(0, 1));
  return { use, replace: localReplacements(all) };
}

const parentOf = (dir: string): string => {
  const parent = posix.dirname(dir);
  return parent === '.' ? '' : parent;
};
const inside = (dir: string, name: string): string => (dir === '' ? name : `${dir}/${name}`);

/** Folder of the nearest file of that name at or above the folder. */
function nearest(name: string, dir: string, view: LinkView): string | undefined {
  return view.derive(`go:nearest:${name}:${dir}`, () => {
    for (let at = dir; ; at = parentOf(at)) {
      if (view.has(inside(at, name))) return at;
      if (at === '') return undefined;
    }
  });
}

/** The repository folder that `to` means beside `dir`; undefined above the root. */
function beside(dir: string, to: string): string | undefined {
  const joined = posix.normalize(posix.join(dir === '' ? '.' : dir, to)).replace(/\/$/, '');
  if (joined === '.') return '';
  return joined.startsWith('..') ? undefined : joined;
}

/** Where `module` lies in the import path: the rest of the path ('' for the module's own folder), or undefined. */
function restOf(module: string, path: string): string | undefined {
  if (path === module) return '';
  return path.startsWith(`${module}/`) ? path.slice(module.length + 1) : undefined;
}

const hasSources = (dir: string, view: LinkView): boolean => view.list(dir).some((name) => name.endsWith('.go'));

/** The folder that holds the package of that import path for files in `dir`; undefined if it is outside the repository. */
export function folderOfImport(path: string, dir: string, view: LinkView): string | undefined {
  if (isStandard(path)) return undefined;
  // All folders of one module see the same packages.
  const module = nearest('go.mod', dir, view);
  return view.derive(`go:import:${path}:${module ?? ''}`, () => resolve(path, module, view));
}

function resolve(path: string, module: string | undefined, view: LinkView): string | undefined {
  const work = module === undefined ? undefined : nearest('go.work', module, view);
  for (const folder of candidates(path, module, work, view)) {
    if (folder !== undefined && hasSources(folder, view)) return folder;
  }
  return undefined;
}

function* candidates(
  path: string,
  module: string | undefined,
  work: string | undefined,
  view: LinkView,
): Generator<string | undefined> {
  if (work !== undefined) yield* replaced(path, inside(work, 'go.work'), work, view);
  if (module !== undefined) {
    const manifest = inside(module, 'go.mod');
    yield* replaced(path, manifest, module, view);
    const own = view.entry(manifest, 'module');
    const rest = typeof own === 'string' ? restOf(own, path) : undefined;
    if (rest !== undefined) yield beside(module, rest === '' ? '.' : rest);
  }
  yield elsewhere(path, module, work, view);
  // A vendor folder belongs to the module that it lies in, or to the whole work space.
  for (const root of [module, work]) if (root !== undefined) yield inside(root, `vendor/${path}`);
}

function* replaced(path: string, manifest: string, dir: string, view: LinkView): Generator<string | undefined> {
  const replacements = view.entry(manifest, 'replace');
  if (replacements === undefined || replacements === null || typeof replacements !== 'object') return;
  const byLength = Object.entries(replacements).sort(([a], [b]) => b.length - a.length);
  for (const [from, to] of byLength) {
    const rest = restOf(from, path);
    if (rest !== undefined && typeof to === 'string') yield beside(dir, posix.join(to, rest));
  }
}

/** In another module of the repository: the longest module path wins; several copies are told apart by go.work or not at all. */
function elsewhere(
  path: string,
  module: string | undefined,
  work: string | undefined,
  view: LinkView,
): string | undefined {
  const segments = path.split('/');
  if (view.scope(MODULE_HEAD_SCOPE, segments[0] ?? '').length === 0) return undefined;
  for (let length = segments.length; length > 0; length--) {
    const prefix = segments.slice(0, length).join('/');
    const manifests = view.scope(MODULE_SCOPE, prefix);
    if (manifests.length === 0) continue;
    const folders = manifests.map(parentOf).filter((folder) => folder !== module);
    const used =
      work === undefined || folders.length < 2 ? [] : usedBy(work, view).filter((dir) => folders.includes(dir));
    const only = folders.length === 1 ? folders[0] : used.length === 1 ? used[0] : undefined;
    if (only === undefined) continue;
    const folder = beside(only, segments.slice(length).join('/') || '.');
    if (folder !== undefined && hasSources(folder, view)) return folder;
  }
  return undefined;
}

function usedBy(work: string, view: LinkView): string[] {
  const use = view.entry(inside(work, 'go.work'), 'use');
  if (!Array.isArray(use)) return [];
  return use.flatMap((dir) => (typeof dir === 'string' ? (beside(work, dir) ?? []) : []));
}
