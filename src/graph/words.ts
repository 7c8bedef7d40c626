/** The words of a file: what two files can share in any text language, also those without a grammar. */

/** Longer ones are hashes, encoded data or generated names. */
const LONGEST = 64;
/** Most distinct words of one file. Hand-written files stay far below. */
export const WORDS_PER_FILE = 20_000;

const IDENTIFIER = /[A-Za-z_][A-Za-z0-9_]{3,}/g;

/**
 * Distinct identifiers of at least four characters, sorted by code unit; comments and strings count.
 * Case is kept. Where a file has more than `WORDS_PER_FILE`, the first ones in the text.
 */
export function wordsOf(text: string): string[] {
  const words = new Set<string>();
  for (const word of text.match(IDENTIFIER) ?? []) {
    if (word.length <= LONGEST) {
      words.add(word);
      if (words.size >= WORDS_PER_FILE) break;
    }
  }
  return [...words].sort();
}
