/**
 * Sidecars as the index keeps them: every path, symbol and kind of evidence once, named by number. The plain form
 * repeats the same few far ends for each symbol of a file, and was twice as large as the source that it describes.
 */
import type { Neighbours, Sidecar, SidecarSymbol } from './sidecar.generated.js';
import type { StoredNeighbours, StoredSidecar, StoredSymbol, Totals } from './stored-sidecar.generated.js';

type Tuple = (number | string)[];
type Lists = Record<string, Tuple[]>;

class Tables {
  private readonly files = new Map<
    string,
    { readonly listed: [string, ...string[]]; readonly numbers: Map<string, number> }
  >();
  private readonly own = new Map<string, number>();
  private readonly evidenceNumbers = new Map<string, number>();
  readonly evidence: [number, string][] = [];

  constructor(
    private readonly path: string,
    symbols: readonly SidecarSymbol[],
  ) {
    symbols.forEach(({ name }, i) => {
      this.own.set(name, -1 - i);
    });
  }

  /** Notes an end: numbers are known only when all are. */
  note(path: string, symbol: string | undefined): void {
    if (symbol !== undefined && path === this.path && this.own.has(symbol)) return;
    let file = this.files.get(path);
    if (!file) {
      file = { listed: [path], numbers: new Map() };
      this.files.set(path, file);
    }
    if (symbol === undefined || file.numbers.has(symbol)) return;
    file.numbers.set(symbol, file.listed.length);
    file.listed.push(symbol);
  }

  /** The ends as they are written; from here on `numberOf` answers. */
  settle(): StoredSidecar['ends'] {
    const ends: StoredSidecar['ends'] = [];
    let next = 0;
    for (const { listed, numbers } of this.files.values()) {
      for (const [symbol, at] of numbers) numbers.set(symbol, next + at);
      numbers.set('', next);
      next += listed.length;
      ends.push(listed);
    }
    return ends;
  }

  numberOf(path: string, symbol: string | undefined): number {
    const own = symbol !== undefined && path === this.path ? this.own.get(symbol) : undefined;
    return own ?? this.files.get(path)?.numbers.get(symbol ?? '') ?? 0;
  }

  evidenceOf(confidence: number, provenance: string): number {
    const key = `${confidence} ${provenance}`;
    let number = this.evidenceNumbers.get(key);
    if (number === undefined) {
      number = this.evidence.length;
      this.evidenceNumbers.set(key, number);
      this.evidence.push([confidence, provenance]);
    }
    return number;
  }
}

function note(neighbours: Neighbours | undefined, tables: Tables): void {
  if (!neighbours) return;
  for (const { items } of Object.values(neighbours) as Neighbours[keyof Neighbours][] as {
    items: { path: string; symbol?: string }[];
  }[]) {
    for (const { path, symbol } of items) tables.note(path, symbol);
  }
}

function pack(
  neighbours: Neighbours | undefined,
  tables: Tables,
): { readonly neighbours: StoredNeighbours; readonly totals?: Totals } {
  const lists: Lists = {};
  let totals: Totals | undefined;
  for (const [kind, list] of Object.entries(neighbours ?? {}) as [
    string,
    NonNullable<Neighbours[keyof Neighbours]>,
  ][]) {
    lists[kind] = list.items.map((item): Tuple => {
      if ('confidence' in item) {
        const end = tables.numberOf(item.path, item.symbol);
        const evidence = tables.evidenceOf(item.confidence, item.provenance);
        return item.line === undefined ? [end, evidence] : [end, evidence, item.line];
      }
      const end = tables.numberOf(item.path, undefined);
      return 'commits' in item ? [end, item.score, item.commits] : [end, item.score, ...item.words];
    });
    if (list.total !== list.items.length) {
      totals ??= {};
      totals[kind] = list.total;
    }
  }
  return { neighbours: lists as StoredNeighbours, ...(totals ? { totals } : {}) };
}

/** The stored form; keys in alphabetical order, so that plain `JSON.stringify` is canonical. */
export function packSidecar(sidecar: Sidecar): StoredSidecar {
  const { community, content, errors, flows, language, lines, path, role, symbols } = sidecar;
  const tables = new Tables(path, symbols);
  note(sidecar.neighbours, tables);
  for (const symbol of symbols) note(symbol.neighbours, tables);
  const ends = tables.settle();
  const { neighbours, totals } = pack(sidecar.neighbours, tables);
  const packed = symbols.map(({ endLine, kind, line, name, signature, neighbours: own }): StoredSymbol => {
    if (!own) return { endLine, kind, line, name, signature };
    const { neighbours, totals } = pack(own, tables);
    return { endLine, kind, line, name, neighbours, signature, ...(totals ? { totals } : {}) };
  });
  return {
    ...(community ? { community } : {}),
    content,
    ends,
    ...(errors === undefined ? {} : { errors }),
    evidence: tables.evidence,
    flows,
    ...(language === undefined ? {} : { language }),
    lines,
    neighbours,
    path,
    role,
    schemaVersion: 1,
    symbols: packed,
    ...(totals ? { totals } : {}),
  };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isTuples = (value: unknown): value is unknown[][] => Array.isArray(value) && value.every(Array.isArray);

interface End {
  readonly path: unknown;
  readonly symbol?: unknown;
}

function unpackLists(
  lists: unknown,
  totals: unknown,
  endOf: (number: unknown) => End | undefined,
  evidence: readonly unknown[][],
): Neighbours | undefined {
  if (!isObject(lists)) return undefined;
  const neighbours: Record<string, unknown> = {};
  for (const [kind, tuples] of Object.entries(lists)) {
    if (!isTuples(tuples)) return undefined;
    const items = tuples.map(([end, second, third, ...rest]) => {
      const at = endOf(end);
      if (kind === 'changedTogether') return { path: at?.path, score: second, commits: third };
      if (kind === 'sharedIdentifiers') {
        return { path: at?.path, score: second, words: third === undefined ? [] : [third, ...rest] };
      }
      const [confidence, provenance] = evidence[second as number] ?? [];
      return { ...at, confidence, provenance, ...(third === undefined ? {} : { line: third }) };
    });
    const total = isObject(totals) && Object.hasOwn(totals, kind) ? totals[kind] : items.length;
    neighbours[kind] = { total, items };
  }
  return neighbours as Neighbours;
}

/**
 * The plain form of what `packSidecar` made. Of anything else the result is undefined, or has values where the
 * schema has others: whoever does not trust its source checks the result (shim/validation.ts).
 */
export function unpackSidecar(stored: unknown): Sidecar | undefined {
  if (!isObject(stored)) return undefined;
  const { ends, evidence, neighbours: lists, symbols, totals, ...rest } = stored;
  if (!isTuples(ends) || !isTuples(evidence) || !Array.isArray(symbols)) return undefined;
  const table: End[] = ends.flatMap(([path, ...names]) => [{ path }, ...names.map((symbol) => ({ path, symbol }))]);
  const endOf = (number: unknown): End | undefined =>
    typeof number === 'number' && number < 0
      ? { path: rest.path, symbol: (symbols[-1 - number] as SidecarSymbol | undefined)?.name }
      : table[number as number];
  const neighbours = unpackLists(lists, totals, endOf, evidence);
  if (!neighbours) return undefined;
  const plain = symbols.map((symbol: unknown) => {
    if (!isObject(symbol)) return undefined;
    const { neighbours: lists, totals, ...own } = symbol;
    if (lists === undefined) return own;
    return { ...own, neighbours: unpackLists(lists, totals, endOf, evidence) ?? null };
  });
  return { ...rest, neighbours, symbols: plain } as unknown as Sidecar;
}
