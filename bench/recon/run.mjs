#!/usr/bin/env node
/**
 * Measures map, gate and slice against the files and lines that fixes touched. No model involved.
 *
 *   node bench/recon/run.mjs [--dist DIR] [--source SWE-bench_Lite] [--limit N] DATA.jsonl MIRRORS CORPORA
 *
 * MIRRORS holds the git directories, CORPORA what bench/recon/corpora.mjs wrote from them. Rows are also reported by half:
 * repositories are in one half or the other by the hash of their name. docs/recon.md has the results and how they are to be read.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { goldOf } from './gold.mjs';
import { LINE_BUDGETS, scoreRegions } from './regions.mjs';

const { values, positionals } = parseArgs({
  options: {
    dist: { type: 'string', default: 'dist' },
    source: { type: 'string', default: 'SWE-bench_Lite' },
    limit: { type: 'string', default: '1000000' },
  },
  allowPositionals: true,
});
const [data, mirrors, corpora] = positionals;
const load = (path) => import(resolve(values.dist, path));
const { indexCorpus } = await load('recon/map/documents.js');
const { RANKERS, READING, scoresOf } = await load('recon/map/rankers.js');
const { bm25 } = await load('recon/map/bm25.js');
const { readQuery } = await load('recon/map/query.js');
const { fill } = await load('recon/map/fill.js');
const { tokensOf } = await load('recon/tokens.js');
const { MemoryEvidence } = await load('recon/evidence.js');
const { Knowledge } = await load('recon/knowledge.js');
const { entitiesOf } = await load('recon/slice/entities.js');
const { decide } = await load('recon/slice/gate.js');
const { bestOf, climb } = await load('recon/slice/ladder.js');
const { extentOf, readingOrder } = await load('recon/slice/regions.js');
const { roleOf } = await load('graph/roles.js');

const BUDGETS = [1024, 2048];
const mean = (list) => (list.length === 0 ? Number.NaN : list.reduce((a, b) => a + b, 0) / list.length);
const table = new Map();
let half = 'A';
const note = (key, value) => {
  for (const name of [key, `${half} ${key}`]) table.set(name, [...(table.get(name) ?? []), value]);
};
const halfOf = (repo) => (createHash('sha256').update(repo).digest()[0] % 2 === 0 ? 'A' : 'B');
const byScore = (scores) =>
  [...scores.keys()].filter((i) => scores[i] > 0).sort((a, b) => scores[b] - scores[a] || a - b);

/** Facts as far as gate and ladder need them, rebuilt from a corpus. */
function knowledgeOf(corpus) {
  const facts = new Map(
    corpus.paths.map((path) => [path, { language: 'python', symbols: [], imports: [], references: [], strings: [] }]),
  );
  for (const symbol of corpus.symbols) facts.get(corpus.paths[symbol.file]).symbols.push(symbol);
  const edges = new Map(corpus.paths.map((path) => [path, []]));
  for (const [a, b] of corpus.edges) {
    const [from, to] = [corpus.symbols[a], corpus.symbols[b]];
    const path = corpus.paths[from.file];
    const index = facts.get(path).symbols.indexOf(from);
    const target = { path: corpus.paths[to.file], symbol: to.name };
    edges.get(path).push({ from: index, to: target, type: 'calls', provenance: 'imported-name', line: from.line });
  }
  const files = (corpus.listed ?? corpus.paths).map((path) => ({ path, role: roleOf(path, '', 0).role }));
  return new Knowledge({ repository: { files, text: () => undefined }, evidence: new MemoryEvidence(facts, edges) });
}

/** Text of a file at the row's commit, as far as the mirror has it. */
function textAt(row) {
  const folder = join(mirrors, row.snapshot.replace('/', '+'), 'repo');
  return (path) => {
    try {
      const options = { encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'ignore'] };
      return execFileSync('git', ['--git-dir', folder, 'show', `${row.base_commit}:${path}`], options);
    } catch {
      return undefined;
    }
  };
}

const regionsOf = (corpus, order) => order.map((i) => [corpus.symbols[i].file, ...extentOf(corpus, i)]);

/** The slice is read in its order: first what it says to read first, then what stands on its rungs. */
function measureSlice(row, corpus, index, text, gold) {
  const knowledge = knowledgeOf(corpus);
  const entities = entitiesOf(knowledge, corpus, text);
  const scores = scoresOf(index, text, 'layered', READING);
  const decision = decide(knowledge, entities, text, bestOf(corpus, scores));
  const goldPaths = gold.files.map((file) => corpus.paths[file]);
  const inModule = decision.module !== undefined && goldPaths.every((path) => path === decision.module);
  note(inModule ? 'gate fires, gold in the named module' : 'gate fires, gold elsewhere', Number(decision.fires));
  const slice = climb(knowledge, corpus, scores, entities, { ...decision, fires: true });
  const at = new Map(corpus.symbols.map((symbol, i) => [`${corpus.paths[symbol.file]}\0${symbol.name}`, i]));
  const order = slice.rungs.flatMap(({ nodes }) =>
    nodes.flatMap(({ node }) => at.get(`${node.path}\0${node.symbol}`) ?? []),
  );
  const fileOf = new Map(corpus.paths.map((path, i) => [path, i]));
  const first = readingOrder(index, text, scores, textAt(row)).map(({ path, first, last }) => [
    fileOf.get(path),
    first,
    last,
  ]);
  return [...first, ...regionsOf(corpus, order)];
}

