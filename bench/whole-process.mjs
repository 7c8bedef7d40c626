// What the benches of aligns have in common: whole processes of the built command, and numbers of a sample.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { simpleGit } from 'simple-git';

const command = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));

/** Runs the command with --json; milliseconds of the whole process, and its report. */
export function sidecar(repository, ...words) {
  const started = performance.now();
  const ran = spawnSync(process.execPath, [command, ...words, '--json'], {
    cwd: repository,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  if (ran.status !== 0 && ran.status !== 1) throw new Error(ran.stderr);
  return { ms: performance.now() - started, report: JSON.parse(ran.stdout) };
}

/** Lines that git prints. */
export const git = async (repository, ...words) => (await simpleGit(repository).raw(words)).split('\n').filter(Boolean);

/** The value at a share of a sample: 0.5 is the median. */
export function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** `median / 95th percentile / maximum`. */
export const spread = (values) =>
  [quantile(values, 0.5), quantile(values, 0.95), Math.max(0, ...values)].map((value) => value.toFixed(0)).join(' / ');
