/**
 * Which files share rare identifiers with a file.
 *
 * A word that two to ten files have in common ties them: weight ln(1 + N/df)^2. The cosine's true norm
 * would depend on the df of every word of both files, so that one edit moved every pair of its whole
 * neighbourhood. Here the norm comes from the number of distinct words alone, in coarse steps: an edit
 * moves only the pairs that share a word which it adds or removes (and those of the edited file where its
 * size crosses a step). Measured in docs/signals.md.
 */

/** A word of the file and all files that have it, sorted, the file itself included. Two to ten files. */
export interface SharedWord {
  readonly word: string;
  readonly files: readonly string[];
}

export interface SharedIdentifiers {
  /** How many files share enough; `items` may be fewer. */
  readonly total: number;
  /** Best first, ties by path. */
  readonly items: readonly {
    readonly path: string;
    /** About 0 to 1, three decimals. */
    readonly score: number;
    /** The rarest shared words, at most three. */
    readonly words: readonly string[];
  }[];
}

/** In how many files a word may occur to count as rare. */
export const RARE = { fewest: 2, most: 10 } as const;
const LISTED = 30;
const WORDS_SHOWN = 3;
/** A pair below this shares next to nothing for its size. */
const LEAST_SCORE = 0.01;
/** Brings the score to the scale of the true cosine (geometric mean over five repositories). */
const SCALE = 5;

/** The number of files that weights are computed with: rounded to a power of two, so that one more file moves nothing. */
export function roundedFileCount(files: number): number {
  return 2 ** Math.round(Math.log2(Math.max(files, 1)));
}

/** The size of a file that norms are computed with: its number of distinct words in steps of the square root of two. */
export function roundedWordCount(words: number): number {
  return 2 ** (Math.round(2 * Math.log2(Math.max(words, 1))) / 2);
}

/** Sums are kept in whole units, so that they do not depend on the order of words. */
const UNIT = 1e6;

/** Weight of a word in `df` of `files` files, in units. */
function weight(df: number, files: number): number {
  return Math.round(Math.log(1 + files / df) ** 2 * UNIT);
}

function rarestFirst(a: SharedWord, b: SharedWord): number {
  return a.files.length - b.files.length || b.word.length - a.word.length || (a.word < b.word ? -1 : 1);
}

/**
 * The files that share rare identifiers with `file`.
 *
 * @param words the words of `file` that `RARE.fewest` to `RARE.most` files have, others are ignored
 * @param size number of distinct words of a file
 * @param files number of files whose words are known
 */
export function sharedIdentifiers(
  file: string,
  words: readonly SharedWord[],
  size: (path: string) => number,
  files: number,
): SharedIdentifiers {
  const rounded = roundedFileCount(files);
  const weights = Array.from({ length: RARE.most + 1 }, (_, df) => weight(df, rounded));
  const found = new Map<string, { sum: number; shared: SharedWord[] }>();
  for (const shared of words) {
    const df = shared.files.length;
    if (df < RARE.fewest || df > RARE.most) continue;
    for (const other of shared.files) {
      if (other === file) continue;
      const pair = found.get(other);
      if (pair) {
        pair.sum += weights[df] ?? 0;
        pair.shared.push(shared);
      } else {
        found.set(other, { sum: weights[df] ?? 0, shared: [shared] });
      }
    }
  }
  const norm = (path: string): number => Math.sqrt(roundedWordCount(size(path)));
  const scale = SCALE / UNIT / (Math.log(1 + rounded / 4) ** 2 * norm(file));
  const scored = [...found]
    .map(([path, { sum, shared }]) => ({
      path,
      score: Math.min(1, Math.round(((scale * sum) / norm(path)) * 1000) / 1000),
      shared,
    }))
    .filter(({ score }) => score >= LEAST_SCORE)
    .sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1));
  return {
    total: scored.length,
    items: scored.slice(0, LISTED).map(({ path, score, shared }) => ({
      path,
      score,
      words: shared
        .sort(rarestFirst)
        .slice(0, WORDS_SHOWN)
        .map(({ word }) => word),
    })),
  };
}
