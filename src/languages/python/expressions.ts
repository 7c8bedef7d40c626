/** Source text of an expression or annotation to its shape. Names are left as written; scopes.ts binds them. */
import { OUTSIDE_CALLS } from './builtins.js';
import {
  endOfName,
  isDigit,
  isNameStart,
  isQuote,
  isSpace,
  isStringPrefix,
  skipBrackets,
  skipSpace,
  splitAt,
  stringAt,
} from './lexical.js';
import type { Shape } from './types.js';

const OPEN_PAREN = 40;
const OPEN_BRACKET = 91;
const OPEN_BRACE = 123;
const DOT = 46;
const COMMA = 44;
const BAR = 124;

const MAX_STEPS = 8;
const MAX_ALTERNATIVES = 4;

function trimEnd(source: string, start: number, end: number): number {
  let i = end;
  while (i > start && isSpace(source.charCodeAt(i - 1))) i--;
  return i;
}

/** A union, flattened, without repetitions. Undefined where nothing is known. */
export function union(shapes: readonly (Shape | undefined)[]): Shape | undefined {
  if (shapes.length === 1) return shapes[0];
  const seen = new Map<string, Shape>();
  for (const shape of shapes) {
    if (shape === undefined) continue;
    const parts = typeof shape === 'object' && 'u' in shape ? shape.u : [shape];
    for (const part of parts) seen.set(JSON.stringify(part), part);
  }
  const known = [...seen.values()];
  if (known.length > 1) {
    const inside = known.filter((shape) => shape !== 'outside');
    if (inside.length === 0) return 'outside';
    return inside.length === 1 ? inside[0] : { u: inside.slice(0, MAX_ALTERNATIVES) };
  }
  return known[0];
}

interface Read {
  readonly shape: Shape | undefined;
  readonly end: number;
}

/** The primary expression (name, attributes, calls, subscripts) at `at`. */
function primary(source: string, at: number, end: number): Read {
  let i = at;
  const nameEnd = endOfName(source, i, end);
  const steps: string[] = [source.slice(i, nameEnd)];
  i = nameEnd;
  let argument: [number, number] | undefined;
  while (i < end) {
    const next = skipSpace(source, i, end);
    const code = source.charCodeAt(next);
    if (next >= end) break;
    if (code === DOT) {
      const name = skipSpace(source, next + 1, end);
      if (!isNameStart(source.charCodeAt(name))) return { shape: undefined, end: i };
      i = endOfName(source, name, end);
      steps.push(source.slice(name, i));
    } else if (code === OPEN_PAREN) {
      i = skipBrackets(source, next, end);
      const last = steps.length - 1;
      const step = steps[last] as string;
      if (steps.length === 1 && !step.endsWith(')')) argument = [next + 1, i - 1];
      if (step.endsWith(')') || step.endsWith(']')) steps.push('()');
      else steps[last] = `${step}()`;
    } else if (code === OPEN_BRACKET) {
      i = skipBrackets(source, next, end);
      steps.push('[]');
    } else break;
  }
  return { shape: finish(source, steps, argument), end: i };
}

/** Rewrites what the language itself gives a meaning: `cast(T, x)`, `type(self)`, calls of builtins. */
function finish(source: string, steps: string[], argument: [number, number] | undefined): Shape | undefined {
  const [root] = steps;
  if (root === undefined || steps.length > MAX_STEPS) return undefined;
  if (root === 'type()' && argument) {
    const inner = parseValue(source, argument[0], argument[1]);
    if (inner === undefined) return undefined;
    return Array.isArray(inner)
      ? [...inner, '__class__', ...steps.slice(1)]
      : { v: inner, c: ['__class__', ...steps.slice(1)] };
  }
  if (root === 'cast()' && argument) {
    const [type] = splitAt(source, argument[0], argument[1], COMMA);
    const shape = type && parseType(source, type[0], type[1]);
    return shape && steps.length > 1 ? { v: shape, c: steps.slice(1) } : shape;
  }
  if (root.endsWith('()') && OUTSIDE_CALLS.has(root.slice(0, -2))) return 'outside';
  return steps;
}

const LITERAL_WORDS = new Set(['True', 'False', 'not', 'Ellipsis', 'NotImplemented']);

/** The value of the expression in `[start, end)`; undefined where nothing is known. */
export function parseValue(source: string, start: number, end: number): Shape | undefined {
  let at = skipSpace(source, start, end);
  let stop = trimEnd(source, at, end);
  while (source.charCodeAt(at) === OPEN_PAREN && skipBrackets(source, at, stop) === stop) {
    at = skipSpace(source, at + 1, stop);
    stop = trimEnd(source, at, stop - 1);
  }
  if (at >= stop) return undefined;
  const code = source.charCodeAt(at);
  if (isQuote(code) || isDigit(code)) return 'outside';
  if (code === OPEN_BRACKET || code === OPEN_BRACE) {
    return skipBrackets(source, at, stop) === stop ? 'outside' : undefined;
  }
  if (!isNameStart(code)) return undefined;
  const word = source.slice(at, endOfName(source, at, stop));
  if (word === 'None') return undefined;
  if (LITERAL_WORDS.has(word)) return 'outside';
  if (word === 'await') return parseValue(source, at + 5, stop);
  if (word === 'lambda' || word === 'yield') return undefined;
  if (isStringPrefix(word) && isQuote(source.charCodeAt(at + word.length))) return 'outside';
  const { shape, end: after } = primary(source, at, stop);
  const rest = skipSpace(source, after, stop);
  if (rest >= stop) return shape;
  if (!isNameStart(source.charCodeAt(rest))) return undefined;
  const operator = source.slice(rest, endOfName(source, rest, stop));
  if (operator === 'or') return union([shape, parseValue(source, rest + 2, stop)]);
  if (operator === 'if') {
    const otherwise = source.slice(rest, stop).search(/\belse\b/);
    return otherwise < 0 ? undefined : union([shape, parseValue(source, rest + otherwise + 4, stop)]);
  }
  return undefined;
}

