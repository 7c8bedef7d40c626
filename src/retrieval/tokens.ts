/**
 * How many tokens a text costs at most. A real tokenizer's tables take tens of milliseconds to load, too long
 * for every search; this estimate errs upwards (about 1.5 times the count of o200k_base and cl100k_base on
 * paths and symbols, docs/retrieval.md), so that a block that keeps the estimate keeps the budget.
 */

const PIECE = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]{1,3}|\s+|[\s\S]/gu;
const VOWELS = /[aeiouy]/gi;
/** Letters a token, in words that can be spoken and in those that cannot (`pvmpv`). */
const SPOKEN = 4;
const UNSPOKEN = 1.5;
const LETTERS_PER_VOWEL = 4.5;

function wordTokens(word: string): number {
  const vowels = word.match(VOWELS)?.length ?? 0;
  return word.length > LETTERS_PER_VOWEL * vowels ? Math.ceil(word.length / UNSPOKEN) : Math.ceil(word.length / SPOKEN);
}

/** Tokens of the text, rather too many than too few. */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const [piece] of text.matchAll(PIECE)) {
    const code = piece.charCodeAt(0);
    if ((code >= 65 && code <= 90) || (code >= 97 && code <= 122)) tokens += wordTokens(piece);
    else if (code >= 48 && code <= 57) tokens += 1;
    else if (piece === ' ') continue;
    else if (code <= 32) tokens += piece.split('\n').length;
    else tokens += code < 128 ? 1 : Buffer.byteLength(piece);
  }
  return tokens;
}
