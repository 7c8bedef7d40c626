/**
 * Sidecars as the index keeps them: every path, symbol and kind of evidence once, named by number. The plain form
 * repeats the same few far ends for each symbol of a file, and was twice as large as the source that it describes.
 */
import type { Neighbours, Sidecar, SidecarSymbol } from './sidecar.generated.js';
import type { More, StoredNeighbours, StoredSidecar, StoredSymbol } from './stored-sidecar.generated.js';

type Tuple = (number | string)[];
type Lists = Record<string, Tuple[]>;

class Tables {
  private readonly files = new Map<
    string,
    { readonly listed: [string, ...string[]]; readonly numbers: Map<string, number> }
  >();
  private readonly evidenceNumbers = new Map<string, number>();
  readonly evidence: [number, string][] = [];

  /** Notes an end: numbers are known only when all are. */
  note(path: string, symbol: string | undefined): void {
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
    return this.files.get(path)?.numbers.get(symbol ?? '') ?? 0;
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
): { readonly neighbours: StoredNeighbours; readonly more?: More } {
  const lists: Lists = {};
  let more: More | undefined;
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
      more ??= {};
      more[kind] = list.total;
    }
  }
  return { neighbours: lists as StoredNeighbours, ...(more ? { more } : {}) };
}

/** The stored form; keys in alphabetical order, so that plain `JSON.stringify` is canonical. */
export function packSidecar(sidecar: Sidecar): StoredSidecar {
  const { community, content, errors, flows, language, lines, path, role, symbols } = sidecar;
  const tables = new Tables();
  note(sidecar.neighbours, tables);
  for (const symbol of symbols) note(symbol.neighbours, tables);
  const ends = tables.settle();
  const { neighbours, more } = pack(sidecar.neighbours, tables);
  const packed = symbols.map(({ endLine, kind, line, name, signature, neighbours: own }): StoredSymbol => {
    if (!own) return { endLine, kind, line, name, signature };
    const { neighbours, more } = pack(own, tables);
    return { endLine, kind, line, ...(more ? { more } : {}), name, neighbours, signature };
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
    ...(more ? { more } : {}),
    neighbours,
    path,
    role,
    schemaVersion: 1,
    symbols: packed,
  };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isTuples = (value: unknown): value is unknown[][] => Array.isArray(value) && value.every(Array.isArray);

/** What the numbers in a stored sidecar stand for. */
export interface Numbered {
  readonly ends: Ends;
  readonly evidence: readonly unknown[][];
}

/**
 * The far ends by number. A large file has thousands and a search asks for a few of them, so none is made before it
 * is asked for.
 */
export class Ends {
  /** The number of each file; its symbols have the ones that follow. */
  private readonly starts: Int32Array;
  private readonly count: number;

  constructor(private readonly files: readonly (readonly unknown[])[]) {
    this.starts = new Int32Array(files.length);
    let next = 0;
    for (let i = 0; i < files.length; i += 1) {
      this.starts[i] = next;
      next += files[i]?.length ?? 0;
    }
    this.count = next;
  }

  at(number: unknown): { readonly path: unknown; readonly symbol?: unknown } | undefined {
    if (!Number.isInteger(number) || (number as number) < 0 || (number as number) >= this.count) return undefined;
    let low = 0;
    let high = this.files.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.starts[middle] ?? 0) <= (number as number)) low = middle;
      else high = middle - 1;
    }
    const file = this.files[low];
    const within = (number as number) - (this.starts[low] ?? 0);
    return within === 0 ? { path: file?.[0] } : { path: file?.[0], symbol: file?.[within] };
  }
}

function unpackLists(lists: unknown, more: unknown, { ends, evidence }: Numbered): Neighbours | undefined {
  if (!isObject(lists)) return undefined;
  const neighbours: Record<string, unknown> = {};
  for (const [kind, tuples] of Object.entries(lists)) {
    if (!isTuples(tuples)) return undefined;
    const items = tuples.map(([end, second, third, ...rest]) => {
      const at = ends.at(end);
      if (kind === 'changedTogether') return { commits: third, path: at?.path, score: second };
      if (kind === 'sharedIdentifiers') {
        return { path: at?.path, score: second, words: third === undefined ? [] : [third, ...rest] };
      }
      const [confidence, provenance] = evidence[second as number] ?? [];
      return { confidence, ...(third === undefined ? {} : { line: third }), ...at, provenance };
    });
    const total = isObject(more) && Object.hasOwn(more, kind) ? more[kind] : items.length;
    neighbours[kind] = { items, total };
  }
  return neighbours as Neighbours;
}

/**
 * The plain form of the head of a stored sidecar (all but its symbols) with what its symbols' numbers stand for.
 *
 * Of anything but what `packSidecar` made, the results of this and `unpackSymbols` are undefined, or have values
 * where the schema has others: whoever does not trust the source checks them (shim/validation.ts).
 */
export function unpackHead(
  stored: unknown,
): { readonly head: Omit<Sidecar, 'symbols'>; readonly numbered: Numbered } | undefined {
  if (!isObject(stored)) return undefined;
  const { ends: files, evidence, neighbours: lists, more, symbols: _, ...rest } = stored;
  if (!isTuples(files) || !isTuples(evidence)) return undefined;
  const ends = new Ends(files);
  const neighbours = unpackLists(lists, more, { ends, evidence });
  if (!neighbours) return undefined;
  return { head: { ...rest, neighbours } as unknown as Omit<Sidecar, 'symbols'>, numbered: { ends, evidence } };
}

/** The plain form of a stored sidecar's symbols; undefined where they are no list. */
export function unpackSymbols(symbols: unknown, numbered: Numbered): SidecarSymbol[] | undefined {
  if (!Array.isArray(symbols)) return undefined;
  return symbols.map((symbol: unknown) => {
    if (!isObject(symbol)) return undefined;
    const { more, neighbours: lists, ...own } = symbol;
    return lists === undefined ? own : { ...own, neighbours: unpackLists(lists, more, numbered) ?? null };
  }) as unknown as SidecarSymbol[];
}

/** The plain form of the sidecar in the text of its file; undefined where that is damaged. */
export function parseSidecar(text: string): Sidecar | undefined {
  try {
    return unpackSidecar(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** The plain form of a whole stored sidecar. */
export function unpackSidecar(stored: unknown): Sidecar | undefined {
  const unpacked = unpackHead(stored);
  const symbols = unpacked && unpackSymbols((stored as { symbols?: unknown }).symbols, unpacked.numbered);
  return unpacked && symbols && { ...unpacked.head, symbols };
}
