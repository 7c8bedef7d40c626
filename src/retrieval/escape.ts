/** Names of a repository as text that cannot move a cursor, change a colour or end a line. */

const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
const LONGEST = 200;

/** Control, bidirectional and invisible characters as `\x1b` or `\u{202e}`; very long names are cut in the middle. */
export function safe(name: string): string {
  const escaped = name.replace(UNSAFE, (char) => {
    const code = char.codePointAt(0) ?? 0;
    return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`;
  });
  if (escaped.length <= LONGEST) return escaped;
  const chars = [...escaped];
  return `${chars.slice(0, LONGEST / 2).join('')}...${chars.slice(-LONGEST / 4).join('')}`;
}
