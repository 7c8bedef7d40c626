/** Symbols and files as documents of weighted words, ready for BM25. Made once per corpus. */
import type { Corpus } from './corpus.js';
import { wordsOfIdentifier } from './words.js';

/** How much a word counts by the place where it stands. Chosen on development data (docs/recon.md). */
const WEIGHT = { name: 4, holder: 1.5, path: 1, signature: 1, use: 1 } as const;

export interface Documents {
  /** Word to its number. */
  readonly numbers: ReadonlyMap<string, number>;
  /** Per document the words and, at the same index, their weighted frequency. */
  readonly words: readonly Uint32Array[];
  readonly weights: readonly Float32Array[];
  /** Weighted length. */
  readonly lengths: Float32Array;
  readonly averageLength: number;
  /** In how many documents each word occurs. */
  readonly frequency: Uint32Array;
}

type Bag = Map<number, number>;

class Numbering {
  readonly numbers = new Map<string, number>();
  private readonly cache = new Map<string, readonly number[]>();

  /** The numbers of an identifier's words. */
  of(identifier: string): readonly number[] {
    let known = this.cache.get(identifier);
    if (!known) {
      known = wordsOfIdentifier(identifier).map((word) => {
        const number = this.numbers.get(word) ?? this.numbers.size;
        this.numbers.set(word, number);
        return number;
      });
      this.cache.set(identifier, known);
    }
    return known;
  }
}

const IDENTIFIER = /[A-Za-z_][A-Za-z0-9_]*/g;

function add(bag: Bag, numbers: readonly number[], weight: number): void {
  for (const number of numbers) bag.set(number, (bag.get(number) ?? 0) + weight);
}

function documents(bags: readonly Bag[], numbers: ReadonlyMap<string, number>): Documents {
  const frequency = new Uint32Array(numbers.size);
  const lengths = new Float32Array(bags.length);
  const words: Uint32Array[] = [];
  const weights: Float32Array[] = [];
  let total = 0;
  bags.forEach((bag, i) => {
    words.push(Uint32Array.from(bag.keys()));
    weights.push(Float32Array.from(bag.values()));
    let length = 0;
    for (const [number, weight] of bag) {
      frequency[number] = (frequency[number] ?? 0) + 1;
      length += weight;
    }
    lengths[i] = length;
    total += length;
  });
  return { numbers, words, weights, lengths, averageLength: total / Math.max(1, bags.length), frequency };
}

export interface IndexedCorpus {
  readonly corpus: Corpus;
  readonly symbols: Documents;
  readonly files: Documents;
}

/** Indexes the corpus: one document a symbol, one a file. */
export function indexCorpus(corpus: Corpus): IndexedCorpus {
  const numbering = new Numbering();
  const fileBags: Bag[] = corpus.paths.map(() => new Map());
  const pathWords = corpus.paths.map((path) =>
    (path.replace(/\.[^./]+$/, '').match(IDENTIFIER) ?? []).flatMap((part) => [...numbering.of(part)]),
  );
  corpus.paths.forEach((_, file) => {
    add(fileBags[file] as Bag, pathWords[file] ?? [], WEIGHT.name);
  });
  const symbolBags = corpus.symbols.map(({ file, name, signature, uses }) => {
    const bag: Bag = new Map();
    const fileBag = fileBags[file] as Bag;
    const segments = name.split('.');
    const own = numbering.of(segments.pop() ?? '');
    add(bag, own, WEIGHT.name);
    add(fileBag, own, WEIGHT.holder);
    for (const segment of segments) add(bag, numbering.of(segment), WEIGHT.holder);
    add(bag, pathWords[file] ?? [], WEIGHT.path);
    for (const word of new Set(signature.match(IDENTIFIER) ?? [])) {
      add(bag, numbering.of(word), WEIGHT.signature);
      add(fileBag, numbering.of(word), WEIGHT.signature * 0.5);
    }
    for (const use of uses) {
      for (const word of use.match(IDENTIFIER) ?? []) {
        add(bag, numbering.of(word), WEIGHT.use);
        add(fileBag, numbering.of(word), WEIGHT.use * 0.5);
      }
    }
    return bag;
  });
  return {
    corpus,
    symbols: documents(symbolBags, numbering.numbers),
    files: documents(fileBags, numbering.numbers),
  };
}
