/**
 * What to read first: regions of files, the best first, for a reader with a budget of lines. Two stages: the map's index
 * names candidates, their text decides among them and inside of them (docs/recon.md has what each part gains).
 */
import type { Corpus } from '../map/corpus.js';
import type { IndexedCorpus } from '../map/documents.js';
import { readQuery } from '../map/query.js';
import { isHolder, READING } from '../map/rankers.js';
import { blocksOf, type Lines } from './blocks.js';
import { sharedWith, wordingOf, wordsIn, worthOf } from './wording.js';

export interface Region {
  readonly path: string;
  readonly first: number;
  readonly last: number;
  /** Qualified name of the definition that it is, or is a part of. */
  readonly symbol: string;
}

/** Candidates whose text is read. */
const CANDIDATES = 80;
/** Lines that are worth a rank: nobody reads further under a budget. */
const MOST_LINES = 500;
const BLOCK_LINES = 15;

/** In units of the best BM25 score. Chosen on development data, confirmed on repositories that were not looked at. */
const WEIGHT = { words: 0.2, phrases: 0.15, title: 0.1, block: 0.15 } as const;

/** Lines of a symbol; of a class those before its first member, since members are symbols of their own. */
export function extentOf({ symbols }: Corpus, i: number): Lines {
  const symbol = symbols[i];
  if (!symbol) return [1, 0];
  const { file, name, line, endLine } = symbol;
  if (!isHolder(symbol)) return [line, endLine];
  for (let j = i + 1; j < symbols.length && symbols[j]?.file === file; j += 1) {
    const other = symbols[j];
    if (other?.name.startsWith(`${name}.`)) return [line, Math.max(line, Math.min(endLine, other.line - 1))];
  }
  return [line, endLine];
}

const lastSegment = (name: string): string => name.slice(name.lastIndexOf('.') + 1);

/**
 * Regions in the order in which to read them, about `MOST_LINES` in all.
 * @param scores of the corpus' symbols for the task, by the weights for reading
 * @param textOf text of a file of the corpus, undefined where it cannot be read
 */
export function readingOrder(
  index: IndexedCorpus,
  task: string,
  scores: Float64Array,
  textOf: (path: string) => string | undefined,
): Region[] {
  const { corpus } = index;
  const order = [...scores.keys()]
    .filter((i) => (scores[i] ?? 0) > 0)
    .sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
  const candidates = order.slice(0, CANDIDATES);
  const regions = [
    ...ranked(index, task, candidates, scores, textOf),
    ...order.slice(CANDIDATES).map((i) => whole(corpus, i)),
  ];
  let lines = 0;
  const end = regions.findIndex(({ first, last }) => {
    lines += last - first + 1;
    return lines >= MOST_LINES;
  });
  return end < 0 ? regions : regions.slice(0, end + 1);
}

function whole(corpus: Corpus, i: number): Region {
  const [first, last] = extentOf(corpus, i);
  const { file = 0, name = '' } = corpus.symbols[i] ?? {};
  return { path: corpus.paths[file] ?? '', first, last, symbol: name };
}

function ranked(
  index: IndexedCorpus,
  task: string,
  candidates: readonly number[],
  scores: Float64Array,
  textOf: (path: string) => string | undefined,
): Region[] {
  const { corpus } = index;
  const files = new Map<string, readonly string[]>();
  const linesOf = (path: string): readonly string[] => {
    let lines = files.get(path);
    if (!lines) {
      lines = (textOf(path) ?? '').split('\n');
      files.set(path, lines);
    }
    return lines;
  };
  const wholes = candidates.map((i) => whole(corpus, i));
  const textIn = ({ path, first, last }: Region): string =>
    linesOf(path)
      .slice(first - 1, last)
      .join('\n');
  const wording = wordingOf(task, worthIn(index, task));
  const shared = sharedWith(wording, wholes.map(textIn));
  const found: { readonly region: Region; readonly score: number }[] = [];
  wholes.forEach((region, rank) => {
    const i = candidates[rank] ?? 0;
    const symbol = corpus.symbols[i];
    if (!symbol) return;
    const holder = isHolder(symbol);
    const name = [...new Set(wordsIn(lastSegment(symbol.name)))];
    const inTitle = name.filter((word) => wording.title.has(word)).length / Math.max(1, name.length);
    const { words = 0, phrases = 0 } = shared[rank] ?? {};
    const text = WEIGHT.words * words + WEIGHT.phrases * phrases + WEIGHT.title * inTitle;
    const score = (scores[i] ?? 0) + (holder ? READING.type : 1) * text;
    if (holder || linesOf(region.path).length < region.last) {
      found.push({ region, score });
      return;
    }
    const blocks = blocksOf(linesOf(region.path), region.first, region.last, BLOCK_LINES).map(([first, last]) => ({
      ...region,
      first,
      last,
    }));
    const worths = blocks.map((block) => worthOf(wording, textIn(block)));
    const most = Math.max(...worths) || 1;
    blocks.forEach((block, n) => {
      found.push({ region: block, score: score - WEIGHT.block * (1 - (worths[n] ?? 0) / most) });
    });
  });
  // Stable: of equal ones the better candidate's, and what stands first in it.
  return found.sort((a, b) => b.score - a.score).map(({ region }) => region);
}

/** How much each word of the task is worth: how often it is said, times how rare it is among symbols. */
function worthIn({ words, symbols }: IndexedCorpus, task: string): Map<string, number> {
  const n = symbols.lengths.length;
  const worth = new Map<string, number>();
  for (const [word, weight] of readQuery(task).words) {
    const number = words.get(word);
    // A word that no name has can still stand in a message or a comment, and is the rarest there.
    const df = number === undefined ? 0 : (symbols.frequency[number] ?? 0);
    worth.set(word, weight * Math.log(1 + (n - df + 0.5) / (df + 0.5)));
  }
  return worth;
}
