/** Which file a module name means, asked from some folder of the repository. */
import type { FileFacts } from '../../facts/model.js';
import type { LinkView } from '../../graph/view.js';
import { STANDARD_LIBRARY } from './builtins.js';

/** A module of the repository: a file, or the folder of a namespace package (PEP 420). */
export type Located = { readonly path: string } | { readonly dir: string };

export const dirOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));
const parentOf = dirOf;
const join = (dir: string, name: string): string => (dir === '' ? name : `${dir}/${name}`);

const PACKAGE_SCOPE = 'python:package';

/** Folders beside a project's own files that hold its packages. */
const SOURCE_FOLDERS = ['src', 'lib', 'python'];

/** The package that an `__init__` file makes, by its last name: all that a path tells about it. */
export function packageScopes(path: string): readonly { scope: string; names: readonly string[] }[] {
  const match = /(?:^|\/)([^/]+)\/__init__\.pyi?$/.exec(path);
  return match ? [{ scope: PACKAGE_SCOPE, names: [match[1] as string] }] : [];
}

export const scopesOf = (path: string, _facts: FileFacts) => packageScopes(path);

function isPackage(view: LinkView, dir: string): boolean {
  return view.has(join(dir, '__init__.py')) || view.has(join(dir, '__init__.pyi'));
}

/** What a module may be, best first; the last two are templates that a build makes a .pyx of. */
const SUFFIXES = ['/__init__.py', '.py', '/__init__.pyi', '.pyx', '.pyi', '.pxd', '.pyx.tp', '.pyx.in'];

function fileAt(view: LinkView, base: string): string | undefined {
  for (const suffix of SUFFIXES) {
    const path = base + suffix;
    if (view.has(path)) return path;
  }
  return undefined;
}

/** The module or namespace package at `base`, a path without suffix. */
export function moduleAt(view: LinkView, base: string): Located | undefined {
  const path = fileAt(view, base);
  if (path !== undefined) return { path };
  return view.hasDir(base) ? { dir: base } : undefined;
}

/** The submodule `name` of a located module. */
export function submodule(view: LinkView, of: Located, name: string): Located | undefined {
  if ('dir' in of) return moduleAt(view, join(of.dir, name));
  if (!/(?:^|\/)__init__\.pyi?$/.test(of.path)) return undefined;
  const found = moduleAt(view, join(dirOf(of.path), name));
  return found && 'path' in found && found.path === of.path ? undefined : found;
}

/** The folders that absolute imports start from, nearest first; `own` is the one above the importer's package. */
function rootsFrom(view: LinkView, dir: string): { readonly own: string; readonly roots: readonly string[] } {
  return view.derive(`python:roots:${dir}`, () => {
    let own = dir;
    while (own !== '' && isPackage(view, own)) own = parentOf(own);
    const roots = [own];
    let at = own;
    for (;;) {
      if (at !== own) roots.push(at);
      for (const folder of SOURCE_FOLDERS) {
        const source = join(at, folder);
        if (source !== own && view.hasDir(source)) roots.push(source);
      }
      if (at === '') break;
      at = parentOf(at);
    }
    return { own, roots };
  });
}

/**
 * The module that `name` means in a file of `dir`: absolute (`a.b`) or relative (`..b`). Undefined where it
 * is outside the repository, or missing.
 */
export function resolveModule(view: LinkView, dir: string, name: string): Located | undefined {
  if (name.startsWith('./')) return included(view, dir, name.slice(2));
  if (name.startsWith('.')) {
    let base = dir;
    let i = 1;
    for (; name.charCodeAt(i) === 46; i++) {
      if (base === '') return undefined;
      base = parentOf(base);
    }
    const rest = name.slice(i);
    if (rest !== '') return moduleAt(view, join(base, rest.replaceAll('.', '/')));
    return moduleAt(view, base) ?? (base === '' ? rootPackage(view) : undefined);
  }
  const { own, roots } = rootsFrom(view, dir);
  return view.derive(`python:module:${own === dir ? dir : own}\0${own === dir ? '' : 'package'}\0${name}`, () =>
    absolute(view, own, own === dir, roots, name),
  );
}

/** The file that Cython's `include` names. */
function included(view: LinkView, dir: string, name: string): Located | undefined {
  const parts = dir === '' ? [] : dir.split('/');
  for (const part of name.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.') parts.push(part);
  }
  const path = parts.join('/');
  return view.has(path) ? { path } : undefined;
}

const rootPackage = (view: LinkView): Located => (view.has('__init__.py') ? { path: '__init__.py' } : { dir: '' });

function absolute(
  view: LinkView,
  own: string,
  script: boolean,
  roots: readonly string[],
  name: string,
): Located | undefined {
  const parts = name.split('.');
  const first = parts[0] as string;
  const inside = parts.join('/');
  if (STANDARD_LIBRARY.has(first)) {
    // Only a script's own folder comes before the standard library.
    if (!script || fileAt(view, join(own, first)) === undefined) return undefined;
    return moduleAt(view, join(own, inside));
  }
  let namespace: Located | undefined;
  for (const root of roots) {
    const base = join(root, first);
    if (fileAt(view, base) !== undefined) {
      const found = moduleAt(view, join(root, inside));
      if (found) return found;
      if (namespace) return namespace;
      continue;
    }
    if (namespace === undefined && parts.length > 1 && view.hasDir(base)) {
      const path = fileAt(view, join(root, inside));
      if (path !== undefined) namespace = { path };
      else if (view.hasDir(join(root, inside)) && holdsModules(view, join(root, inside))) {
        namespace = { dir: join(root, inside) };
      }
    } else if (namespace === undefined && parts.length === 1 && view.hasDir(base) && holdsModules(view, base)) {
      namespace = { dir: base };
    }
  }
  return namespace ?? elsewhere(view, own, first, inside);
}

const holdsModules = (view: LinkView, dir: string): boolean => view.list(dir).some((name) => name.endsWith('.py'));

/** A top-level package of another project of the repository, if only one, or one clearly nearest, has the name. */
function elsewhere(view: LinkView, own: string, first: string, inside: string): Located | undefined {
  const roots = new Set<string>();
  for (const path of view.scope(PACKAGE_SCOPE, first).slice(0, 20)) {
    const root = parentOf(dirOf(path));
    if (!isPackage(view, root)) roots.add(root);
  }
  const nearness = (root: string): number => {
    const a = root.split('/');
    const b = own.split('/');
    let i = 0;
    while (i < a.length && i < b.length && a[i] === b[i]) i++;
    return i;
  };
  const ranked = [...roots].sort((a, b) => nearness(b) - nearness(a) || (a < b ? -1 : 1));
  const [best, second] = ranked;
  if (best === undefined || (second !== undefined && nearness(best) === nearness(second))) return undefined;
  return moduleAt(view, join(best, inside));
}
