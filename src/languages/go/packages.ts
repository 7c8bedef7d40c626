/** Packages of a repository: what folder and scope they are, and what they define. */
import type { Json } from '../../facts/model.js';
import type { LinkView } from '../../graph/view.js';
import type { GoEntry } from './expressions.js';

export interface Package {
  readonly dir: string;
  readonly name: string;
}

/** Where something is defined; several paths where build constraints choose between files. */
export interface Definition {
  readonly paths: readonly string[];
  readonly entry: GoEntry;
}

export const folderOf = (path: string): string => {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? '' : path.slice(0, slash);
};

export const isTestFile = (path: string): boolean => path.endsWith('_test.go');

/** The scope of a package. A file that no build includes is one of its own. */
export function scopeOf({ dir, name }: Package, ignoredPath?: string): string {
  return ignoredPath === undefined ? `go:${dir}:${name}` : `go:${dir}:${name}:${ignoredPath}`;
}

/** How many files are asked for a package's name before settling for what they said. */
const ASKED_FOR_NAME = 8;

/** The package that an import of that folder gets. */
export function packageOf(dir: string, view: LinkView): Package | undefined {
  return view.derive(`go:package:${dir}`, () => {
    const expected = dir.slice(dir.lastIndexOf('/') + 1);
    const sources = view.list(dir).filter((name) => name.endsWith('.go') && !isTestFile(name));
    let found: string | undefined;
    for (const name of sources.slice(0, ASKED_FOR_NAME)) {
      const path = dir === '' ? name : `${dir}/${name}`;
      const declared = view.entry(path, '#package');
      if (typeof declared !== 'string' || declared === '' || view.entry(path, '#ignored') === true) continue;
      if (declared === expected) return { dir, name: declared };
      if (found === undefined || found === 'main') found = declared;
    }
    return found === undefined ? undefined : { dir, name: found };
  });
}

/** What one file sees of packages. */
export class Packages {
  private readonly own: Package;
  private readonly ownScope: string;
  private readonly known = new Map<string, Definition | undefined>();

  constructor(
    readonly path: string,
    name: string,
    ignored: boolean,
    /** The file's own build constraint, see `GoExtra.tagged`. */
    private readonly tagged: string | undefined,
    readonly view: LinkView,
  ) {
    this.own = { dir: folderOf(path), name };
    this.ownScope = scopeOf(this.own, ignored ? path : undefined);
  }

  get current(): Package {
    return this.own;
  }

  isOwn(pkg: Package): boolean {
    return pkg.dir === this.own.dir && pkg.name === this.own.name;
  }

  /** Files of the package that define the name, as this file sees them. */
  files(pkg: Package, name: string): readonly string[] {
    const visible = this.visible(pkg, name);
    if (visible.length < 2) return visible;
    if (visible.includes(this.path)) return [this.path];
    return this.built(visible);
  }

  private visible(pkg: Package, name: string): readonly string[] {
    const scope = this.isOwn(pkg) ? this.ownScope : scopeOf(pkg);
    const files = this.view.scope(scope, name);
    if (files.length === 0) return files;
    // What a test file defines is seen only by the tests of its folder.
    const seesTests = isTestFile(this.path) && pkg.dir === this.own.dir;
    return seesTests ? files : files.filter((file) => !isTestFile(file));
  }

  /** Of files that define the same name, those that are built together with this one as far as that is known. */
  private built(files: readonly string[]): readonly string[] {
    const tags = files.map((file) => this.view.entry(file, '#tagged'));
    const alike = files.filter((_, at) => tags[at] === this.tagged);
    const plain = alike.length > 0 ? alike : files.filter((_, at) => tags[at] === undefined);
    return samePlatform(this.path, plain.length > 0 ? plain : files);
  }

  find(pkg: Package, name: string): Definition | undefined {
    const key = `${pkg.dir}:${pkg.name}:${name}`;
    if (this.known.has(key)) return this.known.get(key);
    const paths = this.files(pkg, name);
    const entry = paths[0] === undefined ? undefined : this.view.entry(paths[0], name);
    const definition = entry === undefined ? undefined : { paths, entry: entry as unknown as GoEntry };
    this.known.set(key, definition);
    return definition;
  }

  /** What all files of the package say under a key that each may have, such as the methods of a type. */
  entries(pkg: Package, key: string): Json[] {
    return this.visible(pkg, key).flatMap((path) => this.view.entry(path, key) ?? []);
  }
}

const platformOf = (path: string): string => /_([a-z0-9]+)(_test)?\.go$/.exec(path)?.[1] ?? '';

/** `a_linux.go` uses what `b_linux.go` defines rather than `b_windows.go`. */
function samePlatform(path: string, files: readonly string[]): readonly string[] {
  const platform = platformOf(path);
  const same = platform === '' ? [] : files.filter((file) => platformOf(file) === platform);
  return same.length > 0 ? same : files;
}
