/** Module specifiers to files of the repository: relative paths, compiler settings, packages. */
import { posix } from 'node:path';
import type { Json } from '../../facts/model.js';
import type { LinkView } from '../../graph/view.js';
import { isObject, PACKAGE, strings } from './configuration.js';

export interface ResolvedModule {
  readonly path: string;
  /** Whether the specifier is a path to the file itself, not an alias or a package. */
  readonly isDirect: boolean;
}

interface PathMapping {
  readonly pattern: string;
  readonly targets: readonly string[];
}

interface CompilerSettings {
  readonly baseUrl?: string;
  readonly paths: readonly PathMapping[];
  readonly rootDirs: readonly string[];
}

const EMPTY: CompilerSettings = { paths: [], rootDirs: [] };
const FIRST_SUFFIXES = ['.ts', '.tsx', '.js'];
const LATER_SUFFIXES = [
  '.d.ts',
  '.jsx',
  '.mts',
  '.cts',
  '.mjs',
  '.cjs',
  '.d.mts',
  '.d.cts',
  '.vue',
  '.svelte',
  '.json',
];
const INDEXES = ['.ts', '.tsx', '.js', '.d.ts', '.jsx', '.mts', '.mjs', '.cts', '.cjs', '.vue'];
/** Suffixes that a specifier may name although the source has another. */
const SOURCES_OF: { readonly [suffix: string]: readonly string[] } = {
  '.js': ['.ts', '.tsx', '.d.ts', '.js', '.jsx'],
  '.jsx': ['.tsx', '.d.ts', '.jsx', '.ts'],
  '.mjs': ['.mts', '.d.mts', '.mjs', '.ts'],
  '.cjs': ['.cts', '.d.cts', '.cjs', '.ts'],
};
/** Folders of build results, with the conditions that bundlers put below them. */
const OUTPUT =
  /^(?:dist|build|lib|out|output|esm|cjs|es|umd|types|typings|node|module|commonjs|mjs|_esm|_cjs|_types|src)$/;
const LONGEST_EXTENDS = 16;

const folderOf = (path: string): string => {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? '' : path.slice(0, slash);
};

/** `dir/relative` normalised; undefined when it leaves the repository. */
function joined(dir: string, relative: string): string | undefined {
  const path = posix.normalize(posix.join(dir, relative)).replace(/\/$/, '');
  if (path === '..' || path.startsWith('../')) return undefined;
  return path === '.' ? '' : path;
}

/** The folder and all above it, ending with the root ''. */
function* upwards(dir: string): Generator<string> {
  let at = dir;
  for (;;) {
    yield at;
    if (at === '') return;
    at = folderOf(at);
  }
}

/** The file that a path without or with a suffix means, as the compiler and bundlers look for it. */
function fileAt(view: LinkView, base: string | undefined): string | undefined {
  if (base === undefined) return undefined;
  const suffix = /\.[cm]?jsx?$/.exec(base)?.[0];
  if (suffix !== undefined) {
    const stem = base.slice(0, -suffix.length);
    for (const source of SOURCES_OF[suffix] ?? []) if (view.has(stem + source)) return stem + source;
  } else if (/\.\w+$/.test(base) && view.has(base)) return base;
  for (const one of FIRST_SUFFIXES) if (base !== '' && view.has(base + one)) return base + one;
  if (view.hasDir(base)) {
    const inside = base === '' ? '' : `${base}/`;
    for (const one of INDEXES) if (view.has(`${inside}index${one}`)) return `${inside}index${one}`;
    if (view.has(`${inside}package.json`)) {
      const main = view.entry(`${inside}package.json`, 'main');
      const found = typeof main === 'string' ? joined(base, main) : undefined;
      if (found !== undefined && found !== base) {
        for (const one of ['', ...FIRST_SUFFIXES]) if (view.has(found + one)) return found + one;
        for (const one of FIRST_SUFFIXES) if (view.has(`${found}/index${one}`)) return `${found}/index${one}`;
      }
    }
  }
  for (const one of LATER_SUFFIXES) if (base !== '' && view.has(base + one)) return base + one;
  return undefined;
}

