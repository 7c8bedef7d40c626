import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { communitiesOf, type FilePair } from '../../src/graph/communities.js';

const files = [
  'src/auth/login.py',
  'src/auth/token.py',
  'src/auth/user.py',
  'src/cart/cart.py',
  'src/cart/item.py',
  'x.py',
];
const pairs: FilePair[] = [
  { a: 'src/auth/login.py', b: 'src/auth/token.py', weight: 3 },
  { a: 'src/auth/token.py', b: 'src/auth/user.py', weight: 2 },
  { a: 'src/auth/login.py', b: 'src/auth/user.py', weight: 2 },
  { a: 'src/cart/cart.py', b: 'src/cart/item.py', weight: 4 },
  { a: 'src/auth/user.py', b: 'src/cart/cart.py', weight: 0.5 },
];

describe('communities', () => {
  it('are groups of files with the name of what their members have in common', () => {
    const { byFile } = communitiesOf({ files, pairs });
    expect(Object.fromEntries(byFile)).toEqual({
      'src/auth/login.py': { label: 'Auth', cohesion: 1 },
      'src/auth/token.py': { label: 'Auth', cohesion: 1 },
      'src/auth/user.py': { label: 'Auth', cohesion: 1 },
      'src/cart/cart.py': { label: 'Cart', cohesion: 1 },
      'src/cart/item.py': { label: 'Cart', cohesion: 1 },
    });
  });

  it('do not depend on the order of pairs or on the side that a pair names first', () => {
    const turned = [...pairs].reverse().map(({ a, b, weight }) => ({ a: b, b: a, weight }));
    expect(communitiesOf({ files, pairs: turned })).toEqual(communitiesOf({ files, pairs }));
  });

  it('keep a label while most members stay', () => {
    const previous = new Map([
      ['src/auth/login.py', 'Sessions'],
      ['src/auth/token.py', 'Sessions'],
    ]);
    expect(communitiesOf({ files, pairs, previous }).byFile.get('src/auth/user.py')?.label).toBe('Sessions');
  });

  it('are connected, cover every file with an edge, and no two have the same label', () => {
    const edge = fc.record({ a: fc.nat(24), b: fc.nat(24), weight: fc.integer({ min: 1, max: 5 }) });
    fc.assert(
      fc.property(fc.array(edge, { maxLength: 60 }), (edges) => {
        const name = (n: number): string => `src/pkg${n % 4}/file${String(n).padStart(2, '0')}.ts`;
        const all = Array.from({ length: 25 }, (_, n) => name(n)).sort();
        const made = edges.map(({ a, b, weight }) => ({ a: name(a), b: name(b), weight }));
        const { byFile, count, modularity, plainModularity } = communitiesOf({ files: all, pairs: made });
        const proper = made.filter(({ a, b }) => a !== b);
        expect([...byFile.keys()]).toEqual([...new Set(proper.flatMap(({ a, b }) => [a, b]))].sort());
        const labels = new Set([...byFile.values()].map(({ label }) => label));
        expect(labels.size).toBe(count);
        expect(modularity).toBeGreaterThanOrEqual(plainModularity - 0.0001);
        for (const label of labels) {
          const members = [...byFile].filter(([, own]) => own.label === label).map(([path]) => path);
          const reached = new Set(members.slice(0, 1));
          for (const path of reached) {
            for (const { a, b } of proper) {
              if (a === path && members.includes(b)) reached.add(b);
              if (b === path && members.includes(a)) reached.add(a);
            }
          }
          expect(reached.size).toBe(members.length);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('a repository without edges has none', () => {
    expect(communitiesOf({ files, pairs: [] }).byFile.size).toBe(0);
  });
});
