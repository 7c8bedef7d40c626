/** Bytes to text, for whatever a repository may hold. */

export interface DecodedText {
  /** Without a byte order mark, with `\n` line ends, so that the same content under other line ends has the same facts. */
  readonly text: string;
  /** Bytes that are not UTF-8 became U+FFFD. */
  readonly invalid: boolean;
}

/** How many leading bytes decide whether content is binary, as git does it. */
const BINARY_PROBE = 8000;

/** What the first two bytes say: UTF-16 with the little or the big end first. UTF-32 starts alike and is not read. */
function utf16Order(bytes: Buffer): 'little' | 'big' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return bytes[2] === 0 && bytes[3] === 0 ? undefined : 'little';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'big' : undefined;
}

/** A NUL byte early on, in what does not declare itself UTF-16: not text. */
export function isBinary(bytes: Buffer): boolean {
  return utf16Order(bytes) === undefined && bytes.subarray(0, BINARY_PROBE).includes(0);
}

export function decodeText(bytes: Buffer): DecodedText {
  const order = utf16Order(bytes);
  const decoded = order === undefined ? bytes.toString('utf8') : utf16(bytes, order);
  const marked = decoded.charCodeAt(0) === 0xfeff ? decoded.slice(1) : decoded;
  const text = marked.includes('\r\n') ? marked.replaceAll('\r\n', '\n') : marked;
  return { text, invalid: order === undefined && text.includes('\uFFFD') };
}

function utf16(bytes: Buffer, order: 'little' | 'big'): string {
  if (order === 'little') return bytes.toString('utf16le');
  // Half a character at the end is dropped, as the other order does it.
  return Buffer.from(bytes.subarray(0, bytes.length & ~1))
    .swap16()
    .toString('utf16le');
}
