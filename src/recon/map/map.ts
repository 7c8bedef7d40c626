/** The budgeted repository map. */
import type { Corpus } from './corpus.js';
import type { IndexedCorpus } from './documents.js';
import { type Filled, fill, type Tokens } from './fill.js';
import { personalisedPageRank, undirected } from './page-rank.js';
import { type Ranker, scoresOf } from './rankers.js';

export interface MapRequest {
  readonly budget: number;
  readonly tokens: Tokens;
  /** Absent: the map is of what is central around `changed`. */
  readonly query?: string;
  readonly ranker?: Ranker;
  /** Files changed in the working tree. */
  readonly changed?: readonly string[];
}

/** Without a query: PageRank that starts from the changed files, or from everywhere where nothing changed. */
function centrality(corpus: Corpus, changed: readonly string[]): Float64Array {
  const files = new Set(changed);
  const seeds = Float64Array.from(corpus.symbols, ({ file }) => Number(files.has(corpus.paths[file] ?? '')));
  // Far from the seeds every symbol still counts a little: a map shows the whole where there is room.
  return personalisedPageRank(undirected(corpus), seeds, 0.85);
}

/** Whether a word of the query, or what it names, occurs in the repository. */
export interface Mapped extends Filled {
  readonly matched: boolean;
}

export function mapOf(index: IndexedCorpus, request: MapRequest): Mapped {
  const { budget, tokens, query, ranker = 'layered', changed = [] } = request;
  const { corpus } = index;
  const asked = query === undefined || query.trim() === '' ? undefined : scoresOf(index, query, ranker);
  const matched = asked?.some((score) => score > 0) ?? false;
  const scores = asked && matched ? asked : centrality(corpus, changed);
  return { ...fill(corpus, scores, { budget, tokens }), matched };
}
