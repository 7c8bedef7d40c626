/** `sidecar doctor` says what fails, and exits with 1 where something does. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Finding } from '../../src/cli/doctor.js';
import { runDoctor } from '../../src/cli/doctor.js';
import { searchableTerm } from '../../src/cli/searchable-term.js';
import { currentGeneration } from '../../src/io/index-folder.js';
import { indexDirFor } from '../../src/io/index-location.js';
import { Shop } from './shop.js';

let shop: Shop;
beforeAll(async () => {
  shop = await Shop.open();
}, 60_000);
afterAll(() => shop.close());

async function findings(more: NodeJS.ProcessEnv = {}): Promise<{ status: number; of: (name: string) => Finding }> {
  const status = await runDoctor({ json: true }, shop.streams(more));
  const { works, findings } = JSON.parse(shop.printed) as { works: boolean; findings: Finding[] };
  expect(works).toBe(status === 0);
  return { status, of: (name) => findings.find((one) => one.name === name) as Finding };
}

test('the index, its age, and what answers in this shell', async () => {
  const { of } = await findings();
  expect(of('index').state).toBe('ok');
  expect(of('staleness')).toMatchObject({ state: 'ok', says: 'up to date' });
  expect(of('grep in this shell')).toMatchObject({ state: 'note' });
}, 60_000);

test('no index, and a switch that is off, are failures', async () => {
  const without = await findings({ SIDECAR_INDEX_DIR: `${shop.base}/none` });
  expect(without.status).toBe(1);
  expect(without.of('index').says).toContain('sidecar build');
  const off = await findings({ SIDECAR_MODE: 'off' });
  expect(off.status).toBe(1);
  expect(off.of('a real search')).toMatchObject({ state: 'fails' });
}, 60_000);

test('the word that it searches for has evidence', () => {
  expect(searchableTerm(currentGeneration(indexDirFor(shop.root, shop.env)) ?? '')).toBe('make_order');
});
