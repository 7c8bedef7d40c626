/** Personalised PageRank on the undirected graph of calls and inheritance. */
import type { Corpus } from './corpus.js';

export interface Graph {
  /** Start of each symbol's neighbours in `targets`; one longer than there are symbols. */
  readonly starts: Uint32Array;
  readonly targets: Uint32Array;
}

/** Both directions of every edge, as adjacency lists. */
export function undirected({ symbols, edges }: Corpus): Graph {
  const starts = new Uint32Array(symbols.length + 1);
  for (const [a, b] of edges) {
    starts[a + 1] = (starts[a + 1] ?? 0) + 1;
    starts[b + 1] = (starts[b + 1] ?? 0) + 1;
  }
  for (let i = 0; i < symbols.length; i += 1) starts[i + 1] = (starts[i + 1] ?? 0) + (starts[i] ?? 0);
  const next = starts.slice();
  const targets = new Uint32Array(edges.length * 2);
  const put = (from: number, to: number): void => {
    targets[next[from] ?? 0] = to;
    next[from] = (next[from] ?? 0) + 1;
  };
  for (const [a, b] of edges) {
    put(a, b);
    put(b, a);
  }
  return { starts, targets };
}

const ROUNDS = 20;

/**
 * `stay` of the mass goes along edges, the rest back to the seeds (the paper's alpha is 0.5); what
 * reaches a symbol without edges goes back as well. Seeds need not sum to 1; all zero means everywhere.
 */
export function personalisedPageRank({ starts, targets }: Graph, seeds: Float64Array, stay = 0.5): Float64Array {
  const n = seeds.length;
  let total = 0;
  for (const seed of seeds) total += seed;
  const home = total > 0 ? seeds.map((seed) => seed / total) : new Float64Array(n).fill(1 / Math.max(1, n));
  let rank = home.slice();
  for (let round = 0; round < ROUNDS; round += 1) {
    const next = new Float64Array(n);
    let moved = 0;
    for (let i = 0; i < n; i += 1) {
      const mass = rank[i] as number;
      const from = starts[i] as number;
      const to = starts[i + 1] as number;
      if (mass === 0 || from === to) continue;
      const share = (stay * mass) / (to - from);
      for (let j = from; j < to; j += 1) next[targets[j] as number] = (next[targets[j] as number] as number) + share;
      moved += stay * mass;
    }
    for (let i = 0; i < n; i += 1) next[i] = (next[i] as number) + (1 - moved) * (home[i] as number);
    rank = next;
  }
  return rank;
}
