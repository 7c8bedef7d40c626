// Random interleavings of what can end, hang or be slow in an augmented search: the real tool, its second run, the start
// and the end of the evidence side, the deadline, a signal to the launcher, under dash, bash and busybox. Every search has
// to end in time, with the real tool's output and status or by the signal, and to leave no process behind. Not for CI:
//   node bench/shim/interleavings.mjs [--cases 300] [--seed 1]    (after `npm run build`)
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: { cases: { type: 'string', default: '300' }, seed: { type: 'string', default: '1' } },
});
const launcher = fileURLToPath(new URL('../../shims/rg', import.meta.url));
const base = realpathSync(mkdtempSync(join(tmpdir(), 'sidecar-bench-')));
mkdirSync(join(base, 'index'));
writeFileSync(join(base, 'index/index.json'), '{}');
const real = join(base, 'real');
const node = join(base, 'node');
const ENDLESS = '98712';
writeFileSync(
  real,
  `#!/bin/sh
case $* in *--null*) exec sleep "$SECOND_RUN" ;; esac
sleep "$REAL_RUN"
echo a.py:x
exit "$STATUS"
`,
  { mode: 0o755 },
);
// A stand-in for the evidence side: it may take its name, and ends by itself or by a signal. One that has its name keeps
// its own deadline, so only one without goes on for ever.
writeFileSync(
  node,
  `#!/bin/sh
[ "$NAMED" = 0 ] || printf sidecar >/proc/self/comm
case $EVIDENCE_RUN in ${ENDLESS}) exec sleep ${ENDLESS} ;; esac
sleep "$EVIDENCE_RUN" 3>&-
[ "$KILLED" = 0 ] || kill -KILL $$
`,
  { mode: 0o755 },
);

/** Mulberry32: the same cases for the same seed. */
let state = Number(values.seed) >>> 0;
function random() {
  state = (state + 0x6d2b79f5) >>> 0;
  let t = Math.imul(state ^ (state >>> 15), state | 1);
  t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
  return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
}
const one = (...list) => list[Math.floor(random() * list.length)];

const SHELLS = [['dash'], ['bash'], ['busybox', 'sh']].filter(
  ([program, ...args]) => spawnSync(program, [...args, '-c', 'true']).status === 0,
);
const left = () =>
  spawnSync('ps', ['-eo', 'pid,args'], { encoding: 'utf8' })
    .stdout.split('\n')
    .filter((line) => line.endsWith(`sleep ${ENDLESS}`));

let bad = 0;
const cases = Number(values.cases);
for (let n = 0; n < cases; n += 1) {
  const [program, ...args] = one(...SHELLS);
  const named = one('0', '1');
  const settings = {
    REAL_RUN: one('0', '0.01', '0.03', '0.1'),
    SECOND_RUN: one('0', '0.05', ENDLESS, ENDLESS),
    STATUS: one('0', '0', '1', '2'),
    NAMED: named,
    EVIDENCE_RUN: named === '1' ? one('0', '0.01', '0.05', '0.2') : one('0', '0.05', '0.2', ENDLESS),
    KILLED: one('0', '1'),
    SIDECAR_DEADLINE: one('1', '20', '50', '150'),
  };
  const signal = one(undefined, undefined, 'SIGTERM', 'SIGINT', 'SIGHUP');
  const delay = one(0, 1, 2, 3, 5, 10, 20, 50, 100);
  const child = spawn(program, [...args, launcher, 'x'], {
    cwd: base,
    env: {
      PATH: process.env.PATH,
      HOME: base,
      SIDECAR_INDEX_DIR: join(base, 'index'),
      SIDECAR_MODE: 'always',
      SIDECAR_REAL_RG: real,
      SIDECAR_NODE: node,
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let error = '';
  child.stdout.on('data', (chunk) => (out += chunk));
  child.stderr.on('data', (chunk) => (error += chunk));
  const ended = new Promise((done) => child.on('close', (status, by) => done({ status, by })));
  if (signal) {
    await sleep(delay);
    child.kill(signal);
  }
  // What it may take, with room for a machine that is busy.
  const limit = (Number(settings.REAL_RUN) + Number(settings.SIDECAR_DEADLINE) / 1000 + 0.2) * 1000 + 3000;
  const end = await Promise.race([ended, sleep(limit, undefined, { ref: false })]);
  const whole = end?.status === Number(settings.STATUS) && out === 'a.py:x\n' && error === '';
  const orphans = left();
  if (!(whole || (signal && end?.by === signal)) || orphans.length > 0) {
    bad += 1;
    console.log(
      JSON.stringify({ shell: program, ...settings, signal, delay, end: end ?? 'hangs', out, error, orphans }),
    );
    child.kill('SIGKILL');
    for (const line of orphans) process.kill(Number.parseInt(line.trim(), 10), 'SIGKILL');
  }
}
console.log(`${cases} searches, ${bad} that did not end as they should`);
rmSync(base, { recursive: true, force: true });
process.exitCode = bad > 0 ? 1 : 0;
