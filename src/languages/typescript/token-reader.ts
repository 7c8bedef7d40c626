/** Reads expressions, patterns and types off the tokens of one file. Knows no scopes. */

import { objectType } from './object-types.js';
import { objectLiteral } from './object-values.js';
import { PUNCTUATION, STRING, type Tokens, WORD } from './tokens.js';
import { BUILTIN, IMPORT_META, type TypeArguments, type TypeExpression } from './type-expression.js';

/** Words that are never the name of something. `this` and `super` are not among them. */
const KEYWORDS = new Set(
  `await break case catch class const continue debugger default delete do else enum export extends false finally for
  function if import in instanceof new null return switch throw true try typeof undefined var void while with yield`
    .split(/\s+/)
    .filter(Boolean),
);

/** Words that stand before the name of a member or of a parameter that is one. */
export const MODIFIERS = new Set(
  'public private protected static readonly override abstract async get set accessor declare'.split(' '),
);

/** Types that the language provides; names that are not in here may be global types of the repository. */
const PREDEFINED_TYPES = new Set(
  'string number boolean any unknown never void object symbol bigint undefined null true false'.split(' '),
);
const PROMISES = new Set(['Promise', 'PromiseLike']);
const COLLECTIONS = new Set(
  'Array ReadonlyArray Set ReadonlySet Iterable IterableIterator Iterator Generator AsyncIterable AsyncGenerator'.split(
    ' ',
  ),
);
/** Types that have the members of their first argument. */
const TRANSPARENT = new Set('Partial Required Readonly Pick NonNullable Awaited InstanceType'.split(' '));
/** Type operators without a type of interest behind them. */
const OPAQUE_OPERATORS = new Set(['keyof', 'unique', 'infer']);

const COMPARISONS = new Set('== === != !== < > <= >= + - * / % ** & | ^ instanceof in'.split(' '));

/** How deep expressions are read: what is nested deeper has no type. */
const DEEPEST = 8;
/** How many parts a union has in what is kept of it. */
const MOST_PARTS = 24;
const MOST_ELEMENTS = 4;
const MOST_PARAMETERS = 8;
const MOST_ARGUMENTS = 8;

export interface Chain {
  readonly segments: string[];
  /** Index of the first token behind the chain. */
  readonly end: number;
}

export interface Value {
  readonly type: TypeExpression | undefined;
  readonly end: number;
}

export type OnCall = (chain: readonly string[], open: number, close: number) => void;

export const isKeyword = (word: string): boolean => KEYWORDS.has(word);
export const isPredefinedType = (word: string): boolean => PREDEFINED_TYPES.has(word);

/** The text of a string token without its quotes. */
export const unquoted = (token: string): string => token.slice(1, token.endsWith(token[0] ?? '') ? -1 : undefined);

export class TokenReader {
  readonly kind: readonly number[];
  readonly text: readonly string[];
  readonly start: readonly number[];
  readonly match: Int32Array;
  readonly length: number;
  /** Types that a comment gives to what stands in parentheses, by the opening one. */
  readonly casts = new Map<number, TypeExpression>();

  /** `closed` gives the end offset of a structural span by its start: functions, classes, type arguments. */
  constructor(
    readonly source: string,
    tokens: Tokens,
    private readonly lambdas: ReadonlyMap<number, number>,
    private readonly typeLists: ReadonlyMap<number, number>,
  ) {
    this.kind = tokens.kind;
    this.text = tokens.text;
    this.start = tokens.start;
    this.match = tokens.match;
    this.length = tokens.kind.length;
  }

  at(index: number): string {
    return this.text[index] ?? '';
  }

  isWord(index: number): boolean {
    return this.kind[index] === WORD;
  }

  isName(index: number): boolean {
    return this.kind[index] === WORD && !KEYWORDS.has(this.text[index] ?? '');
  }

  isString(index: number): boolean {
    return this.kind[index] === STRING;
  }

  offset(index: number): number {
    return this.start[index] ?? this.source.length;
  }

