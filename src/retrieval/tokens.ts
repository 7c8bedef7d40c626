/**
 * How many tokens a text costs at most. A real tokenizer's tables take tens of milliseconds to load, too long
 * for every search; this estimate errs upwards (about 1.25 times the larger count of o200k_base and cl100k_base on
 * blocks, and under it for none, docs/retrieval.md), so that a block that keeps the estimate keeps the budget.
 */

const PIECE = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]{1,3}| +|[\s\S]/gu;
const VOWELS = /[aeiouy]/gi;
const LINES = /(?=\n)/;

/** Costs are counted in twelfths of a token, so that sums are exact. */
const TOKEN = 12;
/** Letters that one token holds where a word can be spoken, and what each letter beyond them costs. */
const SPOKEN = 7;
const FURTHER_LETTER = TOKEN / 4;
/** A word that cannot be spoken (`pvmpv`) and one of capitals: a token for one and a half letters. */
const LETTERS_PER_VOWEL = 4.5;
const UNSPOKEN_LETTER = TOKEN / 1.5;
/** A sign before a letter is often one token with what follows it: `/src`, `.py`, `_id`. */
const BEFORE_LETTER = TOKEN / 2;
/** Three digits, and what they keep from merging with the signs around them. */
const DIGITS = TOKEN * 1.25;
/** Where this share of a line's letters is in words without a vowel, its other words are no words either. */
const CRYPTIC_SHARE = 0.15;
const CRYPTIC_LETTERS = 3.5;

const isLetter = (code: number): boolean => (code >= 97 && code <= 122) || (code >= 65 && code <= 90);

function wordCost(word: string, vowels: number): number {
  const capitals = word.length > 1 && word.charCodeAt(1) < 97;
  if (capitals) return word.length * UNSPOKEN_LETTER;
  if (word.length <= LETTERS_PER_VOWEL * vowels) return TOKEN + Math.max(0, word.length - SPOKEN) * FURTHER_LETTER;
  return word.length <= 2 ? TOKEN : word.length * UNSPOKEN_LETTER;
}

function otherCost(piece: string, code: number, next: number): number {
  if (code >= 48 && code <= 57) return DIGITS;
  if (code === 32) return piece.length > 1 ? TOKEN : 0;
  if (code >= 128) return Buffer.byteLength(piece) * TOKEN;
  return code > 32 && isLetter(next) ? BEFORE_LETTER : TOKEN;
}

function lineTokens(line: string): number {
  let cost = 0;
  let crypticCost = 0;
  let letters = 0;
  let silent = 0;
  for (const { 0: piece, index } of line.matchAll(PIECE)) {
    const code = piece.charCodeAt(0);
    if (isLetter(code)) {
      const vowels = piece.match(VOWELS)?.length ?? 0;
      const word = wordCost(piece, vowels);
      cost += word;
      crypticCost += Math.max(word, Math.ceil(piece.length / CRYPTIC_LETTERS) * TOKEN);
      letters += piece.length;
      // The ending of a file's name says nothing of the name.
      if (vowels === 0 && piece.length > 2 && line[index - 1] !== '.') silent += piece.length;
    } else {
      const other = otherCost(piece, code, line.charCodeAt(index + 1));
      cost += other;
      crypticCost += other === BEFORE_LETTER ? TOKEN : other;
    }
  }
  return Math.ceil((silent > CRYPTIC_SHARE * letters ? crypticCost : cost) / TOKEN);
}

/** Tokens of the text, rather too many than too few: the sum over its lines, each with the line end before it. */
export function estimateTokens(text: string): number {
  return text.split(LINES).reduce((sum, line) => sum + lineTokens(line), 0);
}
