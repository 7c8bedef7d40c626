import { describe, expect, it } from 'vitest';
import { sharedIdentifiers } from '../../src/graph/shared-identifiers.js';
import { wordsOf } from '../../src/graph/words.js';

const size = (): number => 100;

describe('words', () => {
  it('are distinct identifiers of four characters and more, from comments and strings too, sorted', () => {
    expect(wordsOf('def load_url(x): # see Loader\n  return "load_url abc 1234 _x1y"')).toEqual([
      'Loader',
      '_x1y',
      'load_url',
      'return',
    ]);
  });

  it('leaves out hashes and encoded data', () => {
    expect(wordsOf(`a = "${'x'.repeat(65)}"`)).toEqual([]);
  });
});

describe('shared rare identifiers', () => {
  it('ranks by how rare the shared words are, and shows the rarest', () => {
    const words = [
      { word: 'common_name', files: ['a', 'b', 'c', 'd'] },
      { word: 'rare_name', files: ['a', 'b'] },
    ];
    const found = sharedIdentifiers('a', words, size, 1000);
    expect(found.total).toBe(3);
    expect(found.items.map(({ path }) => path)).toEqual(['b', 'c', 'd']);
    expect(found.items[0]?.words).toEqual(['rare_name', 'common_name']);
  });

  it('ignores words that more than ten files have', () => {
    const files = Array.from({ length: 11 }, (_, i) => `f${i}`);
    expect(sharedIdentifiers('f0', [{ word: 'everywhere', files }], size, 1000).total).toBe(0);
  });

  it('a pair does not move with what it does not share: neither other words nor a few more files', () => {
    const shared = { word: 'rare_name', files: ['a', 'b'] };
    const before = sharedIdentifiers('a', [shared, { word: 'other_name', files: ['a', 'c'] }], size, 1000);
    const after = sharedIdentifiers('a', [shared], (path) => (path === 'a' ? 103 : 98), 1010);
    const pair = before.items.find(({ path }) => path === 'b');
    expect(after.items).toEqual([pair]);
  });
});
