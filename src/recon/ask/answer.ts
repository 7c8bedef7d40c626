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
  /** Parts of the question that could not be looked at, and why. */
  readonly notKnown?: readonly string[];
}

/** Surest kinds of effect first; other groups follow by name. */
const GROUPS: readonly string[] = ['direct', 'indirect', 'transitive', 'tests', 'documents', 'changed together'];

function groupRank(group: string): number {
  const rank = GROUPS.indexOf(group);
  return rank < 0 ? GROUPS.length : rank;
}

/** The first `most` items, but some of every group: a long one must not hide the others. */
export function cutFairly(sorted: readonly AnswerItem[], most: number): AnswerItem[] {
  if (sorted.length <= most) return [...sorted];
  const sizes = new Map<string, number>();
  for (const { group = '' } of sorted) sizes.set(group, (sizes.get(group) ?? 0) + 1);
  const shares = new Map<string, number>();
  let left = most;
  const bySize = [...sizes].sort((a, b) => a[1] - b[1]);
  bySize.forEach(([group, size], i) => {
    const share = Math.min(size, Math.floor(left / (bySize.length - i)));
    shares.set(group, share);
    left -= share;
  });
  return sorted.filter(({ group = '' }) => {
    const share = shares.get(group) ?? 0;
    shares.set(group, share - 1);
    return share > 0;
  });
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
      groupRank(a.group ?? '') - groupRank(b.group ?? '') ||
      text(a.group ?? '', b.group ?? '') ||
      b.confidence - a.confidence ||
      text(a.path, b.path) ||
      a.line - b.line ||
      text(a.what, b.what),
  );
}
