/** What the map is made from: every symbol of the repository with what it uses, and the edges between symbols. */
import type { FileFacts, SymbolFact, SymbolKind } from '../../facts/model.js';
import type { EdgeDraft } from '../../graph/edge.js';
import { byText } from '../repository.js';

export interface CorpusSymbol {
  /** Index into `Corpus.paths`. */
  readonly file: number;
  /** Qualified inside the file. */
  readonly name: string;
  readonly kind: SymbolKind;
  readonly line: number;
  readonly endLine: number;
  readonly signature: string;
  /**
   * Names that its body uses: last segments of references, and strings that look like names. Sorted, distinct; empty in
   * a corpus that was indexed and stored.
   */
  readonly uses: readonly string[];
}

export interface Corpus {
  /** Sorted. */
  readonly paths: readonly string[];
  /** By file, then line. */
  readonly symbols: readonly CorpusSymbol[];
  /** Calls and inheritance between symbols, as indexes into `symbols`; sorted, distinct. */
  readonly edges: readonly (readonly [number, number])[];
  /** Pairs of files of which the first imports the second, as indexes into `paths`; sorted, distinct. */
  readonly imports: readonly (readonly [number, number])[];
}

/** Kinds that a map lists. Fields and variables belong to the bodies that a map leaves out. */
const LISTED: ReadonlySet<SymbolKind> = new Set([
  'class',
  'interface',
  'struct',
  'enum',
  'type',
  'namespace',
  'function',
  'method',
  'property',
]);

const FUNCTIONS: ReadonlySet<SymbolKind> = new Set(['function', 'method', 'property']);

/**
 * For each symbol the index of the listed one that it belongs to: itself, or for what is defined inside a
 * function body that function; -1 where there is none.
 */
function owners(symbols: readonly SymbolFact[]): number[] {
  const byName = new Map(symbols.map(({ name }, i) => [name, i]));
  return symbols.map(({ name, kind }, i) => {
    const segments = name.split('.');
    let holder = -1;
    for (let n = 1; n < segments.length; n += 1) {
      const outer = byName.get(segments.slice(0, n).join('.'));
      const outerKind = outer === undefined ? undefined : symbols[outer]?.kind;
      if (outer === undefined || outerKind === undefined) continue;
      if (FUNCTIONS.has(outerKind)) return outer;
      if (LISTED.has(outerKind)) holder = outer;
    }
    return LISTED.has(kind) ? i : holder;
  });
}

/** The corpus of the given files; others are not in the map. */
export function corpusOf(
  facts: ReadonlyMap<string, FileFacts>,
  edges: ReadonlyMap<string, readonly EdgeDraft[]>,
): Corpus {
  const paths = [...facts.keys()].sort(byText);
  const symbols: CorpusSymbol[] = [];
  /** Per file: owner of each symbol as index into `symbols`, -1 for the file itself. */
  const owned = new Map<string, number[]>();
  const indexOf = new Map<string, number>();
  paths.forEach((path, file) => {
    const own = facts.get(path);
    if (!own) return;
    const owner = owners(own.symbols);
    const uses: Set<string>[] = own.symbols.map(() => new Set());
    for (const { from, chain } of own.references) {
      const holder = from < 0 ? -1 : (owner[from] ?? -1);
      for (const segment of chain) if (holder >= 0) uses[holder]?.add(segment.replace(/\(\)$/, ''));
    }
    for (const { from, text } of own.strings) {
      const holder = from < 0 ? -1 : (owner[from] ?? -1);
      if (holder >= 0) uses[holder]?.add(text);
    }
    own.symbols.forEach(({ name, kind }, i) => {
      const holder = owner[i] ?? -1;
      if (holder >= 0 && holder !== i) uses[holder]?.add(name.slice(name.lastIndexOf('.') + 1));
      if (holder !== i || !LISTED.has(kind)) owner[i] = holder;
    });
    const global = own.symbols.map(({ name, kind, line, endLine, signature }, i) => {
      if (owner[i] !== i) return -1;
      const index = symbols.length;
      symbols.push({ file, name, kind, line, endLine, signature, uses: [...(uses[i] ?? [])].sort(byText) });
      indexOf.set(`${path}\0${name}`, index);
      return index;
    });
    owned.set(
      path,
      own.symbols.map((_, i) => global[owner[i] ?? -1] ?? -1),
    );
    own.symbols.forEach(({ name }, i) => {
      const index = owned.get(path)?.[i] ?? -1;
      if (index >= 0) indexOf.set(`${path}\0${name}`, index);
    });
  });
  const fileOf = new Map(paths.map((path, i) => [path, i]));
  const calls = new Set<number>();
  const imports = new Set<number>();
  const pair = (a: number, b: number): number => a * 0x2000000 + b;
  for (const path of paths) {
    for (const { from, to, type } of edges.get(path) ?? []) {
      const target = fileOf.get(to.path);
      if (target === undefined) continue;
      if (type === 'imports') {
        const source = fileOf.get(path) ?? 0;
        if (source !== target) imports.add(pair(source, target));
      }
      if ((type !== 'calls' && type !== 'inherits') || to.symbol === undefined || from < 0) continue;
      const a = owned.get(path)?.[from] ?? -1;
      const b = indexOf.get(`${to.path}\0${to.symbol}`) ?? -1;
      if (a >= 0 && b >= 0 && a !== b) calls.add(pair(a, b));
    }
  }
  const unpair = (key: number): readonly [number, number] => [Math.floor(key / 0x2000000), key % 0x2000000];
  const sorted = (set: ReadonlySet<number>): (readonly [number, number])[] =>
    [...set].sort((a, b) => a - b).map(unpair);
  return { paths, symbols, edges: sorted(calls), imports: sorted(imports) };
}
