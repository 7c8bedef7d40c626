/** Answers to questions: lists with evidence, never prose. */

/**
 * `complete`: nothing can be missing by the way it was looked up. `at least`: what static evidence shows, there
 * may be more. `unknown`: nothing is known, which does not mean that there is nothing.
 */
export type Completeness = 'complete' | 'at least' | 'unknown';

export interface AnswerItem {
  readonly path: string;
  /** Counted from 1. */
  readonly line: number;
  /** What stands there: a qualified name, a command, a line of configuration. */
  readonly what: string;
  /** Which part of the answer it belongs to, where an answer has several. */
  readonly group?: string;
  readonly why: string;
  readonly confidence: number;
}

export interface Answer {
  readonly question: string;
  /** What the question was about, as resolved: `src/a.py:12 Foo.bar`. */
  readonly about: readonly string[];
  readonly completeness: Completeness;
  readonly items: readonly AnswerItem[];
  /** Items in all, where `items` was cut short. */
  readonly total: number;
}

/** Best evidence first, then by place; the same place and thing once. */
export function sortedItems(items: readonly AnswerItem[]): AnswerItem[] {
  const best = new Map<string, AnswerItem>();
  for (const item of items) {
    const key = `${item.group ?? ''}\0${item.path}\0${item.line}\0${item.what}`;
    const known = best.get(key);
    if (!known || known.confidence < item.confidence) best.set(key, item);
  }
  const text = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
  return [...best.values()].sort(
    (a, b) =>
      text(a.group ?? '', b.group ?? '') ||
      b.confidence - a.confidence ||
      text(a.path, b.path) ||
      a.line - b.line ||
      text(a.what, b.what),
  );
}
