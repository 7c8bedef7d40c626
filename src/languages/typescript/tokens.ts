/** Source text to tokens: enough of the lexical grammar of ECMAScript to find names and brackets. */

/** Half-open ranges of the source, sorted by start and disjoint. */
export interface Ranges {
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

export const WORD = 0;
export const PUNCTUATION = 1;
export const STRING = 2;
export const OTHER = 3;

/** Tokens as parallel arrays: `text[i]` of kind `kind[i]` starts at offset `start[i]`. */
export interface Tokens {
  readonly kind: readonly number[];
  readonly text: readonly string[];
  readonly start: readonly number[];
  /** Index of the bracket that closes or opens this one, -1 for other tokens and for unbalanced ones. */
  readonly match: Int32Array;
}

const SPACE = new Set([9, 10, 11, 12, 13, 32, 0xa0, 0xfeff, 0x2028, 0x2029]);
const isDigit = (code: number): boolean => code >= 48 && code <= 57;
const isWordStart = (code: number): boolean =>
  (code >= 97 && code <= 122) ||
  (code >= 65 && code <= 90) ||
  code === 95 ||
  code === 36 ||
  code === 35 ||
  (code > 127 && !SPACE.has(code));
const isWord = (code: number): boolean => isWordStart(code) || isDigit(code);

const CHARACTERS = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
const OPERATORS = ['...', '=>', '?.', '===', '!==', '==', '!=', '??=', '??', '||=', '||', '&&=', '&&', '<=', '>='];
OPERATORS.push('+=', '-=', '*=', '/=', '%=', '|=', '&=', '^=', '++', '--', '**');
/** Operators of several characters by their first one. `>>` is left out: it may close two type lists. */
const OPERATORS_BY_FIRST = new Map<number, string[]>();
for (const operator of OPERATORS) {
  const first = operator.charCodeAt(0);
  const known = OPERATORS_BY_FIRST.get(first);
  if (known) known.push(operator);
  else OPERATORS_BY_FIRST.set(first, [operator]);
}

/** Where the string that opens at `from` ends. A line end closes it: a stray quote costs one line, not the file. */
function endOfString(source: string, from: number): number {
  const quote = source.charCodeAt(from);
  let at = from + 1;
  while (at < source.length) {
    const code = source.charCodeAt(at);
    if (code === quote) return at + 1;
    if (code === 92) at++;
    else if (code === 10) return at;
    at++;
  }
  return source.length;
}

/**
 * Splits `source`, leaving out comments and everything in `skipped` (JSX text, regular expressions).
 * Strings are one token with their quotes; a template is its text pieces as `OTHER` tokens between the
 * tokens of its substitutions. `comments` gets start and end of each that begins with two stars.
 */
export function tokenize(source: string, skipped: Ranges, comments?: number[]): Tokens {
  const kind: number[] = [];
  const text: string[] = [];
  const start: number[] = [];
  const opened: number[] = [];
  /** Depth of brackets at which each open template substitution ends. */
  const templates: number[] = [];
  const pairs: number[] = [];
  const length = source.length;
  let skip = 0;
  let at = 0;

  const push = (tokenKind: number, from: number, to: number): void => {
    kind.push(tokenKind);
    start.push(from);
    text.push(to - from === 1 ? (CHARACTERS[source.charCodeAt(from)] ?? source[from] ?? '') : source.slice(from, to));
  };
  const templateText = (from: number): number => {
    let end = from;
    while (end < length) {
      const code = source.charCodeAt(end);
      if (code === 92) end += 2;
      else if (code === 96) return end + 1;
      else if (code === 36 && source.charCodeAt(end + 1) === 123) {
        templates.push(opened.length);
        return end + 2;
      } else end++;
    }
    return length;
  };

  while (at < length) {
    const code = source.charCodeAt(at);
    while (skip < skipped.starts.length && (skipped.ends[skip] ?? 0) <= at) skip++;
    const skipStart = skipped.starts[skip];
    if (skipStart !== undefined && skipStart <= at) {
      const end = skipped.ends[skip] ?? at + 1;
      if (source.charCodeAt(at) === 47) {
        kind.push(OTHER);
        start.push(at);
        text.push('/./');
      }
      at = end;
      continue;
    }
    if (code <= 32 || SPACE.has(code)) {
      at++;
    } else if (isWordStart(code)) {
      let end = at + 1;
      while (end < length && isWord(source.charCodeAt(end))) end++;
      if (code === 35 && source.charCodeAt(at + 1) === 33) {
        const lineEnd = source.indexOf('\n', at);
        at = lineEnd < 0 ? length : lineEnd;
        continue;
      }
      push(WORD, at, end);
      at = end;
    } else if (isDigit(code)) {
      let end = at + 1;
      while (end < length && (isWord(source.charCodeAt(end)) || source.charCodeAt(end) === 46)) end++;
      kind.push(OTHER);
      start.push(at);
      text.push('0');
      at = end;
    } else if (code === 34 || code === 39) {
      const end = endOfString(source, at);
      push(STRING, at, end);
      at = end;
    } else if (code === 96) {
      const end = templateText(at + 1);
      kind.push(OTHER);
      start.push(at);
      text.push('``');
      at = end;
    } else if (code === 47 && source.charCodeAt(at + 1) === 47) {
      const lineEnd = source.indexOf('\n', at);
      at = lineEnd < 0 ? length : lineEnd;
    } else if (code === 47 && source.charCodeAt(at + 1) === 42) {
      const close = source.indexOf('*/', at + 2);
      const end = close < 0 ? length : close + 2;
      if (comments && source.charCodeAt(at + 2) === 42) comments.push(at, end);
      at = end;
    } else {
      let size = 1;
      for (const operator of OPERATORS_BY_FIRST.get(code) ?? []) {
        if (source.startsWith(operator, at)) {
          size = operator.length;
          break;
        }
      }
      if (size === 2 && code === 63 && isDigit(source.charCodeAt(at + 2))) size = 1;
      if (code === 125 && templates.length > 0 && templates.at(-1) === opened.length) {
        templates.pop();
        const end = templateText(at + 1);
        kind.push(OTHER);
        start.push(at);
        text.push('``');
        at = end;
        continue;
      }
      if (size === 1) {
        if (code === 40 || code === 91 || code === 123) {
          opened.push(kind.length);
        } else if (code === 41 || code === 93 || code === 125) {
          const open = opened.pop();
          if (open !== undefined) pairs.push(open, kind.length);
        }
      }
      push(PUNCTUATION, at, at + size);
      at += size;
    }
  }
  const match = new Int32Array(kind.length).fill(-1);
  for (let pair = 0; pair < pairs.length; pair += 2) {
    const open = pairs[pair] ?? 0;
    const close = pairs[pair + 1] ?? 0;
    match[open] = close;
    match[close] = open;
  }
  return { kind, text, start, match };
}
