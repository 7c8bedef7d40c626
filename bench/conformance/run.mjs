// Work of other people with the launcher of grep first on PATH: GNU grep's own tests, BusyBox's grep tests, and an
// autoconf configure. The same tests have to pass, and configure has to write the same bytes, as with the real grep.
// After `npm run build`, on Debian with a C compiler; not for CI:
//   node bench/conformance/run.mjs [--only gnu|busybox|configure] [--sources FOLDER] [--work FOLDER]
//                                  [--package NAME] [--pairs N]
// FOLDER of sources: unpacked source packages (`grep-3.8` and so on); what is not there is fetched with apt-get.
// FOLDER of work is kept and used again. Exits with 1 where anything differs.
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { busyboxGrep } from './busybox.mjs';
import { configured } from './configure.mjs';
import { gnuGrep } from './gnu-grep.mjs';
import { sourcesIn } from './sources.mjs';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    sources: { type: 'string' },
    work: { type: 'string' },
    package: { type: 'string', default: 'coreutils' },
    pairs: { type: 'string', default: '1' },
  },
});
const work = values.work ? resolve(values.work) : realpathSync(mkdtempSync(join(tmpdir(), 'sidecar-conformance-')));
const folder = values.sources ? resolve(values.sources) : join(work, 'sources');
mkdirSync(folder, { recursive: true });
const sources = sourcesIn(folder, work);
let different = false;

/** A line for each way: how many tests ended how; then the tests that ended otherwise than with the real tool. */
function report(title, ways) {
  console.log(title);
  const [real] = ways;
  for (const { way, outcomes, decisions } of ways) {
    const counts = new Map();
    for (const outcome of outcomes.values()) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
    const passed = counts.get('PASS') ?? 0;
    const others = [...counts].filter(([name]) => name !== 'PASS').sort();
    console.log(`  ${way}: ${passed} pass${others.map(([name, count]) => `, ${count} ${name}`).join('')}`);
    if (way !== 'real') console.log(`    ${decisions}`);
    for (const name of [...new Set([...real.outcomes.keys(), ...outcomes.keys()])].sort()) {
      const [before, now] = [real.outcomes.get(name), outcomes.get(name)];
      if (before === now) continue;
      different = true;
      console.log(`    ${name}: ${before ?? 'not run'} with the real tool, ${now ?? 'not run'} here`);
    }
  }
}

const wanted = (name) => !values.only || values.only === name;
if (wanted('gnu')) report("GNU grep's tests", gnuGrep(sources, work));
if (wanted('busybox')) {
  for (const [tool, ways] of busyboxGrep(sources, work)) report(`BusyBox's grep tests, ${tool} as the real tool`, ways);
}
if (wanted('configure')) {
  const result = configured(sources, work, { name: values.package, pairs: Number(values.pairs) });
  if (result.differing.length > 0) different = true;
  console.log(`configure of ${values.package}: ${result.calls} calls of grep (${result.decisions})`);
  console.log(`  ${result.compared} files written, ${result.differing.length} differ ${result.differing.join(' ')}`);
  const ratio = (result.shim / result.real).toFixed(3);
  console.log(`  ${result.real.toFixed(1)} s without, ${result.shim.toFixed(1)} s with the launcher: ${ratio}`);
}
if (!values.work) rmSync(work, { recursive: true, force: true });
process.exitCode = different ? 1 : 0;
