/** Go tokens of a range of source text, with the semicolons that the language inserts at line ends. */

export type TokenKind = 'name' | 'keyword' | 'string' | 'number' | 'operator' | 'end';

const KEYWORDS = new Set(
  (
    'break case chan const continue default defer else fallthrough for func go goto if import interface map package ' +
    'range return select struct switch type var'
  ).split(' '),
);

/** Keywords after which a line end closes the statement. */
const CLOSING_KEYWORDS = new Set(['break', 'continue', 'fallthrough', 'return']);
const CLOSING_OPERATORS = new Set([')', ']', '}', '++', '--']);

/** Operators of more than one character, longest first. */
const LONG_OPERATORS = ['<<=', '>>=', '&^=', '...'].concat(
  '&& || <- ++ -- == != <= >= := += -= *= /= %= &= |= ^= << >> &^'.split(' '),
);

/** Characters that a longer operator may start with. */
const LONG_STARTS = new Set('<>&.|=+-*/%^:!');

const NEWLINE = 10;
const isSpace = (code: number): boolean => code === 32 || code === 9 || code === 13;
const isDigit = (code: number): boolean => code >= 48 && code <= 57;
const isNameStart = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95 || code >= 128;

/** A cursor over tokens: the current one is in `kind`, `text`, `start`, `row`. */
export class Tokens {
  kind: TokenKind = 'end';
  /** The token as written; a string literal keeps its quotes. */
  text = '';
  start = 0;
  /** Line of the token, counted from 1. */
  row: number;
  /** Line on which the token before the current one ended. */
  lastRow: number;

  private position: number;
  private line: number;
  private closes = false;

  /** `row` is the line of `start`, counted from 1. */
  constructor(
    private readonly source: string,
    start: number,
    private readonly end: number,
    row: number,
  ) {
    this.position = start;
    this.line = row;
    this.row = row;
    this.lastRow = row;
    this.next();
  }

  is(text: string): boolean {
    return this.text === text && this.kind !== 'string';
  }

  has(kind: TokenKind): boolean {
    return this.kind === kind;
  }

  /** Steps over the current token if it is `text`. */
  accept(text: string): boolean {
    if (!this.is(text)) return false;
    this.next();
    return true;
  }

  /** State to come back to with `reset`. */
  mark(): readonly [number, number, boolean, TokenKind, string, number, number, number] {
    return [this.position, this.line, this.closes, this.kind, this.text, this.start, this.row, this.lastRow];
  }

  reset(mark: ReturnType<Tokens['mark']>): void {
    [this.position, this.line, this.closes, this.kind, this.text, this.start, this.row, this.lastRow] = mark;
  }

  next(): void {
    this.lastRow = this.line;
    if (this.skipBlanks()) {
      this.set('operator', ';', this.position, false);
      return;
    }
    const { source, position, end } = this;
    if (position >= end) {
      if (this.closes) this.set('operator', ';', position, false);
      else this.set('end', '', position, false);
      return;
    }
    const code = source.charCodeAt(position);
    if (isNameStart(code)) this.name();
    else if (isDigit(code) || (code === 46 && isDigit(source.charCodeAt(position + 1)))) this.number();
    else if (code === 34 || code === 39) this.quoted(code);
    else if (code === 96) this.raw();
    else this.operator();
  }

  private set(kind: TokenKind, text: string, start: number, closes: boolean): void {
    this.kind = kind;
    this.text = text;
    this.start = start;
    this.row = this.line;
    this.closes = closes;
  }

  /** Steps over blanks and comments; true where a line end closes the statement. */
  private skipBlanks(): boolean {
    const { source, end } = this;
    while (this.position < end) {
      const code = source.charCodeAt(this.position);
      if (code === NEWLINE) {
        // The line end itself is consumed with the blanks after the inserted semicolon.
        if (this.closes) return true;
        this.line++;
        this.position++;
      } else if (isSpace(code)) {
        this.position++;
      } else if (code === 47 && source.charCodeAt(this.position + 1) === 47) {
        const stop = source.indexOf('\n', this.position);
        this.position = stop < 0 || stop > end ? end : stop;
      } else if (code === 47 && source.charCodeAt(this.position + 1) === 42) {
        const stop = source.indexOf('*/', this.position + 2);
        const after = stop < 0 ? end : stop + 2;
        const lines = this.countLines(this.position, after);
        this.position = after;
        if (lines > 0 && this.closes) {
          this.line += lines;
          return true;
        }
        this.line += lines;
      } else {
        return false;
      }
    }
    return false;
  }

  private countLines(from: number, to: number): number {
    let count = 0;
    for (let at = this.source.indexOf('\n', from); at >= 0 && at < to; at = this.source.indexOf('\n', at + 1)) count++;
    return count;
  }

  private name(): void {
    const { source, position, end } = this;
    let at = position + 1;
    while (at < end) {
      const code = source.charCodeAt(at);
      if (!isNameStart(code) && !isDigit(code)) break;
      at++;
    }
    const text = source.slice(position, at);
    const keyword = KEYWORDS.has(text);
    this.set(keyword ? 'keyword' : 'name', text, position, !keyword || CLOSING_KEYWORDS.has(text));
    this.position = at;
  }

  private number(): void {
    const { source, position, end } = this;
    let at = position + 1;
    while (at < end) {
      const code = source.charCodeAt(at);
      const sign =
        (code === 43 || code === 45) &&
        /[eEpP]/.test(source.charAt(at - 1)) &&
        !/^0[xX]/.test(source.slice(position, position + 2));
      if (!isNameStart(code) && !isDigit(code) && code !== 46 && !sign) break;
      at++;
    }
    this.set('number', source.slice(position, at), position, true);
    this.position = at;
  }

  private quoted(quote: number): void {
    const { source, position, end } = this;
    let at = position + 1;
    while (at < end) {
      const code = source.charCodeAt(at);
      if (code === quote) {
        at++;
        break;
      }
      // An unclosed literal ends with its line, so that the rest can still be read.
      if (code === NEWLINE) break;
      at += code === 92 ? 2 : 1;
    }
    this.set('string', source.slice(position, at), position, true);
    this.position = at;
  }

  private raw(): void {
    const { source, position, end } = this;
    const stop = source.indexOf('`', position + 1);
    const after = stop < 0 || stop >= end ? end : stop + 1;
    this.set('string', source.slice(position, after), position, true);
    this.line += this.countLines(position, after);
    this.position = after;
  }

  private operator(): void {
    const { source, position } = this;
    const first = source.charAt(position);
    const long = LONG_STARTS.has(first) ? LONG_OPERATORS.find((text) => source.startsWith(text, position)) : undefined;
    const text = long ?? first;
    this.set('operator', text, position, CLOSING_OPERATORS.has(text));
    this.position = position + text.length;
  }
}
