/**
 * An indexed corpus as bytes, so that a map of a repository that did not change reads no facts. What the ranking
 * does not look at again (the names that bodies use) is left out.
 */
import { Packr } from 'msgpackr';
import type { SymbolKind } from '../../facts/model.js';
import type { Corpus, CorpusSymbol } from './corpus.js';
import type { Documents, IndexedCorpus } from './documents.js';

/** Raise when the form or the content changes: documents, kinds of symbols listed, words. */
const SNAPSHOT_VERSION = 1;

const packr = new Packr({ useRecords: false });

type Packed = readonly [
  version: number,
  /** What the snapshot is of, as the caller names it. */
  state: string,
  paths: readonly string[],
  kinds: readonly SymbolKind[],
  names: string,
  signatures: string,
  /** File, kind, line and last line of each symbol. */
  symbols: Uint8Array,
  edges: Uint8Array,
  imports: Uint8Array,
  words: string,
  symbolDocuments: readonly Uint8Array[],
  fileDocuments: readonly Uint8Array[],
];

/** Names and signatures are of one line each, but a repository can hold anything. */
const SEPARATOR = '\x1e';
const joined = (texts: readonly string[]): string =>
  texts.map((text) => text.replaceAll(SEPARATOR, ' ')).join(SEPARATOR);
const parted = (text: string): string[] => (text === '' ? [] : text.split(SEPARATOR));

const bytesOf = (array: Uint32Array | Float32Array): Uint8Array =>
  new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
/** Copies: the bytes need not lie on a boundary of four. */
const buffer = (bytes: Uint8Array): ArrayBuffer => Uint8Array.from(bytes).buffer;
const numbers = (bytes: Uint8Array): Uint32Array => new Uint32Array(buffer(bytes));

const packPairs = (pairs: readonly (readonly [number, number])[]): Uint8Array =>
  bytesOf(Uint32Array.from(pairs.flat()));

function unpackPairs(bytes: Uint8Array): (readonly [number, number])[] {
  const flat = numbers(bytes);
  const pairs: (readonly [number, number])[] = [];
  for (let i = 0; i < flat.length; i += 2) pairs.push([flat[i] as number, flat[i + 1] as number]);
  return pairs;
}

const packDocuments = ({ postings, starts, frequency, lengths }: Documents): readonly Uint8Array[] => [
  postings,
  bytesOf(starts),
  bytesOf(frequency),
  bytesOf(lengths),
];

const NO_BYTES = new Uint8Array();

const unpackDocuments = ([
  postings = NO_BYTES,
  starts = NO_BYTES,
  frequency = NO_BYTES,
  lengths = NO_BYTES,
]: readonly Uint8Array[]): Documents => ({
  postings,
  starts: numbers(starts),
  frequency: numbers(frequency),
  lengths: new Float32Array(buffer(lengths)),
});

/** @param state names what the corpus was made from */
export function encodeSnapshot({ corpus, words, symbols, files }: IndexedCorpus, state: string): Uint8Array {
  const kinds = [...new Set(corpus.symbols.map(({ kind }) => kind))];
  const kindNumbers = new Map(kinds.map((kind, i) => [kind, i]));
  const columns = Uint32Array.from(
    corpus.symbols.flatMap(({ file, kind, line, endLine }) => [file, kindNumbers.get(kind) ?? 0, line, endLine]),
  );
  return packr.pack([
    SNAPSHOT_VERSION,
    state,
    corpus.paths,
    kinds,
    joined(corpus.symbols.map(({ name }) => name)),
    joined(corpus.symbols.map(({ signature }) => signature)),
    bytesOf(columns),
    packPairs(corpus.edges),
    packPairs(corpus.imports),
    joined([...words.keys()]),
    packDocuments(symbols),
    packDocuments(files),
  ] satisfies Packed);
}

/** The corpus of exactly this state; undefined where the bytes are of another one, of another version or damaged. */
export function decodeSnapshot(bytes: Uint8Array, state: string): IndexedCorpus | undefined {
  try {
    const packed = packr.unpack(bytes) as Packed;
    return packed[0] === SNAPSHOT_VERSION && packed[1] === state ? corpusIn(packed) : undefined;
  } catch {
    return undefined;
  }
}

function corpusIn(packed: Packed): IndexedCorpus {
  const [, , paths, kinds, packedNames, packedSignatures, packedSymbols, edges, imports, words, ...documents] = packed;
  const names = parted(packedNames);
  const signatures = parted(packedSignatures);
  const columns = numbers(packedSymbols);
  const symbols = names.map(
    (name, i): CorpusSymbol => ({
      file: columns[i * 4] ?? 0,
      name,
      kind: kinds[columns[i * 4 + 1] ?? 0] ?? 'function',
      line: columns[i * 4 + 2] ?? 1,
      endLine: columns[i * 4 + 3] ?? 1,
      signature: signatures[i] ?? '',
      uses: [],
    }),
  );
  const corpus: Corpus = { paths, symbols, edges: unpackPairs(edges), imports: unpackPairs(imports) };
  return {
    corpus,
    words: new Map(parted(words).map((word, number) => [word, number])),
    symbols: unpackDocuments(documents[0]),
    files: unpackDocuments(documents[1]),
  };
}