/** The star part of a specifier under a pattern with at most one star; undefined if it does not match. */
function matched(pattern: string, specifier: string): string | undefined {
  const star = pattern.indexOf('*');
  if (star < 0) return pattern === specifier ? '' : undefined;
  const before = pattern.slice(0, star);
  const after = pattern.slice(star + 1);
  if (specifier.length < before.length + after.length) return undefined;
  if (!specifier.startsWith(before) || !specifier.endsWith(after)) return undefined;
  return specifier.slice(before.length, specifier.length - after.length);
}

// Compiler settings

/** The settings file that `extends` or a reference names. */
function settingsFile(view: LinkView, dir: string, named: string): string | undefined {
  if (named.startsWith('.') || named.startsWith('/')) {
    const base = joined(dir, named);
    if (base === undefined) return undefined;
    return [base, `${base}.json`, `${base}/tsconfig.json`].find((path) => path.endsWith('.json') && view.has(path));
  }
  const [scope = '', second = ''] = named.split('/');
  const name = scope.startsWith('@') ? `${scope}/${second}` : scope;
  const home = packageFolder(view, dir, name);
  if (home === undefined) return undefined;
  const rest = named.slice(name.length + 1);
  const inside = home === '' ? '' : `${home}/`;
  const candidates = rest === '' ? ['tsconfig.json'] : [rest, `${rest}.json`, `${rest}/tsconfig.json`];
  return candidates.map((one) => inside + one).find((path) => path.endsWith('.json') && view.has(path));
}

function readSettings(view: LinkView, file: string, root: string, seen: Set<string>): CompilerSettings {
  if (seen.has(file) || seen.size > LONGEST_EXTENDS) return EMPTY;
  seen.add(file);
  const dir = folderOf(file);
  let settings = EMPTY;
  for (const named of strings(view.entry(file, 'extends'))) {
    const base = settingsFile(view, dir, named);
    if (base !== undefined) settings = { ...settings, ...readSettings(view, base, root, seen) };
  }
  const at = (path: string): string | undefined =>
    path.startsWith(CONFIG_DIR) ? joined(root, `.${path.slice(CONFIG_DIR.length)}`) : joined(dir, path);
  const baseUrl = view.entry(file, 'baseUrl');
  const paths = view.entry(file, 'paths');
  const rootDirs = strings(view.entry(file, 'rootDirs'));
  if (typeof baseUrl === 'string') {
    const base = at(baseUrl);
    if (base !== undefined) settings = { ...settings, baseUrl: base };
  }
  if (isObject(paths)) {
    const from =
      typeof baseUrl === 'string' || settings.baseUrl === undefined ? (settings.baseUrl ?? dir) : settings.baseUrl;
    settings = {
      ...settings,
      paths: Object.entries(paths)
        .map(([pattern, targets]) => ({
          pattern,
          targets: strings(targets)
            .map((target) => (target.startsWith(CONFIG_DIR) ? at(target) : joined(from, target)))
            .filter((target) => target !== undefined),
        }))
        .sort((a, b) => prefixLength(b.pattern) - prefixLength(a.pattern) || (a.pattern < b.pattern ? -1 : 1)),
    };
  }
  if (rootDirs.length > 0) {
    settings = { ...settings, rootDirs: rootDirs.map(at).filter((one) => one !== undefined) };
  }
  return settings;
}

const CONFIG_DIR = '$' + '{configDir}';
/** Exact patterns first, then by the length of what stands before the star. */
const prefixLength = (pattern: string): number => {
  const star = pattern.indexOf('*');
  return star < 0 ? Number.MAX_SAFE_INTEGER : star;
};

