// The experiment of LARGER (arXiv 2605.16352, appendix D.2): one cached index of a recent commit, and commits from
// years of history. Each is aligned to from the cached state, once with contents that were never seen, once again with
// contents that were, and is built from scratch. Usage, after `npm run build`:
//   node bench/years.mjs [--commits 15] [--builds 3] REPOSITORY...
// --builds: of how many of the commits the build is timed (a build takes long, and varies little between neighbours).
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { git, quantile, sidecar } from './whole-process.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { commits: { type: 'string', default: '15' }, builds: { type: 'string', default: '3' } },
});
const count = Number(values.commits);
const builds = Number(values.builds);

const whole = (list) => quantile(list, 0.5).toFixed(0);

console.log('Whole process, milliseconds, medians.\n');
console.log(
  '| repository | commits, from | files changed | align, never seen | align, seen | back, seen | build | build / align, seen |',
);
console.log('| --- | --- | --- | --- | --- | --- | --- | --- |');
for (const repository of positionals.map((path) => resolve(path))) {
  const base = mkdtempSync(join(tmpdir(), 'sidecar-bench-'));
  const where = ['--index-dir', join(base, 'index')];
  const history = await git(repository, 'rev-list', '--first-parent', 'HEAD');
  const head = history[0];
  // The second half of a long history is of another project by now.
  const states = Array.from({ length: count }, (_, i) => history[Math.floor(((i + 1) * history.length) / 2 / count)]);
  sidecar(repository, 'build', ...where, '--commit', head);
  const rows = states.map((commit, i) => {
    const unseen = sidecar(repository, 'align', commit, ...where);
    const back = sidecar(repository, 'align', head, ...where).ms;
    const seen = sidecar(repository, 'align', commit, ...where).ms;
    sidecar(repository, 'align', head, ...where);
    const built =
      i % Math.ceil(count / builds) === 0
        ? [sidecar(repository, 'build', '--index-dir', join(base, String(i)), '--commit', commit).ms]
        : [];
    return { changed: unseen.report.changed, unseen: unseen.ms, back, seen, built };
  });
  const [oldest] = await git(repository, 'log', '-1', '--format=%cs', states.at(-1));
  const built = rows.flatMap((row) => row.built);
  const seen = rows.map((row) => row.seen);
  const cells = [
    basename(repository),
    `${count}, ${oldest}`,
    whole(rows.map(({ changed }) => changed)),
    whole(rows.map(({ unseen }) => unseen)),
    whole(seen),
    whole(rows.map(({ back }) => back)),
    whole(built),
    (quantile(built, 0.5) / quantile(seen, 0.5)).toFixed(0),
  ];
  console.log(`| ${cells.join(' | ')} |`);
  rmSync(base, { recursive: true });
}
