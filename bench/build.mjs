// Time, memory and size of a build, beside the floor: reading, parsing and running the queries alone, with the same
// workers. Usage: node bench/build.mjs REPOSITORY... (after `npm run build`; --workers N, default: processors)
import { execFileSync, spawnSync } from 'node:child_process';
import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

const root = fileURLToPath(new URL('..', import.meta.url));
const command = join(root, 'dist/cli/main.js');

/** What of a repository the floor reads. */
function listed(repository) {
  const out = execFileSync('git', ['ls-files', '-z'], { cwd: repository, maxBuffer: 2 ** 30 }).toString();
  return out
    .split('\0')
    .filter((path) => path !== '' && lstatSync(join(repository, path), { throwIfNoEntry: false })?.isFile());
}

async function floor(repository, workers) {
  const paths = listed(repository);
  const started = performance.now();
  const used = process.cpuUsage();
  const share = (n) => paths.filter((_, i) => i % workers === n);
  await Promise.all(
    Array.from({ length: workers }, (_, n) => {
      const worker = new Worker(new URL(import.meta.url), { workerData: { repository, paths: share(n) } });
      return new Promise((done, fail) => worker.on('exit', done).on('error', fail));
    }),
  );
  const { user, system } = process.cpuUsage(used);
  return { wall: (performance.now() - started) / 1000, cpu: (user + system) / 1e6 };
}

const bytesOf = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);

async function main() {
  const args = process.argv.slice(2);
  const at = args.indexOf('--workers');
  const workers = at < 0 ? availableParallelism() : Number(args.splice(at, 2)[1]);
  const rows = [];
  for (const repository of args.map((path) => resolve(path))) {
    const least = await floor(repository, workers);
    const index = mkdtempSync(join(tmpdir(), 'sidecar-bench-'));
    const preload = `data:text/javascript,process.on('exit',()=>process.stderr.write('RSS '+process.resourceUsage().maxRSS+' '+process.uptime()+String.fromCharCode(10)))`;
    const ran = spawnSync(
      process.execPath,
      ['--import', preload, command, 'build', repository, '--json', '--index-dir', index, '--workers', String(workers)],
      { encoding: 'utf8', maxBuffer: 2 ** 28 },
    );
    if (ran.status !== 0) throw new Error(ran.stderr);
    const [, rss, seconds] = [...ran.stderr.matchAll(/RSS (\d+) ([\d.]+)/g)].reduce((a, b) =>
      Number(a[2]) > Number(b[2]) ? a : b,
    );
    const { phases, cpu } = JSON.parse(ran.stdout);
    const source = listed(repository).reduce((sum, path) => sum + lstatSync(join(repository, path)).size, 0);
    const bytes = bytesOf(index);
    rmSync(index, { recursive: true });
    const cpuTotal = Object.values(cpu).reduce((a, b) => a + b, 0) / 1000;
    rows.push(
      [
        basename(repository),
        `${least.wall.toFixed(1)} (${least.cpu.toFixed(1)})`,
        `${Number(seconds).toFixed(1)} (${cpuTotal.toFixed(1)})`,
        `${(Number(seconds) / least.wall).toFixed(2)} (${(cpuTotal / least.cpu).toFixed(2)})`,
        Math.round(Number(rss) / 1024),
        `${(bytes / 1e6).toFixed(1)} / ${(source / 1e6).toFixed(1)}`,
        (bytes / source).toFixed(2),
        Object.entries(phases)
          .filter(([, ms]) => ms >= 10)
          .map(([phase, ms]) => `${phase} ${(ms / 1000).toFixed(2)} (${(cpu[phase] / 1000).toFixed(2)})`)
          .join(', '),
      ].join(' | '),
    );
  }
  console.log(`Seconds of wall time, processor seconds of all threads in brackets; ${workers} workers.\n`);
  console.log('| repository | floor | build | build / floor | RSS MB | index / source MB | ratio | phases |');
  console.log('| --- | --- | --- | --- | --- | --- | --- | --- |');
  for (const row of rows) console.log(`| ${row} |`);
}

if (!isMainThread) {
  const { parse } = await import(join(root, 'dist/io/parser.js'));
  const { readerOf } = await import(join(root, 'dist/languages/registry.js'));
  for (const path of workerData.paths) {
    const reader = readerOf(path);
    const text = readFileSync(join(workerData.repository, path), 'utf8');
    if (reader?.dialect?.grammar) await parse(reader.language, reader.dialect, text);
  }
  parentPort.close();
} else {
  await main();
}
