/** Bytes to text, for whatever a repository may hold. */

export interface DecodedText {
  /** Without a byte order mark, with `\n` line ends, so that the same content under other line ends has the same facts. */
  readonly text: string;
  /** Bytes that are not UTF-8 became U+FFFD. */
  readonly invalid: boolean;
}

/** How many leading bytes decide whether content is binary, as git does it. */
const BINARY_PROBE = 8000;

/** A NUL byte early on, in what does not declare itself UTF-16: not text. */
export function isBinary(bytes: Buffer): boolean {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return false;
  return bytes.subarray(0, BINARY_PROBE).includes(0);
}

export function decodeText(bytes: Buffer): DecodedText {
  let start = 0;
  let encoding: 'utf8' | 'utf16le' = 'utf8';
  if (bytes.length >= 3 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) start = 3;
  else if (bytes.length >= 2 && bytes[0] === 0xff && bytes[1] === 0xfe) {
    start = 2;
    encoding = 'utf16le';
  }
  const decoded = bytes.toString(encoding, start);
  const text = decoded.includes('\r\n') ? decoded.replaceAll('\r\n', '\n') : decoded;
  return { text, invalid: encoding === 'utf8' && text.includes('\uFFFD') };
}
