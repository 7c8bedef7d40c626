/** Symbols and files as documents of weighted words, ready for BM25. Made once per corpus. */
import type { Corpus } from './corpus.js';
import { wordsOfIdentifier } from './words.js';

/** How much a word counts by the place where it stands. Chosen on development data (docs/recon.md). */
const WEIGHT = { name: 4, holder: 1.5, path: 1, signature: 1, use: 1 } as const;

/** All weights are whole in this unit. */
const WEIGHT_UNIT = 0.5;

/** By word, since a query asks for a few of many words: the others are never looked at. */
export interface Documents {
  /**
   * The postings of all words, one after the other: pairs of (distance from the document before, weighted frequency
   * in halves), seven bits a byte, lowest first, the highest bit set where more follows.
   */
  readonly postings: Uint8Array;
  /** Where each word's postings begin; one longer than there are words. */
  readonly starts: Uint32Array;
  /** In how many documents each word occurs. */
  readonly frequency: Uint32Array;
  /** Weighted length of each document. */
  readonly lengths: Float32Array;
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

class Bytes {
  private bytes = new Uint8Array(1 << 16);
  length = 0;

  put(value: number): void {
    if (this.length + 5 > this.bytes.length) {
      const longer = new Uint8Array(this.bytes.length * 2);
      longer.set(this.bytes);
      this.bytes = longer;
    }
    let rest = value;
    for (; rest > 0x7f; rest >>>= 7) {
      this.bytes[this.length] = (rest & 0x7f) | 0x80;
      this.length += 1;
    }
    this.bytes[this.length] = rest;
    this.length += 1;
  }

  whole(): Uint8Array {
    return this.bytes.slice(0, this.length);
  }
}

function documents(bags: readonly Bag[], words: number): Documents {
  const byWord: number[][] = Array.from({ length: words }, () => []);
  const lengths = new Float32Array(bags.length);
  bags.forEach((bag, document) => {
    let length = 0;
    for (const [number, weight] of bag) {
      byWord[number]?.push(document, weight / WEIGHT_UNIT);
      length += weight;
    }
    lengths[document] = length;
  });
  const starts = new Uint32Array(words + 1);
  const bytes = new Bytes();
  byWord.forEach((pairs, number) => {
    let last = 0;
    for (let i = 0; i < pairs.length; i += 2) {
      const document = pairs[i] ?? 0;
      bytes.put(document - last);
      bytes.put(pairs[i + 1] ?? 0);
      last = document;
    }
    starts[number + 1] = bytes.length;
  });
  const frequency = Uint32Array.from(byWord, (pairs) => pairs.length / 2);
  return { postings: bytes.whole(), starts, frequency, lengths };
}

/** Calls back for each document with the word, in order. */
export function eachPosting(
  { postings, starts }: Documents,
  word: number,
  visit: (document: number, weight: number) => void,
): void {
  let at = starts[word] ?? 0;
  const end = starts[word + 1] ?? 0;
  const next = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = postings[at] as number;
      at += 1;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  let document = 0;
  while (at < end) {
    document += next();
    visit(document, next() * WEIGHT_UNIT);
  }
}

export interface IndexedCorpus {
  readonly corpus: Corpus;
  /** Word to its number, the same in both. */
  readonly words: ReadonlyMap<string, number>;
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
    words: numbering.numbers,
    symbols: documents(symbolBags, numbering.numbers.size),
    files: documents(fileBags, numbering.numbers.size),
  };
}
