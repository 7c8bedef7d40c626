/**
 * A safe estimate of the tokens of a text: at or above what common byte-pair tokenizers count on
 * code and prose (docs/recon.md has the comparison), so that a budget kept by it is kept by them.
 */

/** Letters of one case, digits, spaces, line breaks, runs of one sign, and any other sign. */
const PIECES = /[A-Z]?[a-z]+|[A-Z]+|\d+|[ \t]+|[\r\n]+|([^\w\s])\1*|[^\x20-\x7e]|_/g;

/** Number of tokens, an integer, 0 for an empty text. */
export function tokensOf(text: string): number {
  let tokens = 0;
  for (const piece of text.match(PIECES) ?? []) {
    const first = piece.charCodeAt(0);
    if (first > 0x7e) tokens += 2;
    else if (first >= 0x30 && first <= 0x39) tokens += Math.ceil(piece.length / 3);
    else if (first === 0x20 || first === 0x09) tokens += piece.length > 1 ? Math.ceil(piece.length / 16) : 0;
    else if (first >= 0x61 || (first >= 0x41 && first <= 0x5a)) tokens += Math.ceil(piece.length / 6);
    else tokens += Math.ceil(piece.length / 4);
  }
  return tokens;
}
