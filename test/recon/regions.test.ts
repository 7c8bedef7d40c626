import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { corpusOf } from '../../src/recon/map/corpus.js';
import { indexCorpus } from '../../src/recon/map/documents.js';
import { READING, scoresOf } from '../../src/recon/map/rankers.js';
import { blocksOf } from '../../src/recon/slice/blocks.js';
import { readingOrder } from '../../src/recon/slice/regions.js';
import { linkRepository } from '../support/repository.js';

const filler = (name: string, lines: number): string =>
  Array.from({ length: lines }, (_, i) => `    ${name}_${i} = ${i}`).join('\n');

const FILES = {
  'shop/cart.py': `class Cart:
    """Holds what is bought."""

    def checkout(self):
${filler('before', 16).replace(/^/gm, '    ')}
        if self.sum < 0:
            raise ValueError("a cart cannot be worth less than nothing")
${filler('after', 16).replace(/^/gm, '    ')}

    def other(self):
        return 1
`,
};

async function order(task: string, textOf = (path: string): string | undefined => FILES[path as keyof typeof FILES]) {
  const { facts, edges } = await linkRepository(FILES);
  const index = indexCorpus(corpusOf(facts, edges));
  return readingOrder(index, task, scoresOf(index, task, 'layered', READING), textOf);
}

describe('what to read first', () => {
  it('begins inside a long function, at the block that says what the task quotes', async () => {
    const [first] = await order('checkout fails: a cart cannot be worth less than nothing');
    expect(first?.symbol).toBe('Cart.checkout');
    expect(first && first.first <= 22 && first.last >= 22 && first.last - first.first < 16).toBe(true);
  });

  it('reads of a class what stands before its members', async () => {
    const regions = await order('Cart');
    expect(regions.find(({ symbol }) => symbol === 'Cart')).toMatchObject({ first: 1, last: 3 });
  });

  it('reads functions whole where the text cannot be had', async () => {
    const regions = await order('checkout', () => undefined);
    expect(regions[0]).toEqual({ path: 'shop/cart.py', first: 4, last: 38, symbol: 'Cart.checkout' });
  });
});

describe('blocks', () => {
  it('hold every line once and in order, whatever the text', () => {
    const line = fc.stringMatching(/^( {0,9}|\t{0,3})(x = 1|if y:|\}|else:|)$/);
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 1, maxLength: 120 }),
        fc.integer({ min: 1, max: 30 }),
        (lines, wanted) => {
          const covered = blocksOf(lines, 1, lines.length, wanted).flatMap(([first, last]) =>
            Array.from({ length: last - first + 1 }, (_, i) => first + i),
          );
          expect(covered).toEqual(lines.map((_, i) => i + 1));
        },
      ),
    );
  });

  it('do not part an else from its if', () => {
    const lines = ['def f():', '    if a:', '        b()', '    else:', '        c()', '    d()', '    e()'];
    expect(blocksOf(lines, 1, 7, 4).some(([first]) => first === 4)).toBe(false);
  });
});
