/**
 * What the text of a candidate shares with a task: comments, messages and documentation strings, which the map's index does
 * not hold. An error message that the task quotes is often the shortest way to the line that raises it.
 */
import { wordsOfIdentifier } from '../map/words.js';

export interface Wording {
  /** Words of the task with what one of them is worth. */
  readonly worth: ReadonlyMap<string, number>;
  readonly title: ReadonlySet<string>;
  /** Runs of three words as written. */
  readonly phrases: ReadonlySet<string>;
}

const TOKEN = /[A-Za-z_][A-Za-z0-9_]*/g;
const WRITTEN = /[a-z_][a-z0-9_]*|\d+/g;
const PHRASE_WORDS = 3;
/** As in `bm25`. */
const K1 = 1.2;
const B = 0.75;

export function wordsIn(text: string): string[] {
  return (text.match(TOKEN) ?? []).flatMap(wordsOfIdentifier);
}

function phrasesIn(text: string): Set<string> {
  const words = text.toLowerCase().match(WRITTEN) ?? [];
  const phrases = new Set<string>();
  for (let i = 0; i + PHRASE_WORDS <= words.length; i += 1) phrases.add(words.slice(i, i + PHRASE_WORDS).join(' '));
  return phrases;
}

/** @param worth of the task's words: how often the task says them times how rare they are */
export function wordingOf(task: string, worth: ReadonlyMap<string, number>): Wording {
  const end = task.indexOf('\n');
  const title = new Set(wordsIn(end < 0 ? task : task.slice(0, end)));
  return { worth, title, phrases: phrasesIn(task) };
}

/** The worth of the task's words that the text has, each counted once. */
export function worthOf(wording: Wording, text: string): number {
  let total = 0;
  for (const word of new Set(wordsIn(text))) total += wording.worth.get(word) ?? 0;
  return total;
}

export interface Shared {
  /** BM25 over the candidates' texts, by the best. */
  readonly words: number;
  /** Phrases of the task, the rarer among the candidates the more; by the best. */
  readonly phrases: number;
}

/** For each text how much of the task it shares; each measure is 1 at its best candidate, 0 where nothing is shared. */
export function sharedWith(wording: Wording, texts: readonly string[]): Shared[] {
  const words = texts.map(wordsIn);
  const average = words.reduce((sum, list) => sum + list.length, 0) / Math.max(1, texts.length);
  const phrases = texts.map((text) => [...phrasesIn(text)].filter((phrase) => wording.phrases.has(phrase)));
  const having = new Map<string, number>();
  for (const phrase of phrases.flat()) having.set(phrase, (having.get(phrase) ?? 0) + 1);
  const raw = texts.map((_, i) => {
    const own = words[i] ?? [];
    const counts = new Map<string, number>();
    for (const word of own) if (wording.worth.has(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
    const norm = K1 * (1 - B + (B * own.length) / Math.max(1, average));
    let score = 0;
    for (const [word, count] of counts) score += ((wording.worth.get(word) ?? 0) * count * (K1 + 1)) / (count + norm);
    const quoted = (phrases[i] ?? []).reduce((sum, phrase) => sum + 1 / (having.get(phrase) ?? 1), 0);
    return { words: score, phrases: Math.log1p(quoted) };
  });
  const most = (of: (shared: Shared) => number): number => raw.reduce((best, shared) => Math.max(best, of(shared)), 0);
  const mostWords = most((shared) => shared.words) || 1;
  const mostPhrases = most((shared) => shared.phrases) || 1;
  return raw.map((shared) => ({ words: shared.words / mostWords, phrases: shared.phrases / mostPhrases }));
}
