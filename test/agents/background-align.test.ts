/** When a search starts an align: once for a state, once in a rebase, never where it is switched off. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runBackgroundAlign } from '../../src/cli/background-align.js';
import { readIndex } from '../../src/io/index-folder.js';
import { indexDirFor } from '../../src/io/index-location.js';
import { takeLock } from '../../src/io/lock.js';
import { alignInBackground, claimBackgroundAlign, headOf, operationIn } from '../../src/shim/background-align.js';
import { removeFolder } from '../support/remove-folder.js';
import { Shop } from './shop.js';

const ID = 'a'.repeat(40);
let folder: string;
let git: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'sidecar-align-')));
  git = join(folder, '.git');
  mkdirSync(join(git, 'refs/heads'), { recursive: true });
});
afterEach(() => removeFolder(folder));

/** As if the last start was so long ago. */
const age = (seconds: number): void => {
  const then = Date.now() / 1000 - seconds;
  utimesSync(join(folder, 'background-align.started'), then, then);
};

test('HEAD, as git writes it', () => {
  expect(headOf(git)).toBeUndefined();
  writeFileSync(join(git, 'HEAD'), `${ID}\n`);
  expect(headOf(git)).toBe(ID);
  writeFileSync(join(git, 'HEAD'), 'ref: refs/heads/main\n');
  expect(headOf(git)).toBeUndefined();
  writeFileSync(join(git, 'packed-refs'), `# pack-refs\n${ID} refs/heads/main\n`);
  expect(headOf(git)).toBe(ID);
  writeFileSync(join(git, 'refs/heads/main'), `${'b'.repeat(40)}\n`);
  expect(headOf(git)).toBe('b'.repeat(40));
  writeFileSync(join(git, 'HEAD'), 'ref: refs/heads/.invalid\n');
  expect(headOf(git)).toBeUndefined();
});

test('one start for a state, and a pause between two states', () => {
  expect(claimBackgroundAlign(folder, 'one', undefined)).toBe(true);
  expect(claimBackgroundAlign(folder, 'two', undefined)).toBe(false);
  age(-1);
  expect(claimBackgroundAlign(folder, 'two', undefined)).toBe(false);
  age(5);
  expect(claimBackgroundAlign(folder, 'one', undefined)).toBe(false);
  expect(claimBackgroundAlign(folder, 'two', undefined)).toBe(true);
  age(120);
  expect(claimBackgroundAlign(folder, 'two', undefined)).toBe(true);
});

test('in a rebase or a merge only once, whatever changes', () => {
  mkdirSync(join(git, 'rebase-merge'));
  const operation = operationIn(git);
  expect(operation).toMatch(/^rebase-merge /);
  expect(claimBackgroundAlign(folder, 'one', operation)).toBe(true);
  age(500);
  expect(claimBackgroundAlign(folder, 'two', operation)).toBe(false);
  rmSync(join(git, 'rebase-merge'), { recursive: true });
  expect(operationIn(git)).toBeUndefined();
  expect(claimBackgroundAlign(folder, 'two', undefined)).toBe(true);
});

test('nothing is started where nothing is behind, or where it is switched off', async () => {
  writeFileSync(join(git, 'HEAD'), `${ID}\n`);
  const main = join(folder, 'main.cjs');
  writeFileSync(main, '');
  const asked = { tree: { root: folder, index: folder }, main, env: { PATH: process.env.PATH } };
  expect(await alignInBackground({ ...asked, commit: ID, edited: [] })).toBe(false);
  expect(await alignInBackground({ ...asked, commit: 'b'.repeat(40), edited: [], env: { SIDECAR_ALIGN: 'off' } })).toBe(
    false,
  );
  expect(await alignInBackground({ ...asked, commit: 'b'.repeat(40), edited: [] })).toBe(true);
  expect(await alignInBackground({ ...asked, commit: 'b'.repeat(40), edited: [] })).toBe(false);
});

test('an align in the background follows the work tree, and leaves word where another is running', async () => {
  const shop = await Shop.open();
  try {
    const index = indexDirFor(shop.root, shop.env);
    const files = (): number | undefined => readIndex(index)?.counts.files;
    const before = files() ?? 0;
    shop.write('shop/new.py', 'def fresh():\n    pass\n');
    const running = await takeLock(join(index, 'background'), 0);
    await runBackgroundAlign({}, shop.streams({ SIDECAR_ALIGN: '' }));
    expect(files()).toBe(before);
    running?.release();
    await runBackgroundAlign({}, shop.streams({ SIDECAR_ALIGN: '' }));
    expect(files()).toBe(before + 1);
    expect(shop.printed).toBe('');
  } finally {
    await shop.close();
  }
}, 60_000);
