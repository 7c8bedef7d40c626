// What the shim costs: the same search with and without it, in turns, medians of the pairs. After `npm run build`:
//   node bench/shim/run.mjs [--pairs N] [--json FILE] REPOSITORY...
// Each REPOSITORY is a work tree with an index; a synthetic one with an index of 1,000 and of 50,000 files is added.
// Nothing else should run on the machine: the load is printed with the table.
import { spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { basename, delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { rgPath } from '@vscode/ripgrep';
import { indexDirFor } from '../../dist/io/index-location.js';
import { sidecarPath } from '../../dist/sidecars/layout.js';
import { packSidecar } from '../../dist/sidecars/stored.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { pairs: { type: 'string', default: '31' }, json: { type: 'string' } },
});
const pairs = Number(values.pairs);
const missing = positionals.find((path) => !existsSync(path));
if (missing !== undefined) {
  console.error(`shim: no folder ${missing}: give the work trees of indexed repositories`);
  process.exit(2);
}
const root = fileURLToPath(new URL('../..', import.meta.url));
const base = realpathSync(mkdtempSync(join(tmpdir(), 'sidecar-bench-')));

const raw = { ...process.env };
for (const name of Object.keys(raw)) if (/^SIDECAR_|^CLAUDECODE$|^RIPGREP_/.test(name)) delete raw[name];
const rest = (process.env.PATH ?? '').split(delimiter).filter((folder) => !/shims\/?$/.test(folder));
raw.PATH = [dirname(rgPath), ...rest].join(delimiter);
const log = join(base, 'log');
const shimmed = { ...raw, PATH: [join(root, 'shims'), raw.PATH].join(delimiter), SIDECAR_NODE: process.execPath };

/** Milliseconds of one run, started as an agent does it: a shell, no stdin, pipes. */
function time(command, env, cwd) {
  return new Promise((done, fail) => {
    const start = process.hrtime.bigint();
    const child = spawn('bash', ['-c', command], { cwd, env, stdio: ['ignore', 'pipe', 'ignore'] });
    child.stdout.resume();
    child.on('error', fail);
    child.on('close', () => done(Number(process.hrtime.bigint() - start) / 1e6));
  });
}

const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];

async function measure(name, command, cwd, more = {}) {
  const env = { ...shimmed, ...more };
  const rawTimes = [];
  const added = [];
  let blocks = 0;
  await time(command, raw, cwd);
  await time(command, env, cwd);
  for (let n = 0; n < pairs; n += 1) {
    rmSync(log, { force: true });
    const session = { SIDECAR_SESSION: `bench ${n} ${process.pid}` };
    const before = await time(command, raw, cwd);
    const after = await time(command, { ...env, ...session, ...(n === 0 ? { SIDECAR_LOG: log } : {}) }, cwd);
    if (n === 0) blocks = existsSync(log) && readFileSync(log, 'utf8').includes('"decision":"block"') ? 1 : 0;
    rawTimes.push(before);
    added.push(after - before);
  }
  const row = { name, raw: median(rawTimes), added: median(added), block: blocks === 1 };
  console.log(`| ${name} | ${row.raw.toFixed(1)} | ${row.added.toFixed(1)} | ${row.block ? 'yes' : 'no'} |`);
  return row;
}

