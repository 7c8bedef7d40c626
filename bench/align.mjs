// Aligns along the last N commits of each repository, from the oldest to the newest, and compares every Kth state
// with a build from scratch. Usage, after `npm run build`:
//   node bench/align.mjs [--commits 200] [--every 20] [--plot FOLDER] REPOSITORY...
// --plot writes <repository>.svg: the time of each align by the number of files that it changed.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { scatter } from './plot.mjs';
import { git, quantile, sidecar, spread } from './whole-process.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    commits: { type: 'string', default: '200' },
    every: { type: 'string', default: '20' },
    plot: { type: 'string' },
  },
});
const commits = Number(values.commits);
const every = Number(values.every);

console.log('Whole process, milliseconds. Median / 95th percentile / maximum.\n');
console.log(
  '| repository | build ms | aligns | files changed | align ms | one to ten files: ms | build / align | equal to a build |',
);
console.log('| --- | --- | --- | --- | --- | --- | --- | --- |');
for (const repository of positionals.map((path) => resolve(path))) {
  const index = mkdtempSync(join(tmpdir(), 'sidecar-bench-'));
  const newestFirst = await git(repository, 'rev-list', '--first-parent', '-n', String(commits + 1), 'HEAD');
  const states = newestFirst.reverse();
  const where = ['--index-dir', index];
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
  const median = quantile(few, 0.5);
  const cells = [
    basename(repository),
    built.toFixed(0),
    steps.length,
    spread(steps.map(({ changed }) => changed)),
    spread(steps.map(({ ms }) => ms)),
    spread(few),
    median === 0 ? '-' : (built / median).toFixed(0),
    `${equal} of ${checked}`,
  ];
  console.log(`| ${cells.join(' | ')} |`);
  if (values.plot) {
    const plot = {
      title: `${basename(repository)}: ${steps.length} consecutive commits`,
      x: 'files changed',
      y: 'align, ms, whole process',
      points: steps.map(({ ms, changed }) => ({ x: changed, y: ms })),
    };
    writeFileSync(join(values.plot, `align-${basename(repository)}.svg`), scatter(plot));
  }
  rmSync(index, { recursive: true });
}