/** Wrappers that stand for their first argument. */
const TRANSPARENT = new Set([
  'Optional',
  'Annotated',
  'Final',
  'ClassVar',
  'Required',
  'NotRequired',
  'ReadOnly',
  'InitVar',
  'Awaitable',
  'Mapped',
]);
const OUTSIDE_TYPES = new Set(
  'str int float bool bytes bytearray complex object None Any NoReturn Never Literal LiteralString AnyStr range memoryview'.split(
    ' ',
  ),
);

/** The type that the annotation in `[start, end)` declares; undefined where nothing is known. */
export function parseType(source: string, start: number, end: number): Shape | undefined {
  const at = skipSpace(source, start, end);
  const stop = trimEnd(source, at, end);
  if (at >= stop) return undefined;
  const alternatives = splitAt(source, at, stop, BAR);
  if (alternatives.length > 1) return union(alternatives.map(([from, to]) => parseType(source, from, to)));
  const code = source.charCodeAt(at);
  if (isQuote(code)) {
    const quoted = stringAt(source, at, stop);
    return parseType(source, quoted.start, quoted.stop);
  }
  if (code === OPEN_PAREN) return parseType(source, at + 1, stop - 1);
  if (!isNameStart(code)) return undefined;
  let i = endOfName(source, at, stop);
  const chain = [source.slice(at, i)];
  for (;;) {
    const dot = skipSpace(source, i, stop);
    if (source.charCodeAt(dot) !== DOT || dot >= stop) break;
    const name = skipSpace(source, dot + 1, stop);
    if (name >= stop || !isNameStart(source.charCodeAt(name))) return undefined;
    i = endOfName(source, name, stop);
    chain.push(source.slice(name, i));
  }
  const last = chain.at(-1) as string;
  const open = skipSpace(source, i, stop);
  const parts =
    open < stop && source.charCodeAt(open) === OPEN_BRACKET
      ? splitAt(source, open + 1, skipBrackets(source, open, stop) - 1, COMMA)
      : [];
  const argument = (index: number): Shape | undefined => {
    const part = parts[index];
    return part && parseType(source, part[0], part[1]);
  };
  if (last === 'None') return undefined;
  if (OUTSIDE_TYPES.has(last) && chain.length <= 2) return 'outside';
  if (TRANSPARENT.has(last)) return argument(0);
  if (last === 'Union') return union(parts.map((_, index) => argument(index)));
  if (last === 'Coroutine') return argument(2);
  if (last === 'Self') return ['self'];
  if (last === 'Type' || last === 'type') {
    const inner = argument(0);
    return inner === undefined || inner === 'outside' ? inner : { v: inner, c: ['__class__'] };
  }
  if (parts.length === 0) return { i: chain };
  const args = parts.map((_, index) => argument(index) ?? 'outside');
  return { i: chain, a: args };
}

export interface Parameter {
  readonly name: string;
  readonly stars: number;
  /** Offsets of the annotation. */
  readonly type?: readonly [number, number];
  /** Offsets of the default value. */
  readonly value?: readonly [number, number];
}

/** The parameters in the text between the parentheses. */
export function parseParameters(source: string, start: number, end: number): Parameter[] {
  const parameters: Parameter[] = [];
  for (const [from, to] of splitAt(source, start, end, COMMA)) {
    let at = skipSpace(source, from, to);
    let stars = 0;
    while (source.charCodeAt(at) === 42) {
      stars++;
      at++;
    }
    at = skipSpace(source, at, to);
    if (at >= to || !isNameStart(source.charCodeAt(at))) continue;
    const nameEnd = endOfName(source, at, to);
    const name = source.slice(at, nameEnd);
    const colon = skipSpace(source, nameEnd, to);
    if (source.charCodeAt(colon) === 58 && colon < to) {
      const [type] = splitAt(source, colon + 1, to, 61);
      parameters.push(type ? { name, stars, type } : { name, stars });
    } else if (source.charCodeAt(colon) === 61 && colon < to) {
      parameters.push({ name, stars, value: [colon + 1, to] });
    } else parameters.push({ name, stars });
  }
  return parameters;
}

export interface ImportedName {
  readonly module: string;
  readonly name?: string;
  readonly alias?: string;
}

/** What an import statement binds. `import a.b` binds `a`. */
export function parseImport(statement: string): ImportedName[] {
  const text = statement
    .replace(/#.*$/gm, '')
    .replace(/\\\r?\n/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const from = /^from (\.*(?: ?[\w.]*)) import (.*)$/.exec(text);
  if (from) {
    const module = (from[1] as string).replace(/ /g, '');
    const names = (from[2] as string).replace(/[()]/g, '').split(',');
    return names.flatMap((part) => {
      const [name, alias] = part.trim().split(' as ');
      if (!name) return [];
      return name === '*' ? [{ module, name }] : [{ module, name: name.trim(), alias: (alias ?? name).trim() }];
    });
  }
  const plain = /^import (.*)$/.exec(text);
  if (!plain) return [];
  return (plain[1] as string).split(',').flatMap((part) => {
    const [module, alias] = part.trim().split(' as ');
    if (!module) return [];
    return [{ module: module.replace(/ /g, ''), ...(alias ? { alias: alias.trim() } : {}) }];
  });
}
