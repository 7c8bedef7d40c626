/** What a killed align leaves behind: finished where its transaction committed, thrown away where it did not. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { recover, Staging } from '../../src/io/publication.js';
import { JOURNAL_FILE } from '../../src/sidecars/layout.js';

let generation: string;
beforeEach(() => {
  generation = mkdtempSync(join(tmpdir(), 'sidecar-publication-'));
  mkdirSync(join(generation, 'files'));
  writeFileSync(join(generation, 'files/a.json'), 'old a');
  writeFileSync(join(generation, 'files/gone.json'), 'old gone');
});
afterEach(() => rmSync(generation, { recursive: true, force: true }));

const text = (path: string): string => readFileSync(join(generation, path), 'utf8');

function staged(): Staging {
  const staging = new Staging(generation, 'this one');
  staging.put('files/a.json', 'new a');
  staging.put('files/deep/b.json', 'new b');
  staging.remove('files/gone.json');
  return staging;
}

it('finishes what was committed', () => {
  recover(generation, staged().publication());
  expect(text('files/a.json')).toBe('new a');
  expect(text('files/deep/b.json')).toBe('new b');
  expect(existsSync(join(generation, 'files/gone.json'))).toBe(false);
  expect(existsSync(join(generation, 'next'))).toBe(false);
  expect(existsSync(join(generation, JOURNAL_FILE))).toBe(false);
});

it('finishes what was half moved', () => {
  const publication = staged().publication();
  writeFileSync(join(generation, JOURNAL_FILE), '{}');
  writeFileSync(join(generation, 'files/a.json'), 'new a');
  rmSync(join(generation, 'next/0'));
  recover(generation, publication);
  expect(text('files/a.json')).toBe('new a');
  expect(text('files/deep/b.json')).toBe('new b');
  expect(existsSync(join(generation, JOURNAL_FILE))).toBe(false);
});

it('throws away what was not committed, also after an earlier publication', () => {
  const earlier = { token: 'an earlier one', moves: [{ path: 'files/a.json' }] };
  for (const committed of [undefined, earlier]) {
    staged();
    recover(generation, committed);
    expect(text('files/a.json')).toBe('old a');
    expect(text('files/gone.json')).toBe('old gone');
    expect(existsSync(join(generation, 'files/deep'))).toBe(false);
    expect(existsSync(join(generation, 'next'))).toBe(false);
  }
});
