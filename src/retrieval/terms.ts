/** What was searched for: the words inside a pattern, and whether a line or a symbol defines one of them. */

const WORD = /[A-Za-z_$][A-Za-z0-9_$]*/g;
/** Escapes of regular expressions whose letter is no part of a word: `\bname\b`, `\s+`. */
const ESCAPE = /\\[A-Za-z]/g;
const SHORTEST = 3;

/** Identifiers of at least three characters in the patterns, in order, each once. */
export function termsOf(patterns: readonly string[]): string[] {
  const terms = new Set<string>();
  for (const pattern of patterns) {
    for (const word of pattern.replace(ESCAPE, ' ').match(WORD) ?? []) if (word.length >= SHORTEST) terms.add(word);
  }
  return [...terms];
}

const KEYWORD =
  /\b(?:def|class|func|fn|function\*?|type|interface|enum|struct|trait|impl|namespace|module|const|let|var|val)\s+(?:\([^)]*\)\s*)?([A-Za-z_$][\w$]*)/g;

/** Whether the line's text defines one of the terms, by the keywords that most languages share. */
export function definesInText(text: string, terms: ReadonlySet<string>): boolean {
  for (const match of text.matchAll(KEYWORD)) if (match[1] !== undefined && terms.has(match[1])) return true;
  return false;
}

/** The last part of a qualified name: `register` of `Blueprint.register#2`. */
export function lastName(symbol: string): string {
  return symbol.slice(symbol.lastIndexOf('.') + 1).replace(/#\d+$/, '');
}
