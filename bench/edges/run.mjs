#!/usr/bin/env node
/**
 * Measures edges against references that a compiler resolved.
 *
 *   node bench/edges/run.mjs [--dist DIR] [--json FILE] [--misses N] REPOSITORY ORACLE.ndjson [REPOSITORY ORACLE.ndjson]...
 *
 * See docs/confidence.md for how oracles are made and how the numbers are to be read. `--misses N` prints
 * N missed references and N wrong and unjudged edges per repository, spread evenly, for a person to look at.
 */
import { createReadStream, writeFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { judge, readOracle } from './judge.mjs';
import { Places } from './places.mjs';
import { loadStages, readRepository } from './repository.mjs';
import { precisionByProvenance, precisionOfFiles, precisionOfSymbols, recall } from './scores.mjs';

const CALIBRATION_FROM = 100;

const percent = (share) => (share === undefined ? '-' : `${(share * 100).toFixed(1)}%`);
const number = (value) => (value === undefined ? '-' : value.toFixed(2));

async function linesOf(path) {
  const lines = [];
  for await (const line of createInterface({ input: createReadStream(path) })) if (line) lines.push(line);
  return lines;
}

function table(header, rows) {
  const widths = header.map((head, column) => Math.max(head.length, ...rows.map((row) => row[column].length)));
  const print = (cells) =>
    cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column]))).join('  ');
  return [print(header), ...rows.map(print)].join('\n');
}

/** `count` items at even distances: the same ones each time. */
const spread = (items, count) =>
  items.length <= count
    ? items
    : Array.from({ length: count }, (_, i) => items[Math.floor((i * items.length) / count)]);

function sample(judged, missed, missedPairs, count) {
  const out = [];
  const edges = (verdict) => {
    const found = judged.filter((entry) => entry.verdict === verdict);
    out.push(`\n${verdict} edges, ${Math.min(count, found.length)} of ${found.length}:`);
    for (const { path, edge, containers } of spread(found, count)) {
      const to = edge.to.symbol === undefined ? edge.to.path : `${edge.to.path}:${edge.to.symbol}`;
      out.push(`  ${path}:${edge.line} ${containers[0] || '(module)'} -> ${to} ${edge.type} ${edge.provenance}`);
    }
  };
  edges('wrong');
  edges('unjudged');
  out.push(`\nmissed pairs of files, ${Math.min(count, missedPairs.length)} of ${missedPairs.length}:`);
  for (const ref of spread(missedPairs, count)) {
    out.push(`  ${ref.from}:${ref.line} -> ${ref.to}:${ref.toLine} ${ref.symbol ?? ref.name} ${ref.kind}`);
  }
  out.push(`\nmissed, ${Math.min(count, missed.length)} of ${missed.length}:`);
  for (const ref of spread(missed, count)) {
    out.push(
      `  ${ref.from}:${ref.line} ${ref.container || '(module)'} -> ${ref.to}:${ref.toLine} ${ref.symbol} ` +
        `${ref.kind === 'implements' ? 'implementation' : ref.exact ? (ref.value ? 'value' : 'function or type') : 'member'}`,
    );
  }
  return out.join('\n');
}

const precisionRow = (name, row) => [
  name,
  String(row.edges),
  String(row.correct),
  String(row.wrong),
  String(row.unjudged),
  percent(row.judged),
  percent(row.strict),
  number(row.stated),
  row.stated !== undefined && row.judged !== undefined && row.correct + row.wrong >= CALIBRATION_FROM
    ? (row.stated - row.judged).toFixed(2)
    : '-',
];

function report(name, language, judged, oracle, files, misses) {
  const provenances = precisionByProvenance(judged);
  const precision = {
    'edges to symbols': precisionOfSymbols(judged, 0),
    'edges to symbols from 0.80': precisionOfSymbols(judged, 0.8),
    'file pairs': precisionOfFiles(judged, 0),
    'file pairs from 0.90': precisionOfFiles(judged, 0.9),
  };
  const { scores, missed, missedPairs } = recall(judged, oracle, language, files);
  const header = ['edges', 'correct', 'wrong', 'unjudged', 'judged', 'strict', 'stated', 'stated - judged'];
  console.log(`\n## ${name}, ${language}\n`);
  console.log(
    table(
      ['provenance', ...header],
      [
        ...provenances.map((row) => precisionRow(row.provenance, row)),
        ...Object.entries(precision).map(([what, row]) => precisionRow(what, row)),
      ],
    ),
  );
  const found = Object.entries(scores).map(([what, { found, of }]) => `${what} ${percent(found / of)} of ${of}`);
  console.log(`\nrecall: ${found.join(', ')}`);
  if (misses > 0) console.log(sample(judged, missed, missedPairs, misses));
  return { repository: name, language, provenances, precision, recall: scores };
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    dist: { type: 'string', default: fileURLToPath(new URL('../../dist', import.meta.url)) },
    json: { type: 'string' },
    misses: { type: 'string', default: '0' },
  },
});
if (positionals.length === 0 || positionals.length % 2 !== 0) {
  console.error('edges: give pairs of a repository and the references of its oracle (see docs/confidence.md)');
  process.exit(2);
}
const stages = await loadStages(resolve(values.dist));
const results = [];
for (let i = 0; i < positionals.length; i += 2) {
  const [repository, oracleFile] = positionals.slice(i, i + 2);
  const files = await readRepository(repository, stages);
  const places = new Places(files);
  const oracle = readOracle(await linesOf(oracleFile), files, places);
  const judged = judge(files, oracle, places);
  const languages = [...new Set([...oracle.seen].map((path) => files.get(path).language))].sort();
  for (const language of languages) {
    const own = judged.filter((entry) => entry.language === language);
    results.push(report(basename(repository), language, own, oracle, files, Number(values.misses)));
  }
}
if (values.json) writeFileSync(values.json, `${JSON.stringify(results, null, 1)}\n`);
