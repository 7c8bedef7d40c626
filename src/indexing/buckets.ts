/**
 * A multimap from hashed keys to file numbers, cut into buckets of a few hundred bytes: a whole build
 * writes thousands of values instead of millions, an align reads and rewrites only the buckets it touches.
 *
 * A key is known by 64 hash bits: the upper 32 choose the bucket, the lower 32 stand inside. Two keys that
 * collide share their files; for reverse look-ups that means a file linked again for nothing.
 */

/** Pairs (lower hash bits, file number), ascending, flat. */
export type Bucket = Uint32Array;

export interface KeyHash {
  readonly high: number;
  readonly low: number;
}

/** 64 bits in two halves over UTF-16 code units (cyrb53's mixing, kept at full width). */
export function hashKey(key: string): KeyHash {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let i = 0; i < key.length; i += 1) {
    const code = key.charCodeAt(i);
    a = Math.imul(a ^ code, 2654435761);
    b = Math.imul(b ^ code, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return { high: a >>> 0, low: b >>> 0 };
}

/** Number of upper hash bits that choose a bucket, for about 64 pairs in each. */
export function bucketBits(pairs: number): number {
  return Math.min(20, Math.max(4, Math.ceil(Math.log2(Math.max(1, pairs / 64)))));
}

export const bucketOf = (high: number, bits: number): number => high >>> (32 - bits);

/** Collects pairs and hands them out bucket by bucket. */
export class PairCollector {
  private high = new Uint32Array(1024);
  private low = new Uint32Array(1024);
  private file = new Uint32Array(1024);
  count = 0;

  add(high: number, low: number, file: number): void {
    if (this.count === this.high.length) this.grow();
    this.high[this.count] = high;
    this.low[this.count] = low;
    this.file[this.count] = file;
    this.count += 1;
  }

  private grow(): void {
    const size = this.high.length * 2;
    const larger = (old: Uint32Array): Uint32Array<ArrayBuffer> => {
      const next = new Uint32Array(size);
      next.set(old);
      return next;
    };
    this.high = larger(this.high);
    this.low = larger(this.low);
    this.file = larger(this.file);
  }

  /** Every non-empty bucket, ascending, pairs sorted and distinct. */
  *buckets(bits: number): Generator<{ readonly bucket: number; readonly pairs: Bucket }> {
    const sizes = new Uint32Array(2 ** bits + 1);
    for (let i = 0; i < this.count; i += 1) {
      const next = bucketOf(this.high[i] ?? 0, bits) + 1;
      sizes[next] = (sizes[next] ?? 0) + 1;
    }
    for (let b = 1; b < sizes.length; b += 1) sizes[b] = (sizes[b] ?? 0) + (sizes[b - 1] ?? 0);
    const order = new Uint32Array(this.count);
    const cursor = sizes.slice();
    for (let i = 0; i < this.count; i += 1) {
      const bucket = bucketOf(this.high[i] ?? 0, bits);
      const at = cursor[bucket] ?? 0;
      order[at] = i;
      cursor[bucket] = at + 1;
    }
    for (let bucket = 0; bucket < 2 ** bits; bucket += 1) {
      const members = order.subarray(sizes[bucket], sizes[bucket + 1]);
      if (members.length === 0) continue;
      const keys = Float64Array.from(members, (i) => (this.low[i] ?? 0) * 2 ** 21 + (this.file[i] ?? 0)).sort();
      yield { bucket, pairs: fromKeys(keys) };
    }
  }
}

/** Sorted combined keys to distinct pairs. File numbers stay below 2^21 (two million files). */
function fromKeys(keys: Float64Array): Bucket {
  const pairs = new Uint32Array(keys.length * 2);
  let length = 0;
  let previous = -1;
  for (const key of keys) {
    if (key === previous) continue;
    previous = key;
    const low = Math.floor(key / 2 ** 21);
    pairs[length] = low;
    pairs[length + 1] = key - low * 2 ** 21;
    length += 2;
  }
  return pairs.slice(0, length);
}

/** Whole numbers as bytes, seven bits in each. */
class NumberWriter {
  readonly bytes: number[] = [];

  push(value: number): void {
    let rest = value;
    for (; rest > 0x7f; rest = Math.floor(rest / 128)) this.bytes.push((rest % 128) + 128);
    this.bytes.push(rest);
  }
}

class NumberReader {
  private at = 0;

  constructor(private readonly bytes: Uint8Array) {}

  get done(): boolean {
    return this.at >= this.bytes.length;
  }

  skip(count: number): void {
    for (let left = count; left > 0; this.at += 1) if ((this.bytes[this.at] ?? 0) < 0x80) left -= 1;
  }

  next(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.bytes[this.at] ?? 0;
      this.at += 1;
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
    }
  }
}

