import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fewIn, filesIn, packBucket, unpackBucket } from '../../src/indexing/buckets.js';

/** Sorted distinct pairs, as a bucket has them. */
const buckets = fc
  .uniqueArray(fc.tuple(fc.nat({ max: 6 }), fc.nat({ max: 2 ** 20 })), { selector: ([low, file]) => `${low} ${file}` })
  .map((pairs) => Uint32Array.from(pairs.sort((a, b) => a[0] - b[0] || a[1] - b[1]).flat()));

test('a bucket is what it was before it was packed', () => {
  fc.assert(
    fc.property(buckets, (bucket) => {
      expect(unpackBucket(packBucket(bucket))).toEqual(bucket);
    }),
  );
});

test('the few files under a key are found without unpacking, and many are said to be many', () => {
  fc.assert(
    fc.property(buckets, fc.nat({ max: 7 }), fc.nat({ max: 4 }), (bucket, low, most) => {
      const files = filesIn(bucket, low);
      expect(fewIn(packBucket(bucket), low, most)).toEqual(files.length > most ? undefined : files);
    }),
  );
});
