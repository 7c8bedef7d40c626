/**
 * SHA-256 (FIPS 180-4) of a short text. Loading node:crypto costs a search five milliseconds, and all that it would
 * do there is to hash one path.
 */

/** The first 32 bits of the fractional part of `root(prime)` for the first `count` primes. */
function fractions(count: number, root: (prime: number) => number): Uint32Array {
  const found = new Uint32Array(count);
  for (let n = 2, i = 0; i < count; n += 1) {
    let prime = true;
    for (let d = 2; d * d <= n; d += 1) prime &&= n % d !== 0;
    if (prime) {
      found[i] = (root(n) % 1) * 2 ** 32;
      i += 1;
    }
  }
  return found;
}

function rotate(x: number, by: number): number {
  return (x >>> by) | (x << (32 - by));
}

/** Hex digest of the UTF-8 bytes of `text`. */
export function sha256(text: string): string {
  const constants = fractions(64, Math.cbrt);
  const state = fractions(8, Math.sqrt);
  const bytes = Buffer.from(text);
  const padded = Buffer.alloc((((bytes.length + 8) >> 6) + 1) << 6);
  bytes.copy(padded);
  padded[bytes.length] = 0x80;
  padded.writeUInt32BE(bytes.length * 8, padded.length - 4);
  const words = new Uint32Array(64);
  const at = (array: Uint32Array, i: number): number => array[i] ?? 0;
  for (let block = 0; block < padded.length; block += 64) {
    for (let i = 0; i < 64; i += 1) {
      if (i < 16) {
        words[i] = padded.readUInt32BE(block + i * 4);
        continue;
      }
      const x = at(words, i - 15);
      const y = at(words, i - 2);
      words[i] =
        at(words, i - 16) +
        (rotate(x, 7) ^ rotate(x, 18) ^ (x >>> 3)) +
        at(words, i - 7) +
        (rotate(y, 17) ^ rotate(y, 19) ^ (y >>> 10));
    }
    let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
    for (let i = 0; i < 64; i += 1) {
      const choice = (e & f) ^ (~e & g);
      const one = h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + choice + at(constants, i) + at(words, i);
      const majority = (a & b) ^ (a & c) ^ (b & c);
      const two = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + majority;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((value, i) => {
      state[i] = at(state, i) + value;
    });
  }
  return [...state].map((word) => word.toString(16).padStart(8, '0')).join('');
}
