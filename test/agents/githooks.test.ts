/** Git hooks that align: beside whatever is there, and gone without a trace. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { withAlign } from '../../src/agents/git-hooks.js';
import type { Streams } from '../../src/cli/context.js';
import { installGithooks, uninstallGithooks } from '../../src/cli/githooks.js';
import { removeFolder } from '../support/remove-folder.js';

let base: string;
let root: string;
let streams: Streams;
const NAMES = ['post-checkout', 'post-commit', 'post-merge', 'post-rewrite'] as const;

function git(...args: string[]): string {
  const { stdout, stderr, status } = spawnSync(
    'git',
    ['-c', 'user.name=a', '-c', 'user.email=a@example.org', '-c', 'commit.gpgsign=false', ...args],
    { cwd: root, encoding: 'utf8', env: { PATH: process.env.PATH, HOME: base, GIT_CONFIG_NOSYSTEM: '1' } },
  );
  expect(status, stderr).toBe(0);
  return stdout;
}

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'sidecar-githooks-'));
  root = join(base, 'repository');
  mkdirSync(root);
  git('init', '-q');
  rmSync(join(root, '.git/hooks'), { recursive: true, force: true });
  streams = {
    out: () => {},
    error: () => {},
    interactive: false,
    colour: false,
    cwd: root,
    env: { HOME: base, PATH: process.env.PATH },
  };
});
afterEach(() => removeFolder(base));

const hook = (name: string): string => join(root, '.git/hooks', name);
function put(name: string, text: string, mode = 0o755): void {
  mkdirSync(join(root, '.git/hooks'), { recursive: true });
  writeFileSync(hook(name), text);
  chmodSync(hook(name), mode);
}

/** Puts the hooks in with a stand-in for sidecar, which writes a line for each start. */
function standIn(): () => number {
  const main = join(base, 'main.cjs');
  const starts = join(base, 'starts');
  writeFileSync(main, `require('fs').appendFileSync(${JSON.stringify(starts)}, 'x')`);
  for (const name of NAMES) {
    const before = existsSync(hook(name)) ? { content: readFileSync(hook(name)), runs: true } : undefined;
    const added = withAlign(name, before, { node: process.execPath, main, beside: `${name}.before-sidecar` });
    if (added.kind !== 'present') put(name, added.text.toString('latin1'));
  }
  return () => {
    // The hook does not wait for what it starts.
    let count = -1;
    for (let last = -2, calm = 0; calm < 4; last = count) {
      spawnSync('sleep', ['0.15']);
      count = existsSync(starts) ? readFileSync(starts, 'utf8').length : 0;
      calm = count === last ? calm + 1 : 0;
    }
    return count;
  };
}

test('where there were none: added, executable, and removed', async () => {
  await installGithooks({}, streams);
  for (const name of NAMES) expect(statSync(hook(name)).mode & 0o777).toBe(0o755);
  const before = NAMES.map((name) => readFileSync(hook(name), 'utf8'));
  await installGithooks({}, streams);
  expect(NAMES.map((name) => readFileSync(hook(name), 'utf8'))).toEqual(before);
  await uninstallGithooks({}, streams);
  expect(existsSync(hook('post-commit'))).toBe(false);
});

test.each([
  ['a script that ends early', '#!/bin/sh\necho ran >>ran\nexit 0\n', 0o755],
  ['a script with bytes that are no text', '#!/usr/bin/env bash\n# \u00ff\necho ran >>ran', 0o700],
  ['a program that is no shell script', '#!/usr/bin/env node\nrequire("fs").appendFileSync("ran", "ran\\n");\n', 0o755],
])('%s runs on, and comes back to the byte', async (_, text, mode) => {
  put('post-commit', text, mode);
  const bytes = readFileSync(hook('post-commit'));
  await installGithooks({}, streams);
  writeFileSync(join(root, 'a'), '1');
  git('add', 'a');
  git('commit', '-q', '-m', 'one');
  expect(readFileSync(join(root, 'ran'), 'utf8')).toBe('ran\n');
  await uninstallGithooks({}, streams);
  expect(readFileSync(hook('post-commit')).equals(bytes)).toBe(true);
  expect(statSync(hook('post-commit')).mode & 0o777).toBe(mode);
  expect(readdirSync(join(root, '.git/hooks'))).toEqual(['post-commit']);
});

test('a hook that its mode has switched off stays off', async () => {
  put('post-commit', '#!/bin/sh\necho ran >>ran\n', 0o644);
  await installGithooks({}, streams);
  git('commit', '-q', '--allow-empty', '-m', 'one');
  expect(existsSync(join(root, 'ran'))).toBe(false);
  await uninstallGithooks({}, streams);
  expect(statSync(hook('post-commit')).mode & 0o777).toBe(0o644);
});

test('core.hooksPath is where they go', async () => {
  git('config', 'core.hooksPath', '.githooks');
  await installGithooks({}, streams);
  expect(readdirSync(join(root, '.githooks')).sort()).toEqual([...NAMES]);
  expect(existsSync(join(root, '.git/hooks'))).toBe(false);
  await uninstallGithooks({}, streams);
  expect(existsSync(join(root, '.githooks'))).toBe(false);
});

test('commits and checkouts align; a rebase does when it ends', () => {
  const starts = standIn();
  for (const name of ['one', 'two', 'three']) git('commit', '-q', '--allow-empty', '-m', name);
  git('checkout', '-q', '-b', 'other', 'HEAD~1');
  const before = starts();
  expect(before).toBe(4);
  git('rebase', '-q', '--force-rebase', '--keep-empty', 'HEAD~1');
  const during = starts() - before;
  expect(during).toBeGreaterThan(0);
  expect(during).toBeLessThanOrEqual(2);
}, 30_000);

test('git does not fail with a sidecar that is gone', async () => {
  for (const name of NAMES) {
    const added = withAlign(name, undefined, { node: '/no/node', main: '/no/main.js', beside: 'x' });
    if (added.kind !== 'present') put(name, added.text.toString());
  }
  git('commit', '-q', '--allow-empty', '-m', 'one');
  git('checkout', '-q', '-b', 'other');
});

test('outside of a repository there is nothing to do it to', async () => {
  await expect(installGithooks({}, { ...streams, cwd: base })).rejects.toThrow('not in a git repository');
});