/** Settings that govern a folder: the nearest settings file's, then those of the projects it refers to. */
function settingsOf(view: LinkView, dir: string): readonly CompilerSettings[] {
  return view.derive(`typescript:settings:${dir}`, () => {
    const found: CompilerSettings[] = [];
    for (const folder of upwards(dir)) {
      const inside = folder === '' ? '' : `${folder}/`;
      const file = [`${inside}tsconfig.json`, `${inside}jsconfig.json`].find((path) => view.has(path));
      if (file === undefined) continue;
      found.push(readSettings(view, file, folder, new Set()));
      for (const reference of strings(view.entry(file, 'references'))) {
        const referred = settingsFile(view, folder, reference.startsWith('.') ? reference : `./${reference}`);
        // Only a project of the same folder can govern the folder's files.
        if (referred !== undefined && folderOf(referred) === folder) {
          found.push(readSettings(view, referred, folder, new Set()));
        }
      }
    }
    return found;
  });
}

function throughPaths(view: LinkView, dir: string, specifier: string): string | undefined {
  const governing = settingsOf(view, dir);
  for (const [distance, settings] of governing.entries()) {
    for (const { pattern, targets } of settings.paths) {
      const star = matched(pattern, specifier);
      if (star === undefined || (distance > 0 && pattern === '*')) continue;
      for (const target of targets) {
        const found = sourceAt(view, '', target.replace('*', star));
        if (found !== undefined) return found;
      }
    }
  }
  const base = governing[0]?.baseUrl;
  return base === undefined ? undefined : fileAt(view, joined(base, specifier));
}