  /** Whether a line ends between this token and the one before it. */
  startsLine(index: number): boolean {
    if (index <= 0) return true;
    const from = this.offset(index - 1) + (this.kind[index - 1] === WORD ? this.at(index - 1).length : 1);
    const newline = this.source.indexOf('\n', from);
    return newline >= 0 && newline < this.offset(index);
  }

  /** Index of the first token at or behind an offset, from a token before it. */
  tokenAt(offset: number, from: number): number {
    let low = from;
    let high = this.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.start[middle] ?? 0) < offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Index behind the function or class that starts at the token; -1 if none does. */
  behindLambda(index: number): number {
    const end = this.lambdas.get(this.offset(index));
    return end === undefined ? -1 : this.tokenAt(end, index);
  }

  /** Index behind the type arguments that start at the token; -1 if none do. */
  behindTypes(index: number): number {
    const end = this.typeLists.get(this.offset(index));
    return end === undefined ? -1 : this.tokenAt(end, index);
  }

  /** Index of the first token that no longer belongs to the expression at `index`. */
  endOfExpression(index: number): number {
    let at = index;
    while (at < this.length) {
      const text = this.at(at);
      const punctuation = this.kind[at] === PUNCTUATION;
      if (punctuation && (text === ';' || text === ',' || text === ')' || text === ']' || text === '}')) return at;
      if (at > index && !punctuation && this.startsLine(at) && this.endsOperand(at - 1)) {
        if (text !== 'instanceof' && text !== 'in' && text !== 'as' && text !== 'satisfies') return at;
      }
      const behind = Math.max(this.behindLambda(at), text === '<' ? this.behindTypes(at) : -1);
      const close = this.match[at] ?? -1;
      at = behind > at ? behind : close > at ? close + 1 : at + 1;
    }
    return at;
  }

  private endsOperand(index: number): boolean {
    if (this.kind[index] !== PUNCTUATION) {
      const word = this.at(index);
      return this.kind[index] !== WORD || !KEYWORDS.has(word) || /^(null|true|false|undefined)$/.test(word);
    }
    const text = this.at(index);
    return text === ')' || text === ']' || text === '}' || text === '!' || text === '>' || text === '++';
  }

