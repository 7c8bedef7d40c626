/**
 * Scores of symbols for a query. `bm25`, `bm25m`, `ppr` and `hybrid` follow "AST-Compressed Code Graphs for
 * Gemma 4 Agents"; `layered` is this project's own and the default (docs/recon.md has the comparison).
 */
import { bm25, normalised } from './bm25.js';
import type { CorpusSymbol } from './corpus.js';
import type { IndexedCorpus } from './documents.js';
import { mentionsOf } from './mentions.js';
import { personalisedPageRank, undirected } from './page-rank.js';
import { type Query, readQuery } from './query.js';

export const RANKERS = ['bm25', 'bm25m', 'ppr', 'hybrid', 'layered'] as const;
export type Ranker = (typeof RANKERS)[number];

/** Weights of the layered ranker. Chosen on development data. */
export interface LayeredWeights {
  readonly symbolMention: number;
  readonly fileBm25: number;
  readonly fileMention: number;
  readonly ppr: number;
  /** What is left of a class's score: what is to be read lies in its methods. */
  readonly type: number;
}

/** What covers most under a budget of tokens. */
export const LAYERED: LayeredWeights = { symbolMention: 0.8, fileBm25: 0.15, fileMention: 0.3, ppr: 0.6, type: 0.5 };

/** What is best read first under a budget of lines. */
export const READING: LayeredWeights = { symbolMention: 0.4, fileBm25: 0.4, fileMention: 0.3, ppr: 0.15, type: 0.5 };

/** Whether the symbol is made of members that are symbols themselves. */
export function isHolder({ kind }: Pick<CorpusSymbol, 'kind'>): boolean {
  return kind === 'class' || kind === 'interface' || kind === 'struct' || kind === 'namespace';
}

/** BM25 plus a boost for named files and symbols, in units of the best BM25 score. */
function boosted({ corpus }: IndexedCorpus, lexical: Float64Array, query: Query): Float64Array {
  const mentions = mentionsOf(corpus, query);
  return lexical.map(
    (score, i) => score + 0.5 * (mentions.files[corpus.symbols[i]?.file ?? 0] ?? 0) + (mentions.symbols[i] ?? 0),
  );
}

function layered(index: IndexedCorpus, lexical: Float64Array, query: Query, weights: LayeredWeights): Float64Array {
  const { corpus } = index;
  const mentions = mentionsOf(corpus, query);
  const fileScores = normalised(bm25(index.files, index.words, query.words, 0.5));
  const direct = lexical.map((score, i) => score + weights.symbolMention * (mentions.symbols[i] ?? 0));
  const spread =
    weights.ppr === 0 || !direct.some((score) => score > 0)
      ? undefined
      : normalised(
          personalisedPageRank(
            undirected(corpus),
            direct.map((score) => score ** 2),
          ),
        );
  return direct.map((score, i) => {
    const symbol = corpus.symbols[i];
    const file = symbol?.file ?? 0;
    const ofFile = weights.fileBm25 * (fileScores[file] ?? 0) + weights.fileMention * (mentions.files[file] ?? 0);
    const whole = score + ofFile + weights.ppr * (spread?.[i] ?? 0);
    return symbol && isHolder(symbol) ? weights.type * whole : whole;
  });
}

/** One score a symbol, at least 0; higher is better. */
export function scoresOf(index: IndexedCorpus, text: string, ranker: Ranker, weights = LAYERED): Float64Array {
  const query = readQuery(text);
  const lexical = normalised(bm25(index.symbols, index.words, query.words));
  switch (ranker) {
    case 'bm25':
      return lexical;
    case 'bm25m':
      return boosted(index, lexical, query);
    case 'ppr':
      return normalised(personalisedPageRank(undirected(index.corpus), lexical));
    case 'hybrid': {
      const first = normalised(boosted(index, lexical, query));
      const second = normalised(personalisedPageRank(undirected(index.corpus), lexical));
      return first.map((score, i) => 0.7 * score + 0.3 * (second[i] ?? 0));
    }
    case 'layered':
      return layered(index, lexical, query, weights);
  }
}
