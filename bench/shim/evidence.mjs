// Processor time of the evidence side of one search, without the search: of this build, and of other builds' bundles.
// After `npm run build`, in a work tree with an index:
//   node bench/shim/evidence.mjs [--runs 15] PATTERN [OTHER/dist/shim/evidence.cjs...]
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { rgPath } from '@vscode/ripgrep';
import { FLAGS } from '../../dist/shim/flags.js';
import { inTurns } from '../processor-time.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { runs: { type: 'string', default: '15' } },
});
const [pattern, ...others] = positionals;
const base = mkdtempSync(join(tmpdir(), 'sidecar-bench-'));
const result = join(base, 'result');
const empty = join(base, 'empty.cjs');
// Without stdin, which it would search instead of the folder.
const searched = spawnSync(rgPath, [...FLAGS.rg.override, pattern], {
  maxBuffer: 2 ** 28,
  stdio: ['ignore', 'pipe', 'inherit'],
});
if (searched.stdout.length === 0) throw new Error(`nothing here matches ${pattern}`);
writeFileSync(result, searched.stdout);
writeFileSync(empty, 'process.kill(process.pid, "SIGKILL");\n');

// The launcher is the parent, and its descriptor 8 says that the search has ended well.
const command = (script) =>
  `rm -rf '${base}/run'; exec 8</dev/null; node '${script}' rg $$ $$ $$ '${base}/run' '' "$PATTERN" <'${result}'; true`;
const scripts = [empty, fileURLToPath(new URL('../../dist/shim/evidence.cjs', import.meta.url)), ...others];
const env = {
  ...process.env,
  PATTERN: pattern,
  NODE_OPTIONS: '',
  NODE_EXTRA_CA_CERTS: '',
  SIDECAR_ALIGN: 'off',
  SIDECAR_DEADLINE: '60000',
};
const measured = inTurns(scripts.map(command), Number(values.runs), { env });
console.log('| processor time, ms: least | median | of |\n| --- | --- | --- |');
const names = ['an empty program', 'this build', ...others];
for (const [at, { least, median }] of measured.entries()) {
  console.log(`| ${least.toFixed(0)} | ${median.toFixed(0)} | ${names[at]} |`);
}
rmSync(base, { recursive: true });
