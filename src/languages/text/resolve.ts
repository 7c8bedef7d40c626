/** Mentions to what they name, through the view. Nothing is guessed: a name has one definer or no edge. */
import type { Target } from '../../graph/edge.js';
import type { Definer, LinkView } from '../../graph/view.js';
import type { Mention } from './mentions.js';

/** Where Python packages lie below a root: the layouts that documents and manifests leave out of a name. */
const SOURCE_ROOTS = ['', 'src/', 'lib/', 'python/'];
/** Names of languages' own libraries: a repository's class of that name is not what a document means. */
const GLOBALS = new Set(
  `Array ArrayBuffer BigInt Boolean Buffer Date Error Event File Function Headers JSON List Map Math Number Object Optional
   Promise Proxy Request Response RegExp Set String Symbol Tuple TypeError URL Union ValueError WeakMap None True False NULL
   print len dict list tuple set str int float bool type object super range open map filter sum min max require import
   console process window document module exports describe test expect main init setup run`.split(/\s+/),
);
/** Folders of tests: a document that names a class means the product's. */
const TESTS = /(^|\/)(tests?|__tests__|testdata|specs?)\/|(^|\/)test_[^/]*$|(_test|\.test|\.spec)\.\w+$/;
/** What a named folder stands for where something is run or built. */
const FOLDER_ENTRIES = ['main.go', '__main__.py', '__init__.py', 'index.ts', 'index.js'];

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);

/** Joins a folder ('' or with a slash at the end) and a relative path; undefined where it leaves the repository. */
function join(folder: string, relative: string): string | undefined {
  const parts = folder.split('/').filter((part) => part !== '');
  for (const part of relative.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join('/');
}

/** A path as written in `from`: beside the file, at the root, or below a source root. */
export function resolvePath(from: string, text: string, runs: boolean, view: LinkView): Target | undefined {
  const own = folderOf(from);
  const bases = text.startsWith('/')
    ? ['']
    : text.startsWith('.')
      ? runs
        ? [own, '']
        : [own]
      : [own, ...SOURCE_ROOTS];
  for (const base of bases) {
    const path = join(base, text);
    if (path === undefined || path === '' || path === from) continue;
    if (view.has(path)) return { path };
    if (runs && text.includes('/') && view.hasDir(path)) {
      const entry = FOLDER_ENTRIES.find((name) => view.has(`${path}/${name}`));
      return entry === undefined ? undefined : { path: `${path}/${entry}` };
    }
  }
  return undefined;
}

/** The only definer of `name` that passes, where all definers are known. */
function only(name: string, view: LinkView, passes: (definer: Definer) => boolean): Target | undefined {
  const { total, first } = view.definers(name);
  if (total === 0 || total > first.length) return undefined;
  const [definer, second] = first.filter((candidate) => !TESTS.test(candidate.path) && passes(candidate));
  return definer && !second ? { path: definer.path, symbol: definer.symbol } : undefined;
}

/** `pkg.mod.Class.f` by Python's rules: the longest prefix that is a module, the rest a symbol in it or below it. */
function inModule(from: string, parts: readonly string[], view: LinkView): Target | undefined {
  const own = folderOf(from);
  const roots = own === '' ? SOURCE_ROOTS : [...SOURCE_ROOTS, own, `${own}src/`];
  for (const root of roots) {
    const top = `${root}${parts[0]}`;
    if (!view.hasDir(top) && !view.has(`${top}.py`)) continue;
    for (let length = parts.length; length > 0; length -= 1) {
      const prefix = `${root}${parts.slice(0, length).join('/')}`;
      const module = [`${prefix}.py`, `${prefix}/__init__.py`, `${prefix}.pyx`].find((path) => view.has(path));
      if (module === undefined) continue;
      const symbol = parts.slice(length).join('.');
      if (symbol === '') return { path: module };
      const inside = module.endsWith('/__init__.py') ? `${prefix}/` : module;
      const target = only(
        parts.at(-1) ?? '',
        view,
        (definer) => definer.symbol === symbol && definer.path.startsWith(inside),
      );
      // The module itself was named in full: that much is certain.
      return target ?? (length > 1 && inside === module ? { path: module } : undefined);
    }
  }
  return undefined;
}

function resolveDotted(from: string, text: string, view: LinkView): Target | undefined {
  const parts = text.split(/[.:]/).filter((part) => part !== '');
  const target = inModule(from, parts, view);
  if (target) return target;
  const [qualifier = '', name = ''] = parts;
  if (parts.length !== 2) return undefined;
  // `Class.method`, and in Go `package.Name`, the package being a folder.
  return only(
    name,
    view,
    ({ path, symbol }) =>
      (/^[A-Z]/.test(qualifier) && symbol === `${qualifier}.${name}`) ||
      (symbol === name && path.endsWith('.go') && folderOf(path).endsWith(`/${qualifier}/`)),
  );
}

/** A bare name in a code span: only a name with the shape of code, that one place in the whole repository defines. */
function resolveName(text: string, view: LinkView): Target | undefined {
  const name = text.replace(/\(\)$/, '');
  const shaped = text.endsWith('()') || /[A-Za-z0-9]_[A-Za-z0-9]|[a-z0-9][A-Z]|^[A-Z][a-z]{2}/.test(name);
  if (!shaped || name.length < 4 || GLOBALS.has(name) || view.definers(name).total !== 1) return undefined;
  // A method by its bare name: only where the name is more than one plain word.
  return only(name, view, ({ symbol }) => symbol === name || /[a-z0-9]_[a-z0-9]|[a-z][A-Z]/.test(name));
}

/** What a mention in the file `from` names; `runs`: the file configures, so that a folder stands for what is run in it. */
export function resolveMention(
  from: string,
  { kind, text }: Mention,
  runs: boolean,
  view: LinkView,
): Target | undefined {
  if (kind === 'path') return resolvePath(from, text, runs, view);
  return kind === 'dotted' ? resolveDotted(from, text, view) : resolveName(text, view);
}