function throughRootDirs(view: LinkView, dir: string, specifier: string): string | undefined {
  for (const { rootDirs } of settingsOf(view, dir)) {
    const home = rootDirs.find((root) => root === '' || dir === root || dir.startsWith(`${root}/`));
    if (home === undefined) continue;
    const below = dir.slice(home === '' ? 0 : home.length + 1);
    for (const root of rootDirs) {
      const found = fileAt(view, joined(posix.join(root, below), specifier));
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

// Packages

/** Length of the common folder prefix of two folders, in segments. */
function closeness(a: string, b: string): number {
  const left = a.split('/');
  const right = b.split('/');
  let shared = 0;
  while (shared < left.length && left[shared] === right[shared]) shared++;
  return shared;
}

/** Folder of the repository's package of that name, the closest to `dir` if there are several. */
function packageFolder(view: LinkView, dir: string, name: string): string | undefined {
  return view.derive(`typescript:package:${dir}\0${name}`, () => {
    const homes = view.scope('typescript:packages', PACKAGE + name).map(folderOf);
    if (homes.length > 0) {
      return homes.reduce((best, home) => {
        const better = closeness(home, dir) - closeness(best, dir) || best.split('/').length - home.split('/').length;
        return better > 0 ? home : best;
      });
    }
    for (const folder of upwards(dir)) {
      const manifest = folder === '' ? 'package.json' : `${folder}/package.json`;
      if (!view.has(manifest)) continue;
      const local = view.entry(manifest, 'local');
      const path = isObject(local) ? local[name] : undefined;
      if (typeof path === 'string') return joined(folder, path);
    }
    return undefined;
  });
}

/** All file targets of an `exports` or `imports` value, sources before build results. */
function targetsOf(value: Json | undefined): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(targetsOf);
  if (!isObject(value)) return [];
  return Object.values(value).flatMap(targetsOf);
}

const isSource = (target: string): boolean => /(?<!\.d)\.[cm]?tsx?$/.test(target);

/** Targets that a map of `exports` or `imports` has for a key such as `./sub` or `#x`. */
function mapped(map: Json | undefined, key: string): string[] {
  if (map === undefined) return [];
  const isMap = isObject(map) && Object.keys(map).some((one) => one.startsWith('.') || one.startsWith('#'));
  let found: string[] = [];
  if (!isMap) found = key === '.' ? targetsOf(map) : [];
  else if (isObject(map)) {
    if (map[key] !== undefined) found = targetsOf(map[key]);
    else {
      const patterns = Object.keys(map)
        .filter((pattern) => matched(pattern, key) !== undefined)
        .sort((a, b) => prefixLength(b) - prefixLength(a));
      const [best] = patterns;
      if (best !== undefined) {
        const star = matched(best, key) ?? '';
        found = targetsOf(map[best]).map((target) => target.replaceAll('*', star));
      }
    }
  }
  return [...new Set(found)].sort((a, b) => Number(isSource(b)) - Number(isSource(a)));
}

/** The source of a file that a manifest names: the file itself, or what it is built from. */
function sourceAt(view: LinkView, home: string, target: string): string | undefined {
  const path = joined(home, target);
  if (path === undefined) return undefined;
  const stem = path.replace(/(?:\.d)?\.[cm]?[jt]sx?$/, '');
  if (stem !== path && view.has(path) && !/\.d\.[cm]?ts$/.test(path)) {
    return /\.[cm]?js$/.test(path) ? (fileAt(view, path) ?? path) : path;
  }
  const direct = stem === path ? fileAt(view, path) : fileAt(view, stem);
  if (direct !== undefined) return direct;
  const prefix = home === '' ? '' : `${home}/`;
  const segments = stem.slice(prefix.length).split('/');
  for (let cut = 1; cut < segments.length; cut++) {
    if (!OUTPUT.test(segments[cut - 1] ?? '')) break;
    const rest = segments.slice(cut).join('/');
    const found = fileAt(view, `${prefix}src/${rest}`) ?? fileAt(view, prefix + rest);
    if (found !== undefined) return found;
  }
  return undefined;
}

function inPackage(view: LinkView, home: string, rest: string): string | undefined {
  const prefix = home === '' ? '' : `${home}/`;
  const manifest = `${prefix}package.json`;
  const named = mapped(view.entry(manifest, 'exports'), rest === '' ? '.' : `./${rest}`);
  if (rest === '') {
    for (const key of ['source', 'types', 'typings', 'module', 'main']) {
      const value = view.entry(manifest, key);
      if (typeof value === 'string') named.push(value);
    }
  }
  for (const target of named) {
    const found = sourceAt(view, home, target);
    if (found !== undefined) return found;
  }
  if (rest === '') {
    for (const entry of ['src/index', 'index', 'src/main', 'lib/index', 'mod', 'src/mod']) {
      for (const suffix of FIRST_SUFFIXES) if (view.has(prefix + entry + suffix)) return prefix + entry + suffix;
    }
    return undefined;
  }
  return fileAt(view, prefix + rest) ?? sourceAt(view, home, rest) ?? fileAt(view, `${prefix}src/${rest}`);
}

/** Folder of the nearest package.json. */
function ownPackage(view: LinkView, dir: string): string | undefined {
  return view.derive(`typescript:home:${dir}`, () => {
    for (const folder of upwards(dir)) {
      if (view.has(folder === '' ? 'package.json' : `${folder}/package.json`)) return folder;
    }
    return undefined;
  });
}

function throughPackage(view: LinkView, dir: string, specifier: string): string | undefined {
  const segments = specifier.split('/');
  const size = specifier.startsWith('@') ? 2 : 1;
  const name = segments.slice(0, size).join('/');
  const home = packageFolder(view, dir, name);
  return home === undefined ? undefined : inPackage(view, home, segments.slice(size).join('/'));
}

function throughImports(view: LinkView, dir: string, specifier: string): string | undefined {
  const home = ownPackage(view, dir);
  if (home === undefined) return undefined;
  const manifest = home === '' ? 'package.json' : `${home}/package.json`;
  for (const target of mapped(view.entry(manifest, 'imports'), specifier)) {
    const found = target.startsWith('.') ? sourceAt(view, home, target) : throughPackage(view, home, target);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** `@/x` and `~/x` without settings that say so: the habit of bundlers' templates. */
function throughHabit(view: LinkView, dir: string, specifier: string): string | undefined {
  const rest = /^[@~]\/(.+)$/.exec(specifier)?.[1];
  if (rest === undefined) return undefined;
  const home = ownPackage(view, dir) ?? '';
  return fileAt(view, joined(home, `src/${rest}`)) ?? fileAt(view, joined(home, rest));
}

// Declarations beside scripts

export const isScript = (path: string): boolean => /\.[cm]?jsx?$/.test(path);
export const isDeclarations = (path: string): boolean => /\.d\.[cm]?ts$/.test(path);

const DECLARATIONS_OF: { readonly [suffix: string]: string } = {
  '.js': '.d.ts',
  '.jsx': '.d.ts',
  '.mjs': '.d.mts',
  '.cjs': '.d.cts',
};

/**
 * The other half of a module that is a script with hand-written declarations: `x.d.ts` of `x.js` and the other way
 * round, or what `types` and `main` of a package name. Undefined where the module is one file.
 */
export function counterpart(view: LinkView, path: string): string | undefined {
  return view.derive(`typescript:counterpart:${path}`, () => {
    for (const [suffix, declarations] of Object.entries(DECLARATIONS_OF)) {
      const [from, to] = isScript(path) ? [suffix, declarations] : [declarations, suffix];
      const other = path.endsWith(from) ? path.slice(0, -from.length) + to : undefined;
      if (other !== undefined && view.has(other)) return other;
    }
    const home = ownPackage(view, folderOf(path));
    if (home === undefined || !(isScript(path) || isDeclarations(path))) return undefined;
    const manifest = home === '' ? 'package.json' : `${home}/package.json`;
    const named = (key: string): string | undefined => {
      const value = view.entry(manifest, key);
      const at = typeof value === 'string' ? joined(home, value) : undefined;
      return at !== undefined && view.has(at) ? at : fileAt(view, at);
    };
    const types = named('types') ?? named('typings');
    if (types === undefined || !isDeclarations(types)) return undefined;
    const main = named('main') ?? fileAt(view, joined(home, 'index'));
    if (main === undefined || !isScript(main)) return undefined;
    return path === types ? main : path === main ? types : undefined;
  });
}

/**
 * The file that a specifier in the file `importer` means, undefined where it is none of the repository. Of a script
 * with declarations, scripts mean the script, which runs, and typed code means the declarations, as its compiler does.
 */
export function resolveModule(view: LinkView, importer: string, written: string): ResolvedModule | undefined {
  const found = locate(view, folderOf(importer), written);
  if (!found) return undefined;
  const isOther = isScript(importer) ? isDeclarations(found.path) : isScript(found.path);
  const other = isOther ? counterpart(view, found.path) : undefined;
  return other === undefined ? found : { path: other, isDirect: found.isDirect };
}

function locate(view: LinkView, dir: string, written: string): ResolvedModule | undefined {
  return view.derive(`typescript:module:${dir}\0${written}`, () => {
    const specifier = written.replace(/[?!].*$/, '');
    if (specifier === '' || specifier.startsWith('node:') || /^[a-z]+:\/\//.test(specifier)) return undefined;
    if (/^\.\.?(?:\/|$)/.test(specifier)) {
      const direct = fileAt(view, joined(dir, specifier));
      if (direct !== undefined) return { path: direct, isDirect: true };
      const shifted = throughRootDirs(view, dir, specifier);
      return shifted === undefined ? undefined : { path: shifted, isDirect: false };
    }
    if (specifier.startsWith('/')) {
      const path = fileAt(view, joined(ownPackage(view, dir) ?? '', `.${specifier}`));
      return path === undefined ? undefined : { path, isDirect: true };
    }
    const path =
      throughPaths(view, dir, specifier) ??
      (specifier.startsWith('#') ? throughImports(view, dir, specifier) : throughPackage(view, dir, specifier)) ??
      throughHabit(view, dir, specifier);
    return path === undefined ? undefined : { path, isDirect: false };
  });
}
