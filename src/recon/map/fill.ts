/** Fills a hard token budget with the symbols that score best. */
import type { Corpus, CorpusSymbol } from './corpus.js';
import { renderMap, symbolLine } from './render.js';

export type Tokens = (text: string) => number;

export interface FillOptions {
  readonly budget: number;
  readonly tokens: Tokens;
  /** Longest parameter list that is printed whole. */
  readonly width?: number;
  /** Exponent of the cost by which a score is divided: 0 takes the best first, 1 the best per token. */
  readonly thrift?: number;
}

export interface Filled {
  readonly text: string;
  readonly tokens: number;
  /** Files in the order shown, with the symbols shown of each. */
  readonly files: readonly { readonly file: number; readonly symbols: readonly number[] }[];
}

/** The paper's number of candidates. */
const CANDIDATES = 3000;

/**
 * Greedy: in decreasing score over cost, a symbol is kept while it fits; its file's path is paid once. The
 * final text is counted again and shortened from its end, so that the budget holds whatever the counting of
 * parts missed. Files are ordered by their best symbol.
 */
export function fill(corpus: Corpus, scores: Float64Array, options: FillOptions): Filled {
  const { budget, tokens, width, thrift = 0 } = options;
  const order = [...scores.keys()]
    .filter((i) => (scores[i] ?? 0) > 0)
    .sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b)
    .slice(0, CANDIDATES);
  const costs = new Map<number, number>();
  const costOf = (i: number): number => {
    const cost = costs.get(i) ?? tokens(`${symbolLine(corpus.symbols[i] as CorpusSymbol, false, width)}\n`);
    costs.set(i, cost);
    return cost;
  };
  const value = (i: number): number => (scores[i] ?? 0) / costOf(i) ** thrift;
  if (thrift > 0) order.sort((a, b) => value(b) - value(a) || a - b);
  const pathCost = new Map<number, number>();
  const chosen = new Map<number, number[]>();
  let spent = 0;
  for (const i of order) {
    if (spent >= budget) break;
    const { file } = corpus.symbols[i] as CorpusSymbol;
    const known = chosen.get(file);
    let cost = costOf(i);
    if (!known) {
      const path = pathCost.get(file) ?? tokens(`${corpus.paths[file]}\n`);
      pathCost.set(file, path);
      cost += path;
    }
    if (spent + cost > budget) continue;
    spent += cost;
    if (known) known.push(i);
    else chosen.set(file, [i]);
  }
  const best = (symbols: readonly number[]): number => Math.max(...symbols.map((i) => scores[i] ?? 0));
  const files = [...chosen]
    .map(([file, symbols]) => ({ file, symbols }))
    .sort((a, b) => best(b.symbols) - best(a.symbols) || a.file - b.file);
  return trimmed(corpus, files, scores, options);
}

/** Drops the worst symbols, and files left empty, until the text as a whole fits. */
function trimmed(
  corpus: Corpus,
  files: { file: number; symbols: number[] }[],
  scores: Float64Array,
  { budget, tokens, width }: FillOptions,
): Filled {
  for (;;) {
    const text = renderMap(corpus, files, width);
    const count = tokens(text);
    const last = files.at(-1);
    if (count <= budget || !last) return { text, tokens: count, files };
    const worst = last.symbols.reduce((a, b) => ((scores[b] ?? 0) < (scores[a] ?? 0) ? b : a));
    last.symbols.splice(last.symbols.indexOf(worst), 1);
    if (last.symbols.length === 0) files.pop();
  }
}
