/**
 * How many commits ago each file was last touched, as one small binary table: bounded by the history
 * window and not by the repository, so that a search reads it whole in well under a millisecond.
 *
 * Layout, little endian: uint32 n; n x uint32 path hash, ascending; n x uint16 commits ago (0: the newest).
 */

/** FNV-1a, 32 bits, over UTF-8 bytes. */
export function pathHash(path: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(path)) {
    hash ^= byte;
    hash = Math.imul(hash, 0x01000193);
  }
  return hash >>> 0;
}

/** Encodes path -> commits ago. Where two paths collide the more recent one is kept. */
export function encodeRecency(ages: ReadonlyMap<string, number>): Buffer {
  const byHash = new Map<number, number>();
  for (const [path, age] of ages) {
    const hash = pathHash(path);
    byHash.set(hash, Math.min(age, 0xffff, byHash.get(hash) ?? 0xffff));
  }
  const hashes = [...byHash.keys()].sort((a, b) => a - b);
  const buffer = Buffer.alloc(4 + hashes.length * 6);
  buffer.writeUInt32LE(hashes.length, 0);
  hashes.forEach((hash, i) => {
    buffer.writeUInt32LE(hash, 4 + i * 4);
    buffer.writeUInt16LE(byHash.get(hash) ?? 0xffff, 4 + hashes.length * 4 + i * 2);
  });
  return buffer;
}

/** Commits ago that `path` was last touched, undefined outside the window or for a table that is cut short. */
export function commitsAgo(table: Buffer, path: string): number | undefined {
  if (table.length < 4) return undefined;
  const n = table.readUInt32LE(0);
  if (table.length < 4 + n * 6) return undefined;
  const hash = pathHash(path);
  let low = 0;
  let high = n - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = table.readUInt32LE(4 + middle * 4);
    if (found === hash) return table.readUInt16LE(4 + n * 4 + middle * 2);
    if (found < hash) low = middle + 1;
    else high = middle - 1;
  }
  return undefined;
}