  /**
   * The attribute chain with the given first segments whose next token is at `index`. Calls in it are
   * reported with the chain up to them (`a.b().c()` reports `a.b`, then `a.b().c`).
   */
  chain(segments: string[], index: number, onCall?: OnCall): Chain {
    let at = index;
    for (;;) {
      const text = this.at(at);
      if (this.kind[at] !== PUNCTUATION) break;
      if (text === '!' && /^(\.|\?\.|\[|\()$/.test(this.at(at + 1))) {
        at++;
      } else if (text === '.' || text === '?.') {
        if (this.kind[at + 1] === WORD) {
          segments.push(this.at(at + 1));
          at += 2;
        } else if (text === '?.' && (this.at(at + 1) === '(' || this.at(at + 1) === '[')) {
          at++;
        } else break;
      } else if (text === '(') {
        const close = this.match[at] ?? -1;
        if (close < 0) break;
        onCall?.(segments, at, close);
        segments.push(`${segments.pop() ?? ''}()`);
        at = close + 1;
      } else if (text === '[') {
        const close = this.match[at] ?? -1;
        if (close < 0 || this.startsLine(at)) break;
        const key = close === at + 2 && this.isString(at + 1) ? unquoted(this.at(at + 1)) : '[]';
        segments.push(/^[\w$]+$/.test(key) ? key : '[]');
        at = close + 1;
      } else if (text === '<') {
        const behind = this.behindTypes(at);
        if (behind < 0) break;
        at = behind;
      } else break;
    }
    return { segments, end: at };
  }

  /** `A.B.C` without calls. */
  name(index: number): Chain {
    const segments = [this.at(index)];
    let at = index + 1;
    while ((this.at(at) === '.' || this.at(at) === '?.') && this.kind[at + 1] === WORD) {
      segments.push(this.at(at + 1));
      at += 2;
    }
    return { segments, end: at };
  }

  /** The keys of `['a']['b']` at `index`, behind a type. */
  keys(index: number): string[] {
    const keys: string[] = [];
    for (let at = index; this.at(at) === '[' && this.isString(at + 1) && this.at(at + 2) === ']'; at += 3) {
      keys.push(unquoted(this.at(at + 1)));
    }
    return keys;
  }

  /** The module that `require('x')` or `import('x')` at `index` names, with the index behind it. */
  moduleCall(index: number): { readonly module: string; readonly end: number } | undefined {
    if (this.at(index + 1) !== '(' || !this.isString(index + 2)) return undefined;
    const close = this.match[index + 1] ?? -1;
    if (close < 0) return undefined;
    return { module: unquoted(this.at(index + 2)), end: close + 1 };
  }

  /** What the expression at `index` is worth, as far as it can be said without evaluating it. */
  value(index: number, depth = 0): Value {
    let { type, end } = this.operand(index, depth);
    for (;;) {
      const text = this.at(end);
      if (
        this.kind[end] === WORD
          ? text !== 'as' && text !== 'satisfies' && text !== 'instanceof' && text !== 'in'
          : false
      )
        return { type, end };
      if (text === 'as' || text === 'satisfies') {
        if (this.at(end + 1) === 'const') {
          end += 2;
        } else {
          const cast = this.type(end + 1, depth + 1);
          if (text === 'as' || type === undefined) type = cast.type;
          end = cast.end;
        }
      } else if (text === '!' && !this.startsLine(end)) {
        end++;
      } else if (text === '||' || text === '??') {
        const right = this.value(end + 1, depth + 1);
        return { type: type ?? right.type, end: right.end };
      } else if (text === '&&') {
        return this.value(end + 1, depth + 1);
      } else if (text === '?') {
        const yes = this.value(end + 1, depth + 1);
        if (this.at(yes.end) !== ':') return { type: undefined, end: yes.end };
        const no = this.value(yes.end + 1, depth + 1);
        const both = yes.type && no.type ? { u: [yes.type, no.type] } : (yes.type ?? no.type);
        return { type: both, end: no.end };
      } else if (COMPARISONS.has(text)) {
        return { type: BUILTIN, end: this.value(end + 1, depth + 1).end };
      } else {
        return { type, end };
      }
    }
  }

  private operand(index: number, depth: number): Value {
    const unknown = { type: undefined, end: index };
    if (depth > DEEPEST) return unknown;
    const text = this.at(index);
    const lambda = this.behindLambda(index);
    if (lambda > index) return { type: BUILTIN, end: lambda };
    if (this.kind[index] === WORD) {
      switch (text) {
        case 'await': {
          const { type, end } = this.operand(index + 1, depth + 1);
          return { type: type && { w: type }, end };
        }
        case 'new': {
          if (!this.isName(index + 1)) return unknown;
          const made = this.made(index);
          const { segments, end } = this.chain(['?'], made.end);
          const g = this.typeArguments(this.name(index + 1).end, depth + 1);
          const type: TypeExpression = { n: made.segments.join('.'), ...(g ? { g } : {}) };
          return { type: segments.length > 1 ? { v: segments, r: type } : type, end };
        }
        case 'require':
        case 'import': {
          const call = this.moduleCall(index);
          const meta = call ? -1 : this.behindImportMeta(index);
          if (meta > 0) {
            const { segments, end } = this.chain(['?'], meta);
            return { type: segments.length > 1 ? { v: segments, r: IMPORT_META } : IMPORT_META, end };
          }
          if (!call) return unknown;
          const module: TypeExpression =
            text === 'require' ? { m: call.module, x: '=' } : { p: { m: call.module, x: '*' } };
          const { segments, end } = this.chain(['?'], call.end);
          return { type: segments.length > 1 || segments[0] !== '?' ? { v: segments, r: module } : module, end };
        }
        case 'true':
        case 'false':
          return { type: BUILTIN, end: index + 1 };
        case 'typeof':
        case 'void':
        case 'delete':
          return { type: BUILTIN, end: this.operand(index + 1, depth + 1).end };
      }
      if (KEYWORDS.has(text)) return { type: undefined, end: index + 1 };
      const { segments, end } = this.chain([text], index + 1);
      return { type: { v: segments }, end };
    }
    if (text === '(') {
      const close = this.match[index] ?? -1;
      if (close < 0) return unknown;
      const inner = this.value(index + 1, depth + 1);
      const type = this.casts.get(index) ?? (inner.end === close ? inner.type : undefined);
      const { segments, end } = this.chain(['?'], close + 1);
      if (segments.length === 1 && segments[0] === '?') return { type, end };
      return { type: type && { v: segments, r: type }, end };
    }
    if (text === '[' || text === '{') {
      const close = this.match[index] ?? -1;
      const { type, end } = this.literal(close < 0 ? index + 1 : close + 1);
      return { type: text === '{' && end === close + 1 ? objectLiteral(this, index, close, depth + 1) : type, end };
    }
    if (text === '!' || text === '-' || text === '+' || text === '~') {
      return { type: BUILTIN, end: this.operand(index + 1, depth + 1).end };
    }
    if (text === '<') return unknown;
    if (this.kind[index] !== PUNCTUATION) {
      let end = index + 1;
      // A template is several tokens: its pieces stand at the same bracket depth.
      if (text === '``') end = this.endOfExpression(index);
      return this.literal(end);
    }
    return unknown;
  }

  /** Index behind the `import.meta` at `index`, -1 where there is none. */
  behindImportMeta(index: number): number {
    const isMeta = this.at(index) === 'import' && this.at(index + 1) === '.' && this.at(index + 2) === 'meta';
    return isMeta ? index + 3 : -1;
  }

  /** A literal and what is called on it: either way nothing of the repository. */
  private literal(end: number): Value {
    return { type: BUILTIN, end: this.chain(['?'], end).end };
  }

  /** `new A.B<T>(...)` at `index`: the constructor's name and the index behind the arguments. */
  made(index: number): Chain {
    const { segments, end } = this.name(index + 1);
    const types = this.at(end) === '<' ? this.behindTypes(end) : -1;
    const open = types > 0 ? types : end;
    const close = this.at(open) === '(' ? (this.match[open] ?? -1) : -1;
    return { segments, end: close > 0 ? close + 1 : open };
  }

  /** The type at `index`, as far as members could be looked up on it. */
  type(index: number, depth = 0): Value {
    const start = this.at(index) === '|' || this.at(index) === '&' ? index + 1 : index;
    const first = this.typeOperand(start, depth);
    let end = first.end;
    const all: TypeExpression[] = first.type ? [first.type] : [];
    while (this.at(end) === '|' || this.at(end) === '&') {
      const next = this.typeOperand(end + 1, depth);
      if (next.end <= end + 1) break;
      if (next.type) all.push(next.type);
      end = next.end;
    }
    if (this.at(end) === 'extends') return this.conditional(end, depth);
    if (this.at(end) === 'is') return { type: undefined, end };
    const ours = all.filter((type) => !('b' in type));
    if (ours.length === 0) return { type: all[0], end };
    return { type: ours.length === 1 ? ours[0] : { u: ours.slice(0, MOST_PARTS) }, end };
  }

  /**
   * `extends A ? B : C`; where the `extends` is of something else, its own index. A branch that no value has
   * (`never`, or the text of an error) leaves the other one.
   */
  private conditional(index: number, depth: number): Value {
    if (depth > DEEPEST) return { type: undefined, end: index };
    const bound = this.type(index + 1, depth + 1);
    if (this.at(bound.end) !== '?') return { type: undefined, end: index };
    const yes = this.type(bound.end + 1, depth + 1);
    if (this.at(yes.end) !== ':') return { type: undefined, end: index };
    const no = this.type(yes.end + 1, depth + 1);
    const isNever = (from: number, to: number): boolean =>
      to === from + 1 && (this.at(from) === 'never' || this.kind[from] === STRING);
    if (isNever(bound.end + 1, yes.end)) return no;
    if (isNever(yes.end + 1, no.end)) return { type: yes.type, end: no.end };
    return { type: yes.type && no.type && { either: [yes.type, no.type] }, end: no.end };
  }

  private typeOperand(index: number, depth: number): Value {
    if (depth > DEEPEST) return { type: undefined, end: index };
    let { type, end } = this.typePrimary(index, depth);
    while (this.at(end) === '[' && !this.startsLine(end)) {
      const close = this.match[end] ?? -1;
      if (close < 0) break;
      if (close === end + 1) type = type && { a: type };
      else if (close === end + 2 && this.isString(end + 1))
        type = type && { v: ['?', unquoted(this.at(end + 1))], r: type };
      else type = undefined;
      end = close + 1;
    }
    return { type, end };
  }

  private typePrimary(index: number, depth: number): Value {
    const text = this.at(index);
    if (this.kind[index] === WORD) {
      if (text === 'readonly') return this.typeOperand(index + 1, depth);
      if (OPAQUE_OPERATORS.has(text)) return { type: BUILTIN, end: this.typeOperand(index + 1, depth).end };
      if (text === 'typeof' && this.at(index + 1) === 'import') return this.importedValue(index + 1);
      if (text === 'typeof') {
        const { segments, end } = this.name(index + 1);
        return { type: { v: segments }, end };
      }
      if (text === 'import') {
        const call = this.moduleCall(index);
        if (!call) return { type: undefined, end: index + 1 };
        if (this.at(call.end) !== '.') return { type: { m: call.module, x: '*' }, end: call.end };
        const { segments, end } = this.name(call.end + 1);
        const [x = '', ...inner] = segments;
        return { type: { v: ['?', ...inner, 'new()'], r: { m: call.module, x } }, end: this.behindArguments(end) };
      }
      if (text === 'this') return { type: { v: ['this'] }, end: index + 1 };
      if (text === 'new' || text === 'abstract') return { type: undefined, end: index + 1 };
      if (PREDEFINED_TYPES.has(text)) return { type: BUILTIN, end: index + 1 };
      const { segments, end } = this.name(index);
      const behind = this.at(end) === '<' ? this.behindTypes(end) : -1;
      const name = segments.join('.');
      if (behind < 0) return { type: { t: name }, end };
      const argument = (): TypeExpression | undefined => this.type(end + 1, depth + 1).type;
      if (PROMISES.has(name)) return { type: { p: argument() ?? BUILTIN }, end: behind };
      if (COLLECTIONS.has(name)) return { type: { a: argument() ?? BUILTIN }, end: behind };
      if (name === 'Record') return { type: this.valuesOfRecord(end, behind, depth + 1), end: behind };
      if (TRANSPARENT.has(name)) return { type: argument(), end: behind };
      if (name === 'Omit') return { type: this.withoutMembers(end, behind, depth + 1), end: behind };
      const g = this.typeArguments(end, depth + 1);
      return { type: { t: name, ...(g ? { g } : {}) }, end: behind };
    }
    const close = this.match[index] ?? -1;
    if (text === '(' && close > 0) {
      if (this.at(close + 1) === '=>') {
        const result = this.type(close + 2, depth + 1);
        const q = this.parameterTypes(index, close, depth + 1);
        return { type: { f: result.type ?? BUILTIN, ...(q.length > 0 ? { q } : {}) }, end: result.end };
      }
      const inner = this.type(index + 1, depth + 1);
      return { type: inner.end === close ? inner.type : undefined, end: close + 1 };
    }
    if (text === '[' && close > 0) return { type: this.tuple(index, close, depth + 1), end: close + 1 };
    if (text === '{' && close > 0) return { type: objectType(this, index, close, depth + 1), end: close + 1 };
    return { type: this.kind[index] === PUNCTUATION ? undefined : BUILTIN, end: index + 1 };
  }

  /** `import('x').y` behind `typeof`. */
  private importedValue(index: number): Value {
    const call = this.moduleCall(index);
    if (!call) return { type: undefined, end: index + 1 };
    const { segments, end } = this.chain(['?'], call.end);
    const module: TypeExpression = { m: call.module, x: '*' };
    return { type: segments.length > 1 ? { v: segments, r: module } : module, end };
  }

  /** Index behind the type arguments at `index`, which need not be there. */
  private behindArguments(index: number): number {
    return Math.max(this.at(index) === '<' ? this.behindTypes(index) : -1, index);
  }

  /** The type arguments at `index`; undefined where they say nothing of the repository. */
  typeArguments(index: number, depth: number): TypeArguments | undefined {
    const behind = this.at(index) === '<' ? this.behindTypes(index) : -1;
    if (behind < 0 || depth > DEEPEST) return undefined;
    const all: (TypeExpression | null)[] = [];
    for (let at = index + 1; at < behind - 1 && all.length < MOST_ARGUMENTS; at = this.endOfPart(at, behind - 1) + 1) {
      all.push(this.type(at, depth).type ?? null);
    }
    return all.some((type) => type && !('b' in type)) ? all : undefined;
  }

  /** `<K, V>` of a `Record` between two indexes. */
  private valuesOfRecord(open: number, behind: number, depth: number): TypeExpression | undefined {
    const comma = this.endOfPart(open + 1, behind - 1);
    const { type } = this.at(comma) === ',' ? this.type(comma + 1, depth) : { type: undefined };
    return type && !('b' in type) ? { d: type } : type;
  }

  /** `<T, 'a' | 'b'>` of an `Omit` between two indexes. */
  private withoutMembers(open: number, behind: number, depth: number): TypeExpression | undefined {
    const { type } = this.type(open + 1, depth);
    if (!type || 'b' in type) return type;
    const not: string[] = [];
    for (let at = this.endOfPart(open + 1, behind - 1) + 1; at < behind - 1; at++) {
      if (this.isString(at)) not.push(unquoted(this.at(at)));
      else if (this.at(at) !== '|' && this.at(at) !== ',') return { less: type };
    }
    return not.length > 0 ? { less: type, not } : { less: type };
  }

  /** A tuple as an array of any of its elements. */
  private tuple(open: number, close: number, depth: number): TypeExpression | undefined {
    const elements: TypeExpression[] = [];
    for (let at = open + 1; at < close && elements.length < MOST_ELEMENTS; at = this.endOfPart(at, close) + 1) {
      let from = at;
      if (this.at(from) === '...') from++;
      if (this.at(from + 1) === ':') from += 2;
      const { type } = this.type(from, depth);
      if (type && !('b' in type)) elements.push(type);
    }
    const [first] = elements;
    return first && { a: elements.length > 1 ? { u: elements } : first };
  }

  /** Types of the parameters between brackets in a type: `(a: A, ...rest: B[])`. */
  parameterTypes(open: number, close: number, depth = 0): (TypeExpression | null)[] {
    const types: (TypeExpression | null)[] = [];
    for (let at = open + 1; at < close && types.length < MOST_PARAMETERS; at = this.endOfPart(at, close) + 1) {
      const isRest = this.at(at) === '...';
      // What `this` is inside is no argument.
      if (this.at(at) === 'this') continue;
      let from = isRest ? at + 1 : at;
      const partner = this.match[from] ?? -1;
      from = partner > from ? partner + 1 : from + 1;
      if (this.at(from) === '?') from++;
      const type = this.at(from) === ':' ? this.type(from + 1, depth).type : undefined;
      types.push(type ? (isRest ? { z: type } : type) : null);
    }
    return types;
  }

  /** Index of the next comma at this depth, or `close`. */
  endOfPart(index: number, close: number): number {
    let at = index;
    while (at < close && this.at(at) !== ',') {
      const partner = this.match[at] ?? -1;
      const types = this.at(at) === '<' ? this.behindTypes(at) : -1;
      const lambda = this.behindLambda(at);
      at = Math.max(partner > at ? partner + 1 : at + 1, types, lambda);
    }
    return Math.min(at, close);
  }

  /** The name of the member whose key is at `index`; undefined for computed ones. */
  memberName(index: number): string | undefined {
    if (this.isWord(index)) return this.at(index);
    if (this.isString(index)) {
      const text = unquoted(this.at(index));
      return /^[\w$-]+$/.test(text) ? text : undefined;
    }
    return undefined;
  }

  /** Index behind the type parameters at `index`. */
  behindAngles(index: number): number {
    let depth = 0;
    for (let at = index; at < this.length; at++) {
      const text = this.at(at);
      if (text === '<') depth++;
      else if (text === '>' && --depth === 0) return at + 1;
      else if ((this.match[at] ?? -1) > at) at = this.match[at] ?? at;
    }
    return index + 1;
  }
}