/** A bucket as bytes: for each key the distance to the one before, the number of its files, and their distances. */
export function packBucket(pairs: Bucket): Buffer {
  const writer = new NumberWriter();
  let before = 0;
  for (let i = 0; i < pairs.length; ) {
    const low = pairs[i] ?? 0;
    let end = i;
    while (end < pairs.length && pairs[end] === low) end += 2;
    writer.push(low - before);
    writer.push((end - i) / 2);
    before = low;
    let file = 0;
    for (; i < end; i += 2) {
      writer.push((pairs[i + 1] ?? 0) - file);
      file = pairs[i + 1] ?? 0;
    }
  }
  return Buffer.from(writer.bytes);
}

export function unpackBucket(bytes: Uint8Array): Bucket {
  const reader = new NumberReader(bytes);
  const pairs: number[] = [];
  let low = 0;
  while (!reader.done) {
    low += reader.next();
    let file = 0;
    for (let left = reader.next(); left > 0; left -= 1) {
      file += reader.next();
      pairs.push(low, file);
    }
  }
  return Uint32Array.from(pairs);
}

/** The files under a key of a packed bucket, ascending; undefined where they are more than `most`: nothing is unpacked. */
export function fewIn(bytes: Uint8Array, low: number, most: number): number[] | undefined {
  const reader = new NumberReader(bytes);
  for (let key = 0; !reader.done; ) {
    key += reader.next();
    const count = reader.next();
    if (key > low) break;
    if (key < low) {
      reader.skip(count);
      continue;
    }
    if (count > most) return undefined;
    const files: number[] = [];
    let file = 0;
    for (let left = count; left > 0; left -= 1) {
      file += reader.next();
      files.push(file);
    }
    return files;
  }
  return [];
}

/** Key hashes (flat: high, low) as bytes: of each only its bucket and its lower half, by their distances. */
export function packHashes(hashes: Uint32Array, bits: number): Buffer {
  const keys = new Float64Array(hashes.length / 2);
  for (let i = 0; i < keys.length; i += 1) {
    keys[i] = bucketOf(hashes[2 * i] ?? 0, bits) * 2 ** 32 + (hashes[2 * i + 1] ?? 0);
  }
  const writer = new NumberWriter();
  let before = 0;
  for (const key of keys.sort()) {
    writer.push(key - before);
    before = key;
  }
  return Buffer.from(writer.bytes);
}

/** What `packHashes` was given, with of each upper half the bits that choose the bucket. */
export function unpackHashes(bytes: Uint8Array, bits: number): Uint32Array {
  const reader = new NumberReader(bytes);
  const hashes: number[] = [];
  let key = 0;
  while (!reader.done) {
    key += reader.next();
    const bucket = Math.floor(key / 2 ** 32);
    hashes.push((bucket << (32 - bits)) >>> 0, key - bucket * 2 ** 32);
  }
  return Uint32Array.from(hashes);
}

/** The files under a key, ascending. */
export function filesIn(bucket: Bucket | undefined, low: number): number[] {
  const files: number[] = [];
  if (!bucket) return files;
  for (let i = 0; i < bucket.length; i += 2) if (bucket[i] === low) files.push(bucket[i + 1] ?? 0);
  return files;
}

/** The bucket with pairs taken out and put in. */
export function changedBucket(
  bucket: Bucket | undefined,
  removed: readonly (readonly [low: number, file: number])[],
  added: readonly (readonly [low: number, file: number])[],
): Bucket {
  const keys = new Set<number>();
  for (let i = 0; bucket && i < bucket.length; i += 2) keys.add((bucket[i] ?? 0) * 2 ** 21 + (bucket[i + 1] ?? 0));
  for (const [low, file] of removed) keys.delete(low * 2 ** 21 + file);
  for (const [low, file] of added) keys.add(low * 2 ** 21 + file);
  return fromKeys(Float64Array.from(keys).sort());
}
