/**
 * Whole processes that are killed, and several at once: the index is the old one or the new one, and the next align
 * ends equal to a build. `SIDECAR_KILLS` kills more often. Uses the compiled command (`npm run build`).
 */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { currentGeneration, readIndex } from '../../src/io/index-folder.js';
import { JOURNAL_FILE } from '../../src/sidecars/layout.js';
import { WorkTree } from '../support/work-tree.js';

const CLI = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const KILLS = Number(process.env.SIDECAR_KILLS ?? 12);
const FILES = 40;

let tree: WorkTree;
let index: string;
beforeAll(async () => {
  if (!existsSync(CLI)) throw new Error('dist/ is missing: run `npm run build` first');
  tree = new WorkTree();
  index = join(tree.base, 'index');
  edit(0);
  tree.commit('start');
  expect((await sidecar('build')).code).toBe(0);
});
afterAll(() => tree.dispose());

/** Changes every file, what it defines and whom it calls. */
function edit(round: number): void {
  for (let i = 0; i < FILES; i += 1) {
    const next = (i + 1 + round) % FILES;
    tree.write(`pkg/m${i}.py`, `from pkg.m${next} import f${next}\n\n\ndef f${i}():\n    return f${next}(${round})\n`);
  }
  tree.write(`pkg/only${round % 3}.py`, `round_${round} = ${round}\n`);
  tree.remove(`pkg/only${(round + 1) % 3}.py`);
}

interface Ended {
  readonly code: number | null;
  readonly error: string;
}

/** Runs the command in a process group of its own, and kills the group after `killAfter` milliseconds. */
function sidecar(command: string, killAfter?: number): Promise<Ended> {
  return new Promise((done) => {
    const args = [CLI, command, '--quiet', '--index-dir', index];
    const child = spawn(process.execPath, args, {
      cwd: tree.root,
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let error = '';
    child.stderr.on('data', (chunk) => {
      error += chunk;
    });
    const timer =
      killAfter === undefined
        ? undefined
        : setTimeout(() => {
            if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
          }, killAfter);
    child.on('close', (code) => {
      clearTimeout(timer);
      done({ code, error });
    });
  });
}

/** Every sidecar of the published generation is whole; without a journal there are as many as index.json counts. */
function expectWhole(): void {
  const generation = currentGeneration(index);
  const described = readIndex(index);
  if (generation === undefined || !described) throw new Error('there is no index any more');
  const names = readdirSync(join(generation, 'files'), { recursive: true, encoding: 'utf8' });
  const sidecars = names.filter((name) => name.endsWith('.json'));
  for (const name of sidecars) JSON.parse(readFileSync(join(generation, 'files', name), 'utf8'));
  if (!existsSync(join(generation, JOURNAL_FILE))) expect(sidecars.length).toBe(described.counts.files);
}

/** Deterministic, spread over the life of a process. */
const delay = (i: number, life: number): number => Math.round(((i * 0.618_033_988) % 1) * life);

async function life(command: string): Promise<number> {
  const started = performance.now();
  expect((await sidecar(command)).error).toBe('');
  return performance.now() - started;
}

for (const command of ['align', 'build']) {
  it(`${command} killed at any point leaves the old index or the new one`, async () => {
    edit(1000);
    const whole = await life(command);
    for (let i = 0; i < KILLS; i += 1) {
      edit(i);
      await sidecar(command, delay(i + 1, whole));
      expectWhole();
    }
    expect(await sidecar('align')).toEqual({ code: 0, error: '' });
    expectWhole();
    expect(await sidecar('align')).toEqual({ code: 0, error: '' });
    expect((await check()).code).toBe(0);
  });
}

function check(): Promise<Ended> {
  return new Promise((done) => {
    const child = spawn(process.execPath, [CLI, 'align', '--check', '--globals', 'always', '--index-dir', index], {
      cwd: tree.root,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        said += chunk;
      });
    }
    child.on('close', (code) => done({ code, error: said }));
  });
}

it('four aligns at once all succeed, and the index equals a build', async () => {
  edit(2000);
  const ended = await Promise.all([1, 2, 3, 4].map(() => sidecar('align')));
  expect(ended).toEqual([1, 2, 3, 4].map(() => ({ code: 0, error: '' })));
  expectWhole();
  expect((await check()).code).toBe(0);
});
