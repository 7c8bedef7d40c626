// Aligns along the last N commits of each repository, from the oldest to the newest, and compares every Kth state
// with a build from scratch. Usage: node bench/align.mjs REPOSITORY... (after `npm run build`; --commits N, --every K)
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const command = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const args = process.argv.slice(2);
const option = (name, fallback) => {
  const at = args.indexOf(name);
  return at < 0 ? fallback : Number(args.splice(at, 2)[1]);
};
const commits = option('--commits', 200);
const every = option('--every', 20);

function sidecar(repository, ...words) {
  const started = performance.now();
  const ran = spawnSync(process.execPath, [command, ...words], {
    cwd: repository,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  if (ran.status === 2) throw new Error(ran.stderr);
  return { ms: performance.now() - started, report: JSON.parse(ran.stdout) };
}

const git = (repository, ...words) =>
  execFileSync('git', words, { cwd: repository, encoding: 'utf8', maxBuffer: 2 ** 28 })
    .split('\n')
    .filter(Boolean);

const at = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
const numbers = (values) => {
  const sorted = [...values].sort((a, b) => a - b);
  return [at(sorted, 0.5), at(sorted, 0.95), sorted.at(-1) ?? 0].map((value) => value.toFixed(0)).join(' / ');
};

console.log('Whole process, milliseconds. Median / 95th percentile / maximum.\n');
console.log(
  '| repository | build ms | aligns | files changed | align ms | one to ten files: ms | build / align | equal to a build |',
);
console.log('| --- | --- | --- | --- | --- | --- | --- | --- |');
for (const repository of args.map((path) => resolve(path))) {
  const index = mkdtempSync(join(tmpdir(), 'sidecar-bench-'));
  const states = git(repository, 'rev-list', '--first-parent', '-n', String(commits + 1), 'HEAD').reverse();
  const where = ['--json', '--index-dir', index];
  const built = sidecar(repository, 'build', ...where, '--commit', states[0]).ms;
  const steps = states.slice(1).map((commit) => {
    const { ms, report } = sidecar(repository, 'align', commit, ...where);
    return { ms, changed: report.changed };
  });
  let checked = 0;
  let equal = 0;
  for (let i = every; i < states.length; i += every) {
    // Back to an older state, and compared there: the way does not matter.
    const { report } = sidecar(repository, 'align', states[i], ...where, '--check', '--globals', 'always');
    checked += 1;
    equal += Number(report.differences.length === 0);
  }
  const few = steps.filter(({ changed }) => changed >= 1 && changed <= 10).map(({ ms }) => ms);
  const median = at(
    [...few].sort((a, b) => a - b),
    0.5,
  );
  const cells = [
    basename(repository),
    built.toFixed(0),
    steps.length,
    numbers(steps.map(({ changed }) => changed)),
    numbers(steps.map(({ ms }) => ms)),
    numbers(few),
    median === 0 ? '-' : (built / median).toFixed(0),
    `${equal} of ${checked}`,
  ];
  console.log(`| ${cells.join(' | ')} |`);
  rmSync(index, { recursive: true });
}
