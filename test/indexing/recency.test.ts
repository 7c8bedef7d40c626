/** The recency table answers what was put in, and says nothing for what was not or where it is cut short. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { commitsAgo, encodeRecency, pathHash } from '../../src/sidecars/recency.js';

const paths = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 30 }), { maxLength: 200, selector: pathHash });

it('finds every path with its age, and no other', () => {
  fc.assert(
    fc.property(paths, fc.array(fc.nat({ max: 6000 }), { minLength: 200, maxLength: 200 }), (all, ages) => {
      const known = all.slice(0, Math.ceil(all.length / 2));
      const table = encodeRecency(new Map(known.map((path, i) => [path, ages[i] ?? 0])));
      known.forEach((path, i) => {
        expect(commitsAgo(table, path)).toBe(ages[i]);
      });
      for (const path of all.slice(known.length)) expect(commitsAgo(table, path)).toBeUndefined();
    }),
    { seed: 20260 },
  );
});

it('says nothing where the table is cut short', () => {
  const table = encodeRecency(new Map([['a.py', 3]]));
  for (let length = 0; length < table.length; length += 1) {
    expect(commitsAgo(table.subarray(0, length), 'a.py')).toBeUndefined();
  }
});
