/**
 * What the history says about files: which change together, and how long ago each was touched.
 *
 * co(a, c): over the commits that touch both, the sum of 1/(n-1), divided by (commits that touch a) + 2.
 * n: code files of the commit, tests included. Without decay, a new commit moves only the lists of the
 * files that it touches, so an align can follow the difference of two windows.
 */
import { isCodeFile } from './code-files.js';

export interface CommitFact {
  readonly id: string;
  readonly message: string;
  /** Every path that the commit touches, read without rename detection: both sides of a rename. */
  readonly files: readonly string[];
  /** Renames of this commit where they are known: older commits' `from` then counts as `to`. */
  readonly renames?: readonly { readonly from: string; readonly to: string }[];
}

export interface HistorySettings {
  /** Commits with fewer code files relate nothing. */
  readonly minFiles: number;
  /** Commits with more code files are sweeps: renames, formatters, imports. */
  readonly maxFiles: number;
}

export const HISTORY_SETTINGS: HistorySettings = { minFiles: 2, maxFiles: 60 };

export interface ChangedTogether {
  readonly total: number;
  /** Best first, ties by path. */
  readonly items: readonly {
    readonly path: string;
    /** co(a, c), four decimals. */
    readonly score: number;
    /** Commits that touch both. */
    readonly commits: number;
  }[];
}

const LISTED = 30;
/** Least sum of 1/(n-1): one commit of more than twenty files alone is no evidence. */
const LEAST_SUM = 0.05;
/** Sums are kept in whole units, so that they do not depend on the order of commits. */
const UNIT = 1e9;
const NOTHING: ChangedTogether = { total: 0, items: [] };

interface Evidence {
  /** Distinct code files of the commit under their present names, as numbers, in the commit's order. */
  readonly files: readonly number[];
  /** Some file goes by a later name here. */
  readonly renamed: boolean;
}

export class History {
  private readonly paths: string[] = [];
  private readonly numbers = new Map<string, number>();
  /** By number: whether it is code. */
  private readonly code: boolean[] = [];
  /** By number: the commits that count as evidence, as indexes, newest first. */
  private readonly touched: number[][] = [];
  private readonly evidence: (Evidence | undefined)[] = [];
  private readonly age = new Map<string, number>();
  private readonly indexOf = new Map<string, number>();

  /**
   * @param commits newest first, without merges
   * @param exists whether a path is in the tree that the index describes
   */
  constructor(
    private readonly commits: readonly CommitFact[],
    private readonly exists: (path: string) => boolean,
    private readonly settings: HistorySettings = HISTORY_SETTINGS,
  ) {
    const laterName = new Map<string, string>();
    commits.forEach((commit, index) => {
      this.indexOf.set(commit.id, index);
      for (const { from, to } of commit.renames ?? []) {
        const present = laterName.get(to) ?? to;
        if (present !== from) laterName.set(from, present);
      }
      this.add(commit, index, laterName);
    });
  }

  private add(commit: CommitFact, index: number, laterName: ReadonlyMap<string, string>): void {
    const files: number[] = [];
    let renamed = false;
    for (const path of commit.files) {
      const present = laterName.size === 0 ? path : (laterName.get(path) ?? path);
      if (!this.age.has(present)) this.age.set(present, index);
      if (present !== path) renamed = true;
      const number = this.number(present);
      if (this.code[number] && !(renamed && files.includes(number))) files.push(number);
    }
    const counts = files.length >= this.settings.minFiles && files.length <= this.settings.maxFiles;
    this.evidence.push(counts ? { files, renamed } : undefined);
    if (counts) for (const number of files) this.touched[number]?.push(index);
  }

  private number(path: string): number {
    let number = this.numbers.get(path);
    if (number === undefined) {
      number = this.paths.length;
      this.numbers.set(path, number);
      this.paths.push(path);
      this.code.push(isCodeFile(path));
      this.touched.push([]);
    }
    return number;
  }

  private name(number: number): string {
    return this.paths[number] ?? '';
  }

  /** The files that change together with `path`, at most thirty; only such as exist. */
  changedTogether(path: string): ChangedTogether {
    const own = this.numbers.get(path);
    const touched = own === undefined ? undefined : this.touched[own];
    if (!touched || touched.length === 0) return NOTHING;
    const sums = new Map<number, { sum: number; commits: number }>();
    for (const index of touched) {
      const files = this.evidence[index]?.files ?? [];
      const share = Math.round(UNIT / (files.length - 1));
      for (const other of files) {
        if (other === own) continue;
        const pair = sums.get(other);
        if (pair) {
          pair.sum += share;
          pair.commits += 1;
        } else {
          sums.set(other, { sum: share, commits: 1 });
        }
      }
    }
    const items = [...sums]
      .filter(([other, { sum }]) => sum >= LEAST_SUM * UNIT && this.exists(this.name(other)))
      .map(([other, { sum, commits }]) => ({
        path: this.name(other),
        score: Math.round((sum / UNIT / (touched.length + 2)) * 10_000) / 10_000,
        commits,
      }))
      .sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1));
    return { total: items.length, items: items.slice(0, LISTED) };
  }

  /** How many commits ago each path was last touched (0: by the newest), code or not, by its present name. */
  ages(): ReadonlyMap<string, number> {
    return this.age;
  }

  /**
   * The files whose `changedTogether` may differ between this window and `other` (same settings), where
   * `changed` are the paths that exist in only one of the two trees. Never too few.
   */
  affectedBy(other: History, changed: Iterable<string>): Set<string> {
    const affected = new Set<string>();
    this.addDifferences(other, affected);
    other.addDifferences(this, affected);
    for (const path of changed) {
      affected.add(path);
      this.addPartners(path, affected);
      other.addPartners(path, affected);
    }
    return affected;
  }

  /** Files of this window's commits that `other` lacks or reads under other names. */
  private addDifferences(other: History, affected: Set<string>): void {
    this.commits.forEach(({ id }, index) => {
      const mine = this.evidence[index];
      const otherIndex = other.indexOf.get(id);
      const theirs = otherIndex === undefined ? undefined : other.evidence[otherIndex];
      const same =
        otherIndex !== undefined &&
        (!(mine?.renamed || theirs?.renamed) || this.named(mine).join('\0') === other.named(theirs).join('\0'));
      if (!same) for (const path of this.named(mine)) affected.add(path);
    });
  }

  private named(evidence: Evidence | undefined): string[] {
    return (evidence?.files ?? []).map((number) => this.name(number));
  }

  private addPartners(path: string, affected: Set<string>): void {
    const number = this.numbers.get(path);
    if (number === undefined) return;
    for (const index of this.touched[number] ?? []) {
      for (const partner of this.evidence[index]?.files ?? []) affected.add(this.name(partner));
    }
  }
}
