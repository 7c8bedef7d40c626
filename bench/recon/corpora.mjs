#!/usr/bin/env node
/**
 * Makes the corpora that bench/recon/run.mjs measures: facts and edges of the source files at each base commit.
 *
 *   node bench/recon/corpora.mjs [--dist DIR] [--source SWE-bench_Lite] DATA.jsonl MIRRORS OUT
 *
 * MIRRORS holds one git directory per snapshot, `<owner>+<name>/repo`. A corpus that is there is not made again.
 * Contents are parsed once per snapshot, so rows of one repository cost little after the first.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  options: { dist: { type: 'string', default: 'dist' }, source: { type: 'string', default: 'SWE-bench_Lite' } },
  allowPositionals: true,
});
const [data, mirrors, out] = positionals;
const load = (path) => import(resolve(values.dist, path));
const { extractFacts } = await load('io/parser.js');
const { readerOf } = await load('languages/registry.js');
const { linkFile } = await load('graph/link.js');
const { MemorySource } = await load('graph/memory-source.js');
const { TrackedView } = await load('graph/tracked-view.js');
const { roleOf } = await load('graph/roles.js');
const { corpusOf } = await load('recon/map/corpus.js');

/** Larger files are no hand-written source. */
const MOST_BYTES = 1 << 20;

const git = (folder, args, input) => execFileSync('git', ['--git-dir', folder, ...args], { maxBuffer: 1 << 30, input });

function listTree(folder, commit) {
  return git(folder, ['ls-tree', '-r', '-z', commit])
    .toString()
    .split('\0')
    .filter(Boolean)
    .map((entry) => {
      const [meta, path] = entry.split('\t');
      return { id: meta.split(' ')[2], path };
    });
}

async function extractMissing(folder, files, known) {
  const missing = files.filter(({ id }) => !known.has(id));
  if (missing.length === 0) return;
  const blobs = git(folder, ['cat-file', '--batch'], `${missing.map(({ id }) => id).join('\n')}\n`);
  let at = 0;
  for (const { id, path } of missing) {
    const newline = blobs.indexOf(10, at);
    const header = blobs.toString('latin1', at, newline).split(' ');
    // A snapshot can lack its largest blobs: git then answers with the id and `missing`.
    const size = header[1] === 'missing' ? -1 : Number(header[2]);
    at = newline + 1;
    if (size < 0) continue;
    const text = blobs.toString('utf8', at, at + size);
    at += size + 1;
    if (size <= MOST_BYTES) known.set(id, await extractFacts(readerOf(path), text));
  }
}

const rows = readFileSync(data, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));
rows.sort((a, b) => (a.snapshot < b.snapshot ? -1 : a.snapshot > b.snapshot ? 1 : a.id < b.id ? -1 : 1));
mkdirSync(out, { recursive: true });
const known = new Map();
let snapshot;
for (const row of rows) {
  const folder = join(mirrors, row.snapshot.replace('/', '+'), 'repo');
  const target = join(out, `${row.id.replace(/[^\w.-]/g, '_')}.json`);
  if (row.source !== values.source || existsSync(target) || !existsSync(folder)) continue;
  if (snapshot !== row.snapshot) known.clear();
  snapshot = row.snapshot;
  const list = listTree(folder, row.base_commit);
  const sources = list.filter(({ path }) => readerOf(path)?.dialect?.grammar && roleOf(path, '', 0).role === 'source');
  await extractMissing(folder, sources, known);
  const facts = new Map(sources.flatMap(({ path, id }) => (known.has(id) ? [[path, known.get(id)]] : [])));
  const view = new TrackedView(
    new MemorySource(
      list.map(({ path }) => {
        const own = facts.get(path);
        return own ? { path, surface: own.surface, facts: own, language: readerOf(path).language } : { path };
      }),
    ),
  );
  const edges = new Map(
    [...facts].map(([path, own]) => [path, linkFile(path, own, readerOf(path).language, view).edges]),
  );
  const corpus = corpusOf(facts, edges);
  writeFileSync(target, JSON.stringify({ ...corpus, listed: list.map(({ path }) => path) }));
  console.error(
    `${row.id}: ${corpus.paths.length} files, ${corpus.symbols.length} symbols, ${corpus.edges.length} edges`,
  );
}
