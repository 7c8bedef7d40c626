/** Shared rare identifiers from the store, with the words of changed files laid over it. */
import {
  RARE,
  roundedFileCount,
  roundedWordCount,
  type SharedIdentifiers,
  type SharedWord,
  sharedIdentifiers,
} from '../graph/shared-identifiers.js';
import type { FactsStore } from '../io/facts-store.js';
import type { FileRecord, IndexStore } from '../io/index-store.js';
import { type Bucket, hashKey } from './buckets.js';
import { StoreIncomplete } from './store-source.js';

const split = (words: string): string[] => (words === '' ? [] : words.split(' '));

export interface WordChange {
  readonly path: string;
  /** Space separated, as stored; '' where there were none. */
  readonly before: string;
  readonly after: string;
}

export class WordIndex {
  private readonly buckets = new Map<number, Bucket | undefined>();
  /** Word -> changed files that have it now. */
  private readonly now = new Map<string, string[]>();
  private readonly sizes = new Map<string, number>();
  private readonly changed: ReadonlyMap<string, WordChange>;

  constructor(
    private readonly store: IndexStore,
    private readonly facts: FactsStore,
    changes: readonly WordChange[],
    /** Number of files with words, after the changes. */
    private readonly worded: number,
  ) {
    this.changed = new Map(changes.map((change) => [change.path, change]));
    for (const { path, after } of changes) {
      for (const word of split(after)) {
        const files = this.now.get(word);
        if (files) files.push(path);
        else this.now.set(word, [path]);
      }
    }
  }

  /** Files that had the word before the changes. */
  private before(word: string): string[] {
    const { high, low } = hashKey(word);
    const number = this.store.bucketNumber('words', high);
    if (!this.buckets.has(number)) this.buckets.set(number, this.store.bucket('words', number));
    const bucket = this.buckets.get(number);
    const files: string[] = [];
    for (let i = 0; bucket && i < bucket.length; i += 2) {
      if (bucket[i] !== low) continue;
      // A word of many files is of no interest, and neither are its files.
      if (files.length > RARE.most + this.changed.size) break;
      const path = this.store.path(bucket[i + 1] ?? 0);
      if (path !== undefined) files.push(path);
    }
    return files;
  }

  private after(word: string): string[] {
    return [...this.before(word).filter((path) => !this.changed.has(path)), ...(this.now.get(word) ?? [])];
  }

  private size(path: string): number {
    let size = this.sizes.get(path);
    if (size === undefined) {
      const change = this.changed.get(path);
      size = change ? split(change.after).length : (this.store.file(path)?.words ?? 0);
      this.sizes.set(path, size);
    }
    return size;
  }

  /** The list of a file as it is after the changes. */
  sharedBy(path: string, words: string): SharedIdentifiers {
    const shared: SharedWord[] = [];
    for (const word of split(words)) {
      const files = this.after(word);
      if (files.length >= RARE.fewest && files.length <= RARE.most) shared.push({ word, files: files.sort() });
    }
    return sharedIdentifiers(path, shared, (other) => this.size(other), this.worded);
  }

  /** The words of an unchanged file. */
  wordsOf(path: string, record: FileRecord): string {
    if (record.words === 0) return '';
    const words = this.facts.words(record.id);
    if (words === undefined) throw new StoreIncomplete(`words of ${path} are gone`);
    return words;
  }

  /**
   * Files whose lists may differ after the changes: those that share a word that a changed file gained or lost,
   * and, where a changed file's size crossed a step, all that share a rare word with it.
   */
  affected(): Set<string> {
    const affected = new Set<string>();
    for (const { path, before, after } of this.changed.values()) {
      affected.add(path);
      const old = new Set(split(before));
      const now = new Set(split(after));
      const resized = roundedWordCount(old.size) !== roundedWordCount(now.size);
      for (const word of new Set([...old, ...now])) {
        if (!resized && old.has(word) && now.has(word)) continue;
        const has = this.after(word);
        if (Math.min(this.before(word).length, has.length) > RARE.most) continue;
        // Those that had it and no longer do are changed files, which are in already.
        for (const file of has) affected.add(file);
      }
    }
    return affected;
  }
}

/** Whether the weights of all words differ between two numbers of files. */
export const movesAllWeights = (before: number, after: number): boolean =>
  roundedFileCount(before) !== roundedFileCount(after);
