/** BM25 (Robertson and Walker) over documents of weighted words. */
import { type Documents, eachPosting } from './documents.js';

const K1 = 1.2;

/**
 * Scores of all documents for a query of weighted words, 0 where nothing matches.
 * @param words word to its number in the documents
 * @param b pull of a document's length
 */
export function bm25(
  documents: Documents,
  words: ReadonlyMap<string, number>,
  query: ReadonlyMap<string, number>,
  b = 0.75,
): Float64Array {
  const { lengths, frequency } = documents;
  const n = lengths.length;
  let total = 0;
  for (const length of lengths) total += length;
  const average = total / Math.max(1, n);
  const scores = new Float64Array(n);
  for (const [word, weight] of query) {
    const number = words.get(word);
    if (number === undefined) continue;
    const df = frequency[number] ?? 0;
    const gain = weight * Math.log(1 + (n - df + 0.5) / (df + 0.5));
    eachPosting(documents, number, (document, tf) => {
      const norm = K1 * (1 - b + (b * (lengths[document] as number)) / average);
      scores[document] = (scores[document] as number) + (gain * tf * (K1 + 1)) / (tf + norm);
    });
  }
  return scores;
}

/** Divides by the largest score; all zero stays all zero. */
export function normalised(scores: Float64Array): Float64Array {
  let most = 0;
  for (const score of scores) most = Math.max(most, score);
  return most === 0 ? scores : scores.map((score) => score / most);
}
