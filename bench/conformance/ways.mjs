// The three ways in which the same work is done, with one folder first on PATH whose `grep` is all that differs.
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { must, plainEnvironment } from './commands.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * `real`: the tool itself. `shim`: the launcher, as an agent has it. `supervised`: the launcher with
 * SIDECAR_MODE=always, so that whoever reads the output every search is run twice under a supervisor that its flags
 * allow, and with a budget in which no block fits: the output must still be the same to the byte.
 */
export const WAYS = ['real', 'shim', 'supervised'];

/** Indexes the folder, so that the launcher has every reason to augment what runs in it. */
export function index(folder, work) {
  const env = { ...plainEnvironment(), XDG_CACHE_HOME: join(work, 'cache') };
  must(process.execPath, [join(ROOT, 'dist/cli/main.js'), 'build', '--quiet'], { cwd: folder, env });
}

/**
 * Makes `front/grep` what the way says, and returns the environment for it.
 * @param {{ front: string, real: string, work: string, counted?: boolean }} place `counted`: decisions are written down
 */
export function environmentOf(way, { front, real, work, counted = true }) {
  const grep = join(front, 'grep');
  mkdirSync(front, { recursive: true });
  rmSync(grep, { force: true });
  const env = { ...plainEnvironment(), XDG_CACHE_HOME: join(work, 'cache') };
  env.PATH = `${front}:${env.PATH}`;
  if (way === 'real') {
    symlinkSync(real, grep);
    return env;
  }
  if (way === 'shim') symlinkSync(join(ROOT, 'shims/grep'), grep);
  else {
    // GNU grep's tests leave descriptor 9 open, which alone is a reason for the launcher not to augment.
    writeFileSync(grep, `#!/bin/sh\nexec ${join(ROOT, 'shims/grep')} "$@" 9>&-\n`);
    chmodSync(grep, 0o755);
    env.SIDECAR_MODE = 'always';
    env.SIDECAR_BUDGET = '1';
  }
  env.SIDECAR_REAL_GREP = real;
  env.SIDECAR_NODE = process.execPath;
  if (counted) env.SIDECAR_LOG = logOf(way, work);
  return env;
}

const logOf = (way, work) => join(work, `log-${way}`);

/** How often the launcher decided what since the last time: `exec flag 12, none no-anchor 3`. */
export function decisions(way, work) {
  const file = logOf(way, work);
  if (!existsSync(file)) return { calls: 0, text: 'no call' };
  const counts = new Map();
  let calls = 0;
  for (const line of readFileSync(file, 'latin1').split('\n')) {
    const found = /"decision":"(\w+)","why":"([\w-]+)"/.exec(line);
    if (!found) continue;
    calls += 1;
    const name = found.slice(1).join(' ');
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  rmSync(file);
  const sorted = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  return { calls, text: sorted.map(([name, count]) => `${name} ${count}`).join(', ') };
}
