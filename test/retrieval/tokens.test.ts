import fc from 'fast-check';
import { countTokens as cl100k } from 'gpt-tokenizer/encoding/cl100k_base';
import { countTokens as o200k } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { blockFor } from '../../src/retrieval/block.js';
import { estimateTokens } from '../../src/retrieval/tokens.js';
import { indexOf, together } from './index-of.js';

const real = (text: string): number => Math.max(o200k(text), cl100k(text));

describe('the estimate of tokens', () => {
  it.each([
    'src/flask/sansio/blueprints.py:Blueprint.register:273 [0.95], +4 more',
    'cextern/erfa/pvm.c, cextern/erfa/pvmpv.c, cextern/erfa/pvppv.c, cextern/erfa/atciqz.c',
    'packages/query-core/src/__tests__/mutationObserver.test.tsx (shares TContext)',
    'node_modules/@typescript-eslint/no-unsafe-return/XMLHttpRequestUpload.d.ts',
    'src/日本語/ファイル.py (changed together 0.62)',
    'a\n  b\n    c\n\n\td',
    '0123456789abcdef0123456789abcdef.json',
    '  doc/en/announce/ release-3.0.4.rst, release-2.10.1.rst (changed together 0.93), release-6.0.0rc1.rst',
    '  models/hub/ yolov3-tiny.yaml, yolov5-fpn.yaml (cluster: TFSPP), yolov5l-seg.yaml',
  ])('is never under the count: %j', (text) => {
    expect(estimateTokens(text)).toBeGreaterThanOrEqual(real(text));
  });

  it('of a text is that of its lines, each with the line end before it', () => {
    // What a block consists of: no line ends in a blank.
    const line = fc.string({ unit: fc.constantFrom(...'aB9_/.,: [é'), maxLength: 12 }).map((text) => text.trimEnd());
    fc.assert(
      fc.property(fc.array(line, { maxLength: 8 }), (lines) => {
        const text = lines.join('\n');
        const parts = text.split(/(?=\n)/).map(estimateTokens);
        expect(parts.reduce((sum, tokens) => sum + tokens, 0)).toBeGreaterThanOrEqual(estimateTokens(text));
      }),
      { seed: 1 },
    );
    const block = '[Related]\na.py (cluster: X)\n  f:1\n    Callers: b.py:g:2 [0.9]\nAlso related:\n  c/ d.py\n';
    const parts = block.split(/(?=\n)/).map(estimateTokens);
    expect(parts.reduce((sum, tokens) => sum + tokens, 0)).toBe(estimateTokens(block));
  });

  it('is at most 1.4 times the count of a block of usual names', () => {
    const block = [
      '[Related files from dependency graph]',
      'src/shop/basket.py (cluster: Checkout)',
      '  Basket.add_item:48',
      '    Callers: src/shop/api/routes.py:post_item:112 [0.95], src/shop/jobs/restore.py:restore_basket:31 [0.9], +4 more',
      '    Tests: tests/shop/test_basket.py:test_add_item_twice:77 [0.8]',
      'Also related:',
      '  src/shop/ pricing.py (called by add_item [0.85]), stock_client.py, models.py',
      '  src/shop/templates/ basket_summary.html (changed together 0.62)',
      '  web/src/components/ BasketItem.tsx (shares addItemToBasket), useBasket.ts',
      '',
    ].join('\n');
    expect(estimateTokens(block)).toBeGreaterThanOrEqual(real(block));
    expect(estimateTokens(block)).toBeLessThanOrEqual(1.4 * real(block));
  });

  it('is at most a quarter under the count for letters without any sense', () => {
    const segment = fc.stringMatching(/^[a-zA-Z_]{1,12}$/);
    const path = fc.array(segment, { minLength: 2, maxLength: 6 }).map((parts) => `${parts.join('/')}.py`);
    fc.assert(
      fc.property(fc.array(path, { minLength: 8, maxLength: 20 }), (paths) => {
        const text = paths.join(', ');
        expect(estimateTokens(text)).toBeGreaterThanOrEqual(0.75 * real(text));
      }),
      { numRuns: 50, seed: 1 },
    );
  });
});

describe('the budget', () => {
  it.each([60, 120, 400])('of %i tokens is kept by the final text', (budget) => {
    const many = Object.fromEntries(
      Array.from({ length: 30 }, (_, i) => [`src/some_folder_${i % 7}/module_name_${i}.py`, 0.9 - i / 100]),
    );
    const reader = indexOf({ 'a.py': { neighbours: { changedTogether: together(many) } } });
    const { text, log } = blockFor({ matches: [{ path: 'a.py', lines: [1] }], patterns: ['x'], reader, budget });
    expect(text).not.toBe('');
    expect(real(text)).toBeLessThanOrEqual(budget);
    expect(log.tokens).toBeLessThanOrEqual(budget);
  });
});
