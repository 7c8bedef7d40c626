import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';

// Newer versions of Node keep compiled code themselves, in files of their own.
const own = Number(process.versions.node.split('.')[0]) < 22;
const COMMAND = resolve('dist/cli/main.js');
let cache = '';
const folders: string[] = [];

beforeEach(() => {
  cache = mkdtempSync(join(tmpdir(), 'sidecar-code-'));
  folders.push(cache);
});
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

const help = (): { readonly status: number | null; readonly text: string } => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [COMMAND, 'build', '--help'], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, XDG_CACHE_HOME: cache },
  });
  return { status, text: stdout + stderr };
};

/** The one file of compiled code. */
const kept = (): string => {
  const folder = join(cache, 'sidecar', '.code');
  const [installation = ''] = readdirSync(folder);
  return join(folder, installation, 'build.bin');
};

test.skipIf(!own)('a second run has the code of the first and says the same', () => {
  const first = help();
  const { mtimeMs } = statSync(kept());
  expect(first).toMatchObject({ status: 0, text: expect.stringContaining('Usage: sidecar build') });
  expect(help()).toEqual(first);
  expect(statSync(kept()).mtimeMs).toBe(mtimeMs);
});

test.skipIf(!own)('code with a flipped bit is never run, and made anew', () => {
  const first = help();
  const bytes = readFileSync(kept());
  for (const at of [0, 5, 40, bytes.length >> 1, bytes.length - 1]) {
    const flipped = Buffer.from(bytes);
    flipped.writeUInt8((flipped[at] ?? 0) ^ 0x10, at);
    writeFileSync(kept(), flipped);
    expect(help()).toEqual(first);
    expect(readFileSync(kept()).equals(flipped)).toBe(false);
  }
});

test.skipIf(!own)('code that others may have written is not run', () => {
  const first = help();
  writeFileSync(kept(), readFileSync(kept()), { mode: 0o666 });
  chmodSync(kept(), 0o666);
  expect(help()).toEqual(first);
  expect(statSync(kept()).mode & 0o022).toBe(0);
});

test('where nothing can be kept, commands run as always', () => {
  writeFileSync(join(cache, 'sidecar'), 'a file where the folder should be');
  expect(help()).toMatchObject({ status: 0, text: expect.stringContaining('Usage: sidecar build') });
});
