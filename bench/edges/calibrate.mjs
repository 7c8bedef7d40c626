#!/usr/bin/env node
/**
 * The table of src/graph/confidence.ts from measurements.
 *
 *   node bench/edges/calibrate.mjs RESULT.json...        (RESULT.json as `run.mjs --json` writes it)
 *
 * Pools the judged edges of all repositories, by language and provenance. `range` is the lowest and the highest
 * of the repositories that have at least 30 judged edges each. Provenances with fewer than 100 judged edges in
 * all are listed, but too few to be used.
 */
import { readFileSync } from 'node:fs';

const ENOUGH = 100;
const ENOUGH_IN_ONE = 30;

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

console.log('| language | provenance | judged | unjudged | precision | range |');
console.log('| --- | --- | --- | --- | --- | --- |');
for (const [key, { correct, wrong, unjudged, shares }] of [...pools].sort(([a], [b]) => (a < b ? -1 : 1))) {
  const judged = correct + wrong;
  const [language, provenance] = key.split('\t');
  const precision = judged === 0 ? '-' : (correct / judged).toFixed(3);
  shares.sort((a, b) => a.share - b.share);
  const range =
    shares.length < 2
      ? ''
      : `${shares[0].share.toFixed(2)} (${shares[0].repository}) to ${shares.at(-1).share.toFixed(2)}`;
  const note = judged < ENOUGH ? ' (too few)' : '';
  console.log(`| ${language} | ${provenance} | ${judged} | ${unjudged} | ${precision}${note} | ${range} |`);
}