function wholeFiles(corpus, index, text) {
  const ends = new Array(corpus.paths.length).fill(1);
  for (const { file, endLine } of corpus.symbols) ends[file] = Math.max(ends[file], endLine);
  return byScore(bm25(index.files, index.words, readQuery(text).words)).map((file) => [file, 1, ends[file]]);
}

let n = 0;
for (const line of readFileSync(data, 'utf8').trim().split('\n')) {
  const row = JSON.parse(line);
  const path = join(corpora, `${row.id.replace(/[^\w.-]/g, '_')}.json`);
  if (row.source !== values.source || n >= Number(values.limit) || !existsSync(path)) continue;
  const corpus = JSON.parse(readFileSync(path, 'utf8'));
  const gold = goldOf(row, corpus);
  if (gold.files.length === 0) continue;
  n += 1;
  half = halfOf(row.repo);
  const index = indexCorpus(corpus);
  const text = `${row.title}\n${row.body}`;
  for (const ranker of RANKERS) {
    const scores = scoresOf(index, text, ranker);
    for (const budget of BUDGETS) {
      const filled = fill(corpus, scores, { budget, tokens: tokensOf });
      if (tokensOf(filled.text) > budget) throw new Error(`${row.id}: ${ranker} exceeds ${budget}`);
      const files = new Set(filled.files.map(({ file }) => file));
      const symbols = new Set(filled.files.flatMap((entry) => entry.symbols));
      note(`${ranker} ${budget} file`, Number(gold.files.some((file) => files.has(file))));
      if (gold.functions) note(`${ranker} ${budget} function`, Number(gold.functions.some((i) => symbols.has(i))));
      if (gold.functions) note(`${ranker} ${budget} share`, mean(gold.functions.map((i) => Number(symbols.has(i)))));
    }
    if (ranker === 'hybrid' || ranker === 'layered') {
      scoreRegions(regionsOf(corpus, byScore(scores)), gold.lines).forEach((score, i) => {
        for (const [name, value] of Object.entries(score))
          note(`regions map ${ranker} ${LINE_BUDGETS[i]} ${name}`, value);
      });
    }
  }
  for (const [name, regions] of [
    ['map, weights for reading', regionsOf(corpus, byScore(scoresOf(index, text, 'layered', READING)))],
    ['slice', measureSlice(row, corpus, index, text, gold)],
    ['files', wholeFiles(corpus, index, text)],
  ]) {
    scoreRegions(regions, gold.lines).forEach((score, i) => {
      for (const [key, value] of Object.entries(score)) note(`regions ${name} ${LINE_BUDGETS[i]} ${key}`, value);
    });
  }
}

const value = (key) => mean(table.get(key) ?? []);
console.log(`${n} rows of ${values.source}\n`);
console.log(
  '| ranker | J | file 1,024 | function 1,024 | file 2,048 | function 2,048 | share of functions 2,048 | J half A | J half B |',
);
console.log('| --- | --- | --- | --- | --- | --- | --- | --- | --- |');
for (const ranker of RANKERS) {
  const of = (prefix) =>
    BUDGETS.flatMap((budget) => ['file', 'function'].map((what) => value(`${prefix}${ranker} ${budget} ${what}`)));
  const j = (cells) => cells.reduce((a, b) => a + b, 0) / 2;
  const cells = of('');
  const all = [j(cells), ...cells, value(`${ranker} 2048 share`), j(of('A ')), j(of('B '))];
  console.log(`| ${[ranker, ...all.map((cell) => cell.toFixed(3))].join(' | ')} |`);
}
console.log('\n| regions | recall 100 / 200 / 500 lines | half A | half B | any gold line | context efficiency |');
console.log('| --- | --- | --- | --- | --- | --- |');
for (const name of ['files', 'map hybrid', 'map layered', 'map, weights for reading', 'slice']) {
  const of = (prefix, measure, digits = 3) =>
    LINE_BUDGETS.map((budget) => value(`${prefix}regions ${name} ${budget} ${measure}`).toFixed(digits)).join(' / ');
  const cells = [of('', 'recall'), of('A ', 'recall'), of('B ', 'recall'), of('', 'any'), of('', 'efficiency', 4)];
  console.log(`| ${[name, ...cells].join(' | ')} |`);
}
for (const prefix of ['', 'A ', 'B ']) {
  for (const key of ['gate fires, gold in the named module', 'gate fires, gold elsewhere']) {
    const list = table.get(prefix + key) ?? [];
    console.log(`\n${prefix}${key}: ${mean(list).toFixed(3)} of ${list.length}`);
  }
}
