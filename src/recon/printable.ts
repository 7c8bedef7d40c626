const hidden = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** Names come from the repository: a control or formatting character in one must not reach a terminal as such. */
export function printable(text: string): string {
  return text.replace(hidden, (char) => `\\x${(char.codePointAt(0) ?? 0).toString(16).padStart(2, '0')}`);
}
