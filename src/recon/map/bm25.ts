/** BM25 (Robertson and Walker) over documents of weighted words. */
import type { Documents } from './documents.js';

const K1 = 1.2;

/** Scores of all documents for a query of weighted words, 0 where nothing matches. `b`: pull of a document's length. */
export function bm25(documents: Documents, query: ReadonlyMap<string, number>, b = 0.75): Float64Array {
  const { numbers, words, weights, lengths, averageLength, frequency } = documents;
  const n = words.length;
  const gain = new Float64Array(frequency.length);
  for (const [word, weight] of query) {
    const number = numbers.get(word);
    if (number === undefined || frequency[number] === 0) continue;
    const df = frequency[number] ?? 0;
    gain[number] = weight * Math.log(1 + (n - df + 0.5) / (df + 0.5));
  }
  const scores = new Float64Array(n);
  for (let i = 0; i < n; i += 1) {
    const own = words[i] as Uint32Array;
    const ownWeights = weights[i] as Float32Array;
    const norm = K1 * (1 - b + (b * (lengths[i] ?? 0)) / averageLength);
    let score = 0;
    for (let j = 0; j < own.length; j += 1) {
      const g = gain[own[j] as number] as number;
      if (g === 0) continue;
      const tf = ownWeights[j] as number;
      score += (g * tf * (K1 + 1)) / (tf + norm);
    }
    scores[i] = score;
  }
  return scores;
}

/** Divides by the largest score; all zero stays all zero. */
export function normalised(scores: Float64Array): Float64Array {
  let most = 0;
  for (const score of scores) most = Math.max(most, score);
  return most === 0 ? scores : scores.map((score) => score / most);
}