/** The most memory that the evidence side of one search held, in MB. */
async function memory(command, cwd) {
  const env = { ...shimmed, SIDECAR_SESSION: `memory ${process.pid}` };
  const child = spawn('bash', ['-c', command], { cwd, env, stdio: ['ignore', 'pipe', 'ignore'] });
  child.stdout.resume();
  let most = 0;
  const ended = new Promise((done) => child.on('close', done));
  let over = false;
  ended.then(() => {
    over = true;
  });
  while (!over) {
    for (const name of readdirSync('/proc')) {
      if (!/^\d+$/.test(name)) continue;
      try {
        const status = readFileSync(`/proc/${name}/status`, 'utf8');
        if (!status.startsWith('Name:\tsidecar\n') && !status.startsWith('Name:\tnode\n')) continue;
        if (!readFileSync(`/proc/${name}/environ`, 'utf8').includes(env.SIDECAR_SESSION)) continue;
        most = Math.max(most, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
      } catch {
        // It has ended.
      }
    }
    await new Promise((done) => setTimeout(done, 1));
  }
  return most;
}

/** A small repository whose index has many more files than the search finds. */
function synthetic(files) {
  const tree = join(base, `synthetic-${files}`);
  mkdirSync(join(tree, '.git'), { recursive: true });
  const index = indexDirFor(tree, raw);
  const path = (n) => `src/f${n % 100}/m${n}.py`;
  for (let n = 0; n < 40; n += 1) {
    mkdirSync(join(tree, dirname(path(n))), { recursive: true });
    writeFileSync(join(tree, path(n)), `def needle_${n}():\n    return needle\n`);
  }
  for (let n = 0; n < files; n += 1) {
    const other = (by) => path((n * by + by) % files);
    const items = Array.from({ length: 20 }, (_, i) => ({ path: other(i + 2), confidence: 0.9, provenance: 'import' }));
    const together = Array.from({ length: 20 }, (_, i) => ({ path: other(i + 3), score: 1 / (i + 2), commits: 3 }));
    const target = join(index, sidecarPath(path(n)));
    mkdirSync(dirname(target), { recursive: true });
    const sidecar = {
      schemaVersion: 1,
      path: path(n),
      content: '0'.repeat(40),
      language: 'python',
      role: 'source',
      lines: 2,
      symbols: [
        {
          name: `needle_${n}`,
          kind: 'function',
          line: 1,
          endLine: 2,
          signature: `def needle_${n}()`,
          neighbours: { callers: { total: 20, items } },
        },
      ],
      neighbours: { changedTogether: { total: 20, items: together }, importedBy: { total: 20, items } },
      flows: [],
    };
    writeFileSync(target, `${JSON.stringify(packSidecar(sidecar))}\n`);
  }
  writeFileSync(
    join(index, 'index.json'),
    JSON.stringify({ schemaVersion: 1, commit: null, tree: 'plain', counts: {} }),
  );
  return { tree, index };
}

console.log(`load ${loadavg()[0].toFixed(2)}, ${pairs} pairs, Node ${process.version}`);
console.log('| search | raw ms | added ms | block |\n| --- | --- | --- | --- |');
const rows = [];
const indexes = [];
try {
  const empty = join(base, 'no-index');
  mkdirSync(join(empty, '.git'), { recursive: true });
  writeFileSync(join(empty, 'a.py'), 'needle\n');
  rows.push(await measure('no index: rg', 'rg needle; true', empty));
  rows.push(await measure('no index: grep', 'grep needle a.py; true', empty));
  for (const files of [1000, 50_000]) {
    const { tree, index } = synthetic(files);
    indexes.push(index);
    const named = files.toLocaleString('en');
    rows.push(await measure(`${named} files, exec by flag: rg -l`, 'rg -l needle; true', tree));
    rows.push(await measure(`${named} files, exec by flag: grep -c`, 'grep -c needle src/f1/m1.py; true', tree));
    rows.push(await measure(`${named} files, exec by reader: rg in $( )`, 'x=$(rg needle)', tree));
    rows.push(await measure(`${named} files, SIDECAR_MODE=off`, 'rg needle; true', tree, { SIDECAR_MODE: 'off' }));
    rows.push(await measure(`${named} files, no match: rg`, 'rg nothing_here; true', tree));
    rows.push(await measure(`${named} files: rg`, 'rg -n needle; true', tree));
    rows.push(await measure(`${named} files: grep -rn`, 'grep -rn needle src; true', tree));
    const most = await memory('rg -n needle; true', tree);
    console.log(`| ${named} files: memory of the evidence side, MB | | ${most.toFixed(0)} | |`);
  }
  for (const repository of positionals.map((path) => resolve(path))) {
    const words = spawnSync(
      'bash',
      ['-c', 'git ls-files | head -2000 | xargs grep -hoE "[a-z_]{12,}" | sort | uniq -c | sort -rn | sed -n "150p"'],
      { cwd: repository, encoding: 'utf8', env: raw },
    );
    const word = words.stdout.trim().split(/\s+/)[1] ?? 'return';
    rows.push(await measure(`${basename(repository)}: rg -n ${word}`, `rg -n ${word}; true`, repository));
    rows.push(await measure(`${basename(repository)}: grep -rn ${word}`, `grep -rn ${word} .; true`, repository));
  }
  if (values.json) writeFileSync(values.json, JSON.stringify(rows, null, 1));
} finally {
  for (const folder of [base, ...indexes]) rmSync(folder, { recursive: true, force: true });
}
