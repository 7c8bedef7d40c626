import fc from 'fast-check';
import { Packr } from 'msgpackr';
import { describe, expect, it } from 'vitest';
import type { Corpus } from '../../src/recon/map/corpus.js';
import { corpusOf } from '../../src/recon/map/corpus.js';
import { indexCorpus } from '../../src/recon/map/documents.js';
import { mapOf } from '../../src/recon/map/map.js';
import { RANKERS } from '../../src/recon/map/rankers.js';
import { decodeSnapshot, encodeSnapshot } from '../../src/recon/map/snapshot.js';
import { tokensOf } from '../../src/recon/tokens.js';
import { linkRepository } from '../support/repository.js';

const FILES = {
  'shop/cart.py':
    'class Cart(Base):\n    def add_item(self, item: str, count: int = 1) -> None:\n        check(item)\n\n    def total(self) -> int:\n        def inner():\n            return 1\n        return inner()\n',
  'shop/checks.py': 'def check(item):\n    return item\n\n\ndef unrelated():\n    pass\n',
  'shop/base.py': 'class Base:\n    pass\n',
};

async function corpus(): Promise<Corpus> {
  const { facts, edges } = await linkRepository(FILES);
  return corpusOf(facts, edges);
}

const map = (of: Corpus, budget: number, query?: string, ranker?: (typeof RANKERS)[number]) =>
  mapOf(indexCorpus(of), {
    budget,
    tokens: tokensOf,
    ...(query === undefined ? {} : { query }),
    ...(ranker ? { ranker } : {}),
  });

const packr = new Packr({ useRecords: false });

describe('map', () => {
  it('shows qualified names, parameters and types, members below their class, and no bodies', async () => {
    const { text } = map(await corpus(), 200, 'Cart total');
    expect(text).toContain(
      'shop/cart.py\n 1 class Cart(Base)\n  2 add_item(item: str, count: int = 1) -> None\n  5 total() -> int',
    );
    expect(text).not.toContain('inner');
    expect(text).not.toContain('return');
  });

  it('finds the function of a traceback first, whatever folder it was installed in', async () => {
    const trace =
      'it fails\nTraceback:\n  File "/usr/lib/site-packages/shop/checks.py", line 2, in check\n    raise\nKeyError';
    expect(map(await corpus(), 12, trace).text).toBe('shop/checks.py\n 1 check(item)\n');
  });

  it('starts from the changed files where there is no query', async () => {
    const of = await corpus();
    const filled = mapOf(indexCorpus(of), { budget: 20, tokens: tokensOf, changed: ['shop/checks.py'] });
    expect(filled.text.split('\n')[0]).toBe('shop/checks.py');
  });

  it('shows what is central where no word of the query occurs, and says so', async () => {
    const { text, matched } = map(await corpus(), 100, 'zzz');
    expect(matched).toBe(false);
    expect(text).toContain('check(item)');
  });

  it('is empty for a budget of one token, and for an empty repository', async () => {
    expect(map(await corpus(), 1, 'Cart').text).toBe('');
    expect(map({ paths: [], symbols: [], edges: [], imports: [] }, 100, 'Cart').text).toBe('');
  });

  it('reads 50 KB with a traceback, and a query in another language', async () => {
    const of = await corpus();
    const log = `${'2024-01-01 INFO nothing happened in here\n'.repeat(1200)}  File "shop/cart.py", line 5, in total\n`;
    expect(map(of, 60, log).text).toContain('total()');
    expect(map(of, 60, 'Корзина: метод add_item считает неверно').text).toContain('add_item');
  });

  it('reads the same map from the kept form, and nothing from another state or from damaged bytes', async () => {
    const index = indexCorpus(await corpus());
    const bytes = encodeSnapshot(index, 'one state');
    const kept = decodeSnapshot(bytes, 'one state');
    if (!kept) throw new Error('not read');
    const queries = ['Cart total', 'check item', 'shop.cart.Cart.total', 'shop/base.py', undefined];
    for (const query of queries) {
      for (const ranker of RANKERS) {
        const request = { budget: 40, tokens: tokensOf, ranker, ...(query === undefined ? {} : { query }) };
        expect(mapOf(kept, request)).toEqual(mapOf(index, request));
      }
    }
    expect(decodeSnapshot(bytes, 'another state')).toBeUndefined();
    expect(decodeSnapshot(bytes.slice(0, bytes.length / 2), 'one state')).toBeUndefined();
    expect(decodeSnapshot(new Uint8Array([1, 2, 3]), 'one state')).toBeUndefined();
    // Of the right version and state, and damaged behind them.
    for (let at = 20; at < bytes.length; at += 7) {
      const spoilt = Uint8Array.from(bytes);
      spoilt[at] = 0xc1;
      expect(() => decodeSnapshot(spoilt, 'one state')).not.toThrow();
    }
    expect(
      decodeSnapshot(packr.pack([1, 'one state', [], [], '', '', new Uint8Array(3)]), 'one state'),
    ).toBeUndefined();
  });

  it('never exceeds a budget', async () => {
    const of = await corpus();
    const index = indexCorpus(of);
    const anything = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 60 }),
      fc.constantFrom('Cart', 'check item', 'shop/base.py Base'),
    );
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 400 }), anything, fc.constantFrom(...RANKERS), (budget, query, ranker) => {
        const { text, tokens } = mapOf(index, { budget, tokens: tokensOf, query, ranker });
        expect(tokensOf(text)).toBe(tokens);
        expect(tokens).toBeLessThanOrEqual(budget);
      }),
      { numRuns: Number(process.env.SIDECAR_PROPERTY_RUNS ?? 500) },
    );
  }, 120_000);
});
