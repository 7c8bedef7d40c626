/** Shared rare identifiers from the store, with the words of changed files laid over it. */
import {
  RARE,
  roundedFileCount,
  roundedWordCount,
  type SharedIdentifiers,
  type SharedWord,
  sharedIdentifiers,
} from '../graph/shared-identifiers.js';
import type { IndexStore } from '../io/index-store.js';
import { hashKey } from './buckets.js';

const split = (words: string): string[] => (words === '' ? [] : words.split(' '));

export interface WordChange {
  readonly path: string;
  /** Space separated, as stored; '' where there were none. */
  readonly before: string;
  readonly after: string;
}

export class WordIndex {
  /** Word -> files that have it now, undefined where they are too many: files that share one word share others. */
  private readonly having = new Map<string, readonly string[] | undefined>();
  /** Word -> changed files that have it now. */
  private readonly now = new Map<string, string[]>();
  private readonly sizes = new Map<string, number>();
  private readonly changed: ReadonlyMap<string, WordChange>;

  constructor(
    private readonly store: IndexStore,
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

  /** Unchanged and changed files that had the word before the changes; undefined where it is far from rare. */
  private before(word: string): string[] | undefined {
    const { high, low } = hashKey(word);
    // Of more files than this so many are unchanged that the word is not rare after the changes either.
    const numbers = this.store.fewUnder('words', high, low, RARE.most + this.changed.size);
    return numbers?.flatMap((number) => this.store.path(number) ?? []);
  }

  private after(word: string): readonly string[] | undefined {
    if (!this.having.has(word)) this.having.set(word, this.haveAfter(word));
    return this.having.get(word);
  }

  private haveAfter(word: string): readonly string[] | undefined {
    const before = this.before(word);
    if (!before) return undefined;
    const files = [...before.filter((path) => !this.changed.has(path)), ...(this.now.get(word) ?? [])];
    return files.length > RARE.most ? undefined : files.sort();
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
      if (files && files.length >= RARE.fewest) shared.push({ word, files });
    }
    return sharedIdentifiers(path, shared, (other) => this.size(other), this.worded);
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
        // A word that is rare no more is missing from the lists of those that have it, as one that became rare is new.
        const before = this.before(word);
        if (!before) continue;
        const rare = this.after(word);
        if (!rare && before.length > RARE.most) continue;
        // Those that had it and no longer do are changed files, which are in already.
        for (const file of rare ?? before) affected.add(file);
      }
    }
    return affected;
  }
}

/** Whether the weights of all words differ between two numbers of files. */
export const movesAllWeights = (before: number, after: number): boolean =>
  roundedFileCount(before) !== roundedFileCount(after);
