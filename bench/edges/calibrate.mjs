#!/usr/bin/env node
/**
 * The table of src/graph/confidence.ts from measurements.
 *
 *   node bench/edges/calibrate.mjs RESULT.json...        (RESULT.json as `run.mjs --json` writes it)
 *
 * By language and provenance: the share of the judged edges that are right, pooled over all repositories, and the
 * mean of the repositories' shares (of those with at least 30 judged edges). `value` is the mean where three
 * repositories have it, since an unseen repository counts as one and not by its size, else the pooled share;
 * nothing where fewer than 100 edges are judged.
 */
import { readFileSync } from 'node:fs';

const ENOUGH = 100;
const ENOUGH_IN_ONE = 30;
const ENOUGH_REPOSITORIES = 3;

const pools = new Map();
for (const file of process.argv.slice(2)) {
  for (const { repository, language, provenances } of JSON.parse(readFileSync(file, 'utf8'))) {
    for (const { provenance, correct, wrong, unjudged } of provenances) {
      const key = `${language}\t${provenance}`;
      const pool = pools.get(key) ?? { correct: 0, wrong: 0, unjudged: 0, shares: [] };
      pool.correct += correct;
      pool.wrong += wrong;
      pool.unjudged += unjudged;
      if (correct + wrong >= ENOUGH_IN_ONE) pool.shares.push({ repository, share: correct / (correct + wrong) });
      pools.set(key, pool);
    }
  }
}

const fixed = (share, digits) => (share === undefined ? '' : share.toFixed(digits));

console.log('| language | provenance | judged | unjudged | pooled | mean | lowest | value |');
console.log('| --- | --- | --- | --- | --- | --- | --- | --- |');
for (const [key, { correct, wrong, unjudged, shares }] of [...pools].sort(([a], [b]) => (a < b ? -1 : 1))) {
  const judged = correct + wrong;
  const [language, provenance] = key.split('\t');
  const pooled = judged === 0 ? undefined : correct / judged;
  const mean = shares.length === 0 ? undefined : shares.reduce((sum, { share }) => sum + share, 0) / shares.length;
  const [worst] = shares.sort((a, b) => a.share - b.share);
  const lowest = worst ? `${worst.share.toFixed(2)} ${worst.repository}` : '';
  const value = judged < ENOUGH ? undefined : shares.length >= ENOUGH_REPOSITORIES ? mean : pooled;
  const cells = [language, provenance, judged, unjudged, fixed(pooled, 3), fixed(mean, 3), lowest, fixed(value, 2)];
  console.log(`| ${cells.join(' | ')} |`);
}
