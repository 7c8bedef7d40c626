/** The lexical rules of Python that scanning needs: strings, comments, brackets, names. */

const NEWLINE = 10;
const BACKSLASH = 92;
const HASH = 35;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;
const SINGLE = 39;
const DOUBLE = 34;

/** Class of an ASCII character; all others count as letters (identifiers may hold them). */
const NAME_START = 1;
const NAME_PART = 2;
const classes = new Uint8Array(128);
for (let code = 0; code < 128; code++) {
  const letter = (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95;
  if (letter) classes[code] = NAME_START | NAME_PART;
  else if (code >= 48 && code <= 57) classes[code] = NAME_PART;
}

export const isNameStart = (code: number): boolean => code > 127 || ((classes[code] ?? 0) & NAME_START) !== 0;
export const isNamePart = (code: number): boolean => code > 127 || ((classes[code] ?? 0) & NAME_PART) !== 0;
export const isDigit = (code: number): boolean => code >= 48 && code <= 57;
export const isQuote = (code: number): boolean => code === SINGLE || code === DOUBLE;
export const isSpace = (code: number): boolean =>
  code === 32 || code === 9 || code === 13 || code === NEWLINE || code === 12;

/** Index after the name that starts at `at`. */
export function endOfName(source: string, at: number, end: number): number {
  let i = at + 1;
  while (i < end && isNamePart(source.charCodeAt(i))) i++;
  return i;
}

/** Whether all of the text is one name. */
export const isName = (text: string): boolean =>
  text !== '' && isNameStart(text.charCodeAt(0)) && endOfName(text, 0, text.length) === text.length;

/** Index of the first character at or after `at` that is neither space, nor comment, nor a joined line end. */
export function skipSpace(source: string, at: number, end: number): number {
  let i = at;
  while (i < end) {
    const code = source.charCodeAt(i);
    if (isSpace(code) || code === BACKSLASH) i++;
    else if (code === HASH) i = endOfLine(source, i, end);
    else break;
  }
  return i;
}

export function endOfLine(source: string, at: number, end: number): number {
  const found = source.indexOf('\n', at);
  return found < 0 || found > end ? end : found;
}

/** Whether the letters before a quote make it a string prefix that holds expressions. */
export const isFormatted = (prefix: string): boolean => /[ftFT]/.test(prefix);
export const isStringPrefix = (name: string): boolean => name.length <= 2 && /^[rbuftRBUFT]{1,2}$/.test(name);

export interface StringSpan {
  /** Content, without quotes. */
  readonly start: number;
  readonly stop: number;
  /** After the closing quote. */
  readonly end: number;
}

/** The string literal whose opening quote is at `quote`. `fields` is called for each `{...}` of a formatted one. */
export function stringAt(
  source: string,
  quote: number,
  end: number,
  fields?: (start: number, end: number) => void,
): StringSpan {
  const mark = source.charCodeAt(quote);
  const triple = source.charCodeAt(quote + 1) === mark && source.charCodeAt(quote + 2) === mark;
  const start = quote + (triple ? 3 : 1);
  let i = start;
  while (i < end) {
    const code = source.charCodeAt(i);
    if (code === BACKSLASH) {
      i += 2;
    } else if (code === mark) {
      if (!triple) return { start, stop: i, end: i + 1 };
      if (source.charCodeAt(i + 1) === mark && source.charCodeAt(i + 2) === mark) return { start, stop: i, end: i + 3 };
      i++;
    } else if (code === NEWLINE && !triple) {
      return { start, stop: i, end: i };
    } else if (code === OPEN_BRACE && fields) {
      if (source.charCodeAt(i + 1) === OPEN_BRACE) {
        i += 2;
      } else {
        const close = endOfField(source, i + 1, end);
        fields(i + 1, close);
        i = close + 1;
      }
    } else {
      i++;
    }
  }
  return { start, stop: end, end };
}

/** Index of the `}` that closes a replacement field whose content starts at `at`. */
function endOfField(source: string, at: number, end: number): number {
  let depth = 0;
  let i = at;
  while (i < end) {
    const code = source.charCodeAt(i);
    if (code === CLOSE_BRACE && depth === 0) return i;
    if (code === OPEN_BRACE || code === 40 || code === 91) depth++;
    else if (code === CLOSE_BRACE || code === 41 || code === 93) depth--;
    else if (isQuote(code)) {
      i = stringAt(source, i, end).end;
      continue;
    } else if (code === NEWLINE) return i;
    i++;
  }
  return end;
}

/** Index after the bracket that closes the one at `open`, or `end`. */
export function skipBrackets(source: string, open: number, end: number): number {
  let depth = 0;
  let i = open;
  while (i < end) {
    const code = source.charCodeAt(i);
    if (code === 40 || code === 91 || code === OPEN_BRACE) depth++;
    else if (code === 41 || code === 93 || code === CLOSE_BRACE) {
      depth--;
      if (depth === 0) return i + 1;
    } else if (isQuote(code)) {
      i = stringAt(source, i, end).end;
      continue;
    } else if (code === HASH) {
      i = endOfLine(source, i, end);
      continue;
    }
    i++;
  }
  return end;
}

/** Splits `[start, end)` at the separator where no bracket or string is open. */
export function splitAt(source: string, start: number, end: number, separator: number): [number, number][] {
  const parts: [number, number][] = [];
  let from = start;
  let i = start;
  while (i < end) {
    const code = source.charCodeAt(i);
    if (code === separator) {
      parts.push([from, i]);
      from = i + 1;
      i++;
    } else if (code === 40 || code === 91 || code === OPEN_BRACE) i = skipBrackets(source, i, end);
    else if (isQuote(code)) i = stringAt(source, i, end).end;
    else if (code === HASH) i = endOfLine(source, i, end);
    else i++;
  }
  if (skipSpace(source, from, end) < end) parts.push([from, end]);
  return parts;
}
