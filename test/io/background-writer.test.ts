import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
// As built: its thread is a file of its own.
import { BackgroundWriter } from '../../dist/io/background-writer.js';

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});
const folder = (): string => {
  const made = mkdtempSync(join(tmpdir(), 'sidecar-writer-'));
  folders.push(made);
  return made;
};

test('all files are there when it has finished', async () => {
  const at = folder();
  const writer = new BackgroundWriter(at);
  const text = 'ä'.repeat(10_000);
  for (let i = 0; i < 300; i++) writer.write(`${i % 7}/deep/${i}.json`, `${i}${text}`);
  await writer.finish();
  for (let i = 0; i < 300; i++) expect(readFileSync(join(at, `${i % 7}/deep/${i}.json`), 'utf8')).toBe(`${i}${text}`);
});

test('what the system refuses is said when it finishes, by its name', async () => {
  const at = folder();
  mkdirSync(join(at, 'taken'));
  const writer = new BackgroundWriter(at);
  writer.write('taken', 'text');
  writer.write('later', 'text');
  await expect(writer.finish()).rejects.toMatchObject({ code: 'EISDIR' });
});

test('what is abandoned ends', async () => {
  const writer = new BackgroundWriter(folder());
  writer.write('a', 'text');
  await writer.abandon();
});
