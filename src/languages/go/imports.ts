/** Which import a qualifier means, as far as a file alone can tell. */

/** First path segments of the standard library; no module of a repository starts with one of them. */
const STANDARD = new Set(
  (
    'C archive bufio bytes cmp compress container context crypto database debug embed encoding errors expvar flag fmt go ' +
    'hash html image index io iter log maps math mime net os path plugin reflect regexp runtime slices sort strconv ' +
    'strings structs sync syscall testing text time unicode unique unsafe'
  ).split(' '),
);

export const isStandard = (module: string): boolean => {
  const slash = module.indexOf('/');
  return STANDARD.has(slash < 0 ? module : module.slice(0, slash));
};

/** Names that a package at this path usually has, likely first. */
function usualNames(module: string): string[] {
  const segments = module.split('/');
  let last = segments.pop() ?? '';
  const names: string[] = [];
  if (/^v\d+$/.test(last) && segments.length > 0) {
    names.push(last);
    last = segments.pop() ?? '';
  }
  const bare = last.replace(/\.v\d+$/, '');
  names.unshift(bare, bare.replace(/^go-|-go$|\.go$/g, ''), bare.replace(/[-.]/g, ''), bare.replace(/-/g, '_'));
  return names;
}

export interface BoundImport {
  readonly module: string;
  readonly alias?: string | undefined;
}

/** The imports of a file by qualifier. */
export class Imports {
  private readonly byName = new Map<string, string>();
  private readonly unnamed: { readonly module: string; readonly names: readonly string[] }[] = [];

  constructor(imports: Iterable<BoundImport>) {
    for (const { module, alias } of imports) {
      if (alias === undefined) this.unnamed.push({ module, names: usualNames(module) });
      else if (alias !== '_' && alias !== '.') this.byName.set(alias, module);
    }
    for (const rank of [0, 1, 2, 3, 4]) {
      for (const { module, names } of this.unnamed) {
        const name = names[rank];
        if (name !== undefined && !this.byName.has(name)) this.byName.set(name, module);
      }
    }
  }

  /** The module of the import that looks like the qualifier. */
  moduleOf(qualifier: string): string | undefined {
    return this.byName.get(qualifier);
  }

  /**
   * Modules of imports that none of the qualifiers in `source` looks like: their packages may have any name.
   */
  open(source: string): string[] {
    return this.unnamed
      .filter(({ module, names }) => !isStandard(module) && !names.some((name) => source.includes(`${name}.`)))
      .map(({ module }) => module);
  }
}
