/**
 * Cython as Python of the same lines. No grammar of Cython is at hand: what C declares is taken out of the text (and
 * handed over beside it), so that what remains is Python, every character at its place.
 */

import { declarator, type TypeUse, typeShape, typeUses, valueSign } from './cython-types.js';
import { endOfLine, isNamePart, isNameStart, isQuote, isSpace, skipBrackets, splitAt, stringAt } from './lexical.js';
import type { Range } from './scan.js';
import type { Shape } from './types.js';

/** Dialects: what is implemented, and what a .pxd file declares for others. */
export const CYTHON = 'cython';
export const CYTHON_DECLARATIONS = 'cython-declarations';

/** A variable, attribute, struct member, enumerator or type that C declares. */
export interface DeclaredName {
  readonly name: string;
  readonly at: number;
  readonly shape?: Shape;
}

/** A function that is declared without a body: in a .pxd file, or of a C library. */
export interface DeclaredFunction {
  readonly start: number;
  readonly end: number;
  readonly name: Range;
}

/** A Cython file as Python, and what of it Python has no words for. All offsets are those of the file. */
export interface CythonText {
  readonly python: string;
  readonly names: readonly DeclaredName[];
  readonly functions: readonly DeclaredFunction[];
  /** Types as they are used, by offset. */
  readonly uses: readonly TypeUse[];
  /** By the offset after the opening bracket of a function: what its parameters are. */
  readonly parameters: ReadonlyMap<number, ReadonlyMap<string, Shape>>;
  /** By the offset of a function's name: what it returns. */
  readonly results: ReadonlyMap<number, Shape>;
  /** `include "x.pxi"`. */
  readonly includes: readonly { readonly path: string; readonly at: number }[];
}

/** What the lines of a block are. */
type Lines = 'code' | 'declarations' | 'enumerators' | 'types';

interface Block {
  readonly indent: number;
  readonly lines: Lines;
  /** The C++ class whose body this is. */
  readonly holder?: string;
}

const MODIFIERS = /^(?:(?:public|readonly|inline|api|extern|packed|volatile|static)\s+)+/;
const AGGREGATE = /^(struct|union|cppclass|class|enum|fused)\b(?:\s+class\b)?\s*/;
const OPERAND_WORDS = new Set(
  'return and or not in is if elif else while yield assert print lambda raise del await from import for with'.split(
    ' ',
  ),
);
/** `<double *>`, `<Foo?>`, `<int[:n]>`. */
const CAST = /<\s*[A-Za-z_][\w.\s]*(?:\[[^\]\n]*\])*[\s*&]*\??\s*>/y;

export function readCython(source: string): CythonText {
  return new Reader(source).text();
}

class Reader {
  private readonly names: DeclaredName[] = [];
  private readonly functions: DeclaredFunction[] = [];
  private readonly uses: TypeUse[] = [];
  private readonly parameters = new Map<number, Map<string, Shape>>();
  private readonly results = new Map<number, Shape>();
  private readonly includes: { path: string; at: number }[] = [];
  private readonly blocks: Block[] = [];
  /** Decorators of the next statement. */
  private readonly decorators: Range[] = [];
  /** The text without comments: what is read. */
  private readonly source: string;
  /** What becomes Python. */
  private readonly out: string[];

  constructor(source: string) {
    this.source = withoutComments(source);
    this.out = this.source.split('');
  }

  text(): CythonText {
    const { source } = this;
    let i = 0;
    while (i < source.length) {
      const line = i;
      while (i < source.length && (source.charCodeAt(i) === 32 || source.charCodeAt(i) === 9)) i++;
      const end = this.endOfStatement(i);
      if (end > i) this.statement(i, trimEnd(source, i, end), i - line);
      i = end + 1;
    }
    return {
      python: this.out.join(''),
      names: this.names,
      functions: this.functions,
      uses: this.uses.sort((a, b) => a.at - b.at),
      parameters: this.parameters,
      results: this.results,
      includes: this.includes,
    };
  }

  /** The line end after the statement at `start`. */
  private endOfStatement(start: number): number {
    const { source } = this;
    let i = start;
    while (i < source.length) {
      const code = source.charCodeAt(i);
      if (code === 10) return i;
      if (code === 92) i += source.charCodeAt(i + 1) === 13 ? 3 : 2;
      else if (code === 40 || code === 91 || code === 123) i = skipBrackets(source, i, source.length);
      else if (isQuote(code)) i = stringAt(source, i, source.length).end;
      else i++;
    }
    return source.length;
  }

  // ---- writing ------------------------------------------------------------------------------------------------

  /** Takes `[start, end)` out. Where something follows on another line (`joins`), the lines stay one statement. */
  private blank(start: number, end: number, joins = false): void {
    for (let i = start; i < end; i++) {
      const code = this.source.charCodeAt(i);
      if (code === 10) {
        if (joins && i > start) this.out[i - 1] = '\\';
      } else if (code !== 13) this.out[i] = ' ';
    }
  }

  private put(at: number, text: string): void {
    for (let i = 0; i < text.length; i++) this.out[at + i] = text[i] as string;
  }

  /** A statement that says nothing in Python, in the place of one that does not exist there. */
  private nothing(start: number, end: number): void {
    this.blank(start, end);
    this.put(start, '0');
  }

  // ---- statements ---------------------------------------------------------------------------------------------

  private statement(start: number, end: number, indent: number): void {
    while ((this.blocks.at(-1)?.indent ?? -1) >= indent) this.blocks.pop();
    const block = this.blocks.at(-1);
    const lines = block?.lines ?? 'code';
    const { source } = this;
    if (source.charCodeAt(start) === 64) {
      this.decorators.push([start, end]);
      return;
    }
    const decorators = this.decorators.splice(0);
    if (isQuote(source.charCodeAt(start))) return;
    const text = source.slice(start, Math.min(end, start + 80));
    const word = /^[A-Za-z_]\w*/.exec(text)?.[0] ?? '';
    if (/^(?:IF|ELIF|ELSE)$/.test(word)) {
      this.put(start, word.toLowerCase());
      this.expressions(start + word.length, end);
      return;
    }
    if (word === 'pass') return;
    if (/^(?:cdef|cpdef|ctypedef)$/.test(word)) {
      const bodiless = this.functions.length;
      this.declaration(start, start + word.length, end, indent, word === 'ctypedef');
      // Python has no decorators of what has no body.
      if (this.functions.length > bodiless) for (const range of decorators) this.nothing(...range);
      return;
    }
    if (lines === 'declarations') {
      this.declaration(start, start, end, indent, false, block?.holder);
      return;
    }
    if (lines === 'enumerators') {
      this.enumerators(start, end);
      return;
    }
    if (lines === 'types') {
      this.uses.push(...typeUses(source, start, end));
      this.nothing(start, end);
      return;
    }
    if (word === 'cimport' || word === 'from') {
      const at = start + (word === 'cimport' ? 0 : source.slice(start, end).search(/\scimport\b/) + 1);
      if (source.startsWith('cimport', at)) this.put(at, 'import ');
      return;
    }
    const included = /^include\s+["']([^"'\n]+)["']/.exec(text);
    if (included) {
      this.includes.push({ path: included[1] as string, at: start });
      this.nothing(start, end);
      return;
    }
    if (word === 'DEF') {
      this.put(start, '0; ');
      this.expressions(start + word.length, end);
      return;
    }
    const property = /^property\s+([A-Za-z_]\w*)\s*:/.exec(text);
    if (property) {
      this.blank(start, start + property[0].length);
      this.put(start, `def ${property[1]}():`);
      return;
    }
    if (word === 'def' || /^async\s+def\b/.test(text)) {
      const open = source.indexOf('(', start);
      if (open > 0 && open < end) {
        const close = skipBrackets(source, open, end);
        this.readParameters(open + 1, close - 1);
        this.expressions(close, end);
      }
      return;
    }
    const counted = /^for\s+[A-Za-z_]\w*\s+(?=from\b)/.exec(text);
    if (counted) this.put(start + counted[0].length, 'in  ');
    this.expressions(start, end);
  }

  /** `cdef`, `cpdef`, `ctypedef`, and the lines of blocks that they open. `from` is after the keyword. */
  private declaration(start: number, from: number, end: number, indent: number, alias: boolean, holder?: string): void {
    const { source } = this;
    const open = (lines: Lines, name?: string): void => {
      this.blocks.push(name === undefined ? { indent, lines } : { indent, lines, holder: name });
    };
    const headed = (colon: number): void => {
      this.blank(start, colon, true);
      this.put(start, 'if 1');
    };
    let at = from;
    while (at < end && isSpace(source.charCodeAt(at))) at++;
    // `cdef:`, `cdef public:`
    const block = /^(?:(?:public|readonly|inline|api|extern|packed)\s*)*:/.exec(source.slice(at, end));
    if (block) {
      headed(at + block[0].length - 1);
      open('declarations');
      return;
    }
    if (/^extern\s+from\b/.test(source.slice(at, at + 40))) {
      const colon = this.colonAfter(at, end);
      headed(colon);
      open('declarations');
      return;
    }
    at += MODIFIERS.exec(source.slice(at, end))?.[0].length ?? 0;
    const aggregate = AGGREGATE.exec(source.slice(at, Math.min(end, at + 60)));
    const colon = aggregate ? this.colonAfter(at, end) : end;
    if (aggregate && (colon < end || aggregate[1] === 'class')) {
      const kind = aggregate[1] as string;
      const nameAt = at + aggregate[0].length;
      const name = /^(?:[A-Za-z_]\w*\.)*([A-Za-z_]\w*)/.exec(source.slice(nameAt, colon));
      if (colon >= end) {
        // A class that is defined elsewhere.
        this.nothing(start, end);
        return;
      }
      if (kind === 'enum' || kind === 'fused' || !name) {
        if (name) this.names.push({ name: name[1] as string, at: nameAt, shape: 'outside' });
        headed(colon);
        const rest = colon + 1 + (/^\s*/.exec(source.slice(colon + 1, end))?.[0].length ?? 0);
        if (rest < end) {
          if (kind === 'enum') this.enumerators(rest, end);
          else this.nothing(rest, end);
        } else open(kind === 'enum' ? 'enumerators' : kind === 'fused' ? 'types' : 'declarations');
        return;
      }
      const plain = name[1] as string;
      const bases = source.indexOf('(', nameAt);
      const hasBases = bases > 0 && bases < colon && !source.slice(nameAt, bases).includes('[object');
      const plainAt = nameAt + name[0].length - plain.length;
      this.blank(start, plainAt, true);
      this.put(start, 'class');
      const afterName = plainAt + plain.length;
      if (hasBases) {
        this.blank(afterName, bases);
        this.blank(skipBrackets(source, bases, colon), colon, true);
      } else this.blank(afterName, colon, true);
      if (kind === 'class') open('code');
      else open('declarations', plain);
      return;
    }
    this.declarators(start, at, end, indent, alias, holder);
  }

  /** `type a, *b = 1`, or a function. */
  private declarators(
    start: number,
    at: number,
    end: number,
    indent: number,
    alias: boolean,
    holder: string | undefined,
  ): void {
    const { source } = this;
    const call = alias ? -1 : this.functionBracket(at, end);
    if (call >= 0) {
      this.functionHeader(start, at, call, end, indent, holder);
      return;
    }
    const values: Range[] = [];
    let shape: Shape | undefined;
    const parts = splitAt(source, at, end, 44);
    for (const [index, [from, to]] of parts.entries()) {
      const sign = valueSign(source, from, to);
      const declared = declarator(source, from, sign);
      if (!declared) continue;
      if (index === 0) {
        const [typeStart, typeEnd] = declared.type;
        const text = source.slice(typeStart, typeEnd);
        this.uses.push(...typeUses(source, typeStart, typeEnd));
        shape = declared.pointer ? 'outside' : typeShape(text);
        if (alias && typeof shape === 'object' && 'i' in shape) shape = shape.i;
      }
      // What is behind a name in brackets, and a pointer to a function, has arguments with types.
      this.uses.push(...typeUses(source, declared.end, sign));
      this.names.push({ name: declared.name, at: declared.at, ...(shape === undefined ? {} : { shape }) });
      if (sign < to) values.push([declared.at, to]);
    }
    const [first] = values;
    if (!first || first[0] < start + 2) {
      this.nothing(start, end);
      return;
    }
    this.blank(start, first[0], true);
    this.put(start, '0;');
    for (const [index, [from, to]] of values.entries()) {
      const sign = valueSign(source, from, to);
      const name = /^[A-Za-z_]\w*/.exec(source.slice(from, sign))?.[0].length ?? 0;
      this.blank(from + name, sign, true);
      this.expressions(sign, to);
      const next = values[index + 1]?.[0] ?? end;
      this.blank(to, next, index + 1 < values.length);
      if (index + 1 < values.length) this.put(to, ';');
    }
  }

  /** The bracket of parameters, where `[at, end)` declares a function; -1 where it declares variables. */
  private functionBracket(at: number, end: number): number {
    const { source } = this;
    let i = at;
    // A tuple of types stands before the name.
    if (source.charCodeAt(i) === 40) i = skipBrackets(source, i, end);
    while (i < end) {
      const code = source.charCodeAt(i);
      if (code === 61 || code === 44 || code === 58) return -1;
      if (code === 91) i = skipBrackets(source, i, end);
      else if (code === 40) {
        return /^\(\s*\*/.test(source.slice(i, i + 10)) && !/[\w\]]\s*$/.test(source.slice(at, i).slice(-1)) ? -1 : i;
      } else i++;
    }
    return -1;
  }

  private functionHeader(
    start: number,
    at: number,
    open: number,
    end: number,
    indent: number,
    holder: string | undefined,
  ): void {
    const { source } = this;
    const declared = declarator(source, at, open);
    if (!declared || declared.name === 'operator' || declared.name === holder) {
      this.nothing(start, end);
      return;
    }
    const [typeStart, typeEnd] = declared.type;
    this.uses.push(...typeUses(source, typeStart, typeEnd));
    const result = typeShape(source.slice(typeStart, typeEnd));
    if (result !== undefined) this.results.set(declared.at, result);
    const close = skipBrackets(source, open, end);
    const colon = this.colonAfter(close, end);
    if (colon >= end || declared.at < start + 4) {
      for (const [from, to] of splitAt(source, open + 1, close - 1, 44)) {
        const sign = valueSign(source, from, to);
        const parameter = declarator(source, from, sign);
        if (parameter) this.uses.push(...typeUses(source, ...parameter.type));
      }
      this.functions.push({ start, end, name: [declared.at, declared.end] });
      this.nothing(start, end);
      return;
    }
    this.blank(start, declared.at, true);
    this.put(start, 'def');
    this.blank(declared.end, open);
    this.readParameters(open + 1, close - 1);
    // `except? -1 nogil`; what is declared with an arrow is Python.
    if (!source.slice(close, colon).includes('->')) this.blank(close, colon, true);
    this.expressions(colon + 1, end);
    this.blocks.push({ indent, lines: 'code' });
  }

  /** The colon outside of brackets in `[at, end)`, or `end`. */
  private colonAfter(at: number, end: number): number {
    const [first] = splitAt(this.source, at, end, 58);
    const colon = first?.[1] ?? end;
    return colon < end && this.source.charCodeAt(colon) === 58 ? colon : end;
  }

  /** Leaves the names and default values of parameters. */
  private readParameters(start: number, end: number): void {
    const { source } = this;
    const shapes = new Map<string, Shape>();
    for (const [from, to] of splitAt(source, start, end, 44)) {
      const sign = valueSign(source, from, to);
      const left = source.slice(from, sign);
      if (/^\s*\.\.\.\s*$/.test(left)) this.blank(from, to);
      if (/^\s*(?:\*|\/|\.\.\.)/.test(left)) continue;
      if (splitAt(source, from, sign, 58).length > 1) {
        this.expressions(sign, to);
        continue;
      }
      const allowed = /\s+(?:not|or)\s+None\s*$/.exec(left)?.[0].length ?? 0;
      const stop = trimEnd(source, from, sign - allowed);
      const parameter = declarator(source, from, stop);
      if (!parameter) continue;
      const [typeStart, typeEnd] = parameter.type;
      this.uses.push(...typeUses(source, typeStart, typeEnd));
      const shape = parameter.pointer ? 'outside' : typeShape(source.slice(typeStart, typeEnd));
      if (shape !== undefined) shapes.set(parameter.name, shape);
      this.blank(from, parameter.at);
      this.blank(parameter.end, sign);
      this.expressions(sign, to);
    }
    if (shapes.size > 0) this.parameters.set(start, shapes);
  }

  /** `A = 1, B`. */
  private enumerators(start: number, end: number): void {
    for (const [from, to] of splitAt(this.source, start, end, 44)) {
      const declared = declarator(this.source, from, valueSign(this.source, from, to));
      if (declared) this.names.push({ name: declared.name, at: declared.at, shape: 'outside' });
    }
    this.nothing(start, end);
  }

  // ---- expressions --------------------------------------------------------------------------------------------

  /** Takes out casts, addresses, `new`, and the prefix of characters. */
  private expressions(start: number, end: number): void {
    const { source } = this;
    let operand = true;
    let i = start;
    while (i < end) {
      const code = source.charCodeAt(i);
      if (isSpace(code) || code === 92) {
        i++;
      } else if (isQuote(code)) {
        i = stringAt(source, i, end).end;
        operand = false;
      } else if (isNameStart(code)) {
        let stop = i + 1;
        while (stop < end && isNamePart(source.charCodeAt(stop))) stop++;
        const word = source.slice(i, stop);
        if (word === 'c' && isQuote(source.charCodeAt(stop))) this.out[i] = ' ';
        const creates: boolean = word === 'new' && operand && /^\s+[A-Za-z_]/.test(source.slice(stop, stop + 20));
        if (creates) this.blank(i, stop);
        operand = creates || OPERAND_WORDS.has(word);
        if (word === 'sizeof') stop = this.sizeOf(stop, end);
        i = stop;
      } else if (code === 60 && operand) {
        CAST.lastIndex = i;
        const cast = CAST.exec(source);
        if (cast && i + cast[0].length <= end) {
          this.uses.push(...typeUses(source, i, i + cast[0].length));
          this.blank(i, i + cast[0].length);
          i += cast[0].length;
        } else i++;
      } else if (code === 38 && operand) {
        this.out[i] = ' ';
        i++;
      } else {
        operand = !(code === 41 || code === 93 || code === 125 || (code >= 48 && code <= 57) || code === 46);
        i++;
      }
    }
  }

  /** `sizeof(double *)`: its argument is a type, or as good as one. Returns the offset after it. */
  private sizeOf(at: number, end: number): number {
    const open = this.source.indexOf('(', at);
    if (open < 0 || open >= end || this.source.slice(at, open).trim() !== '') return at;
    const close = skipBrackets(this.source, open, end);
    this.uses.push(...typeUses(this.source, open + 1, close - 1));
    this.blank(open + 1, close - 1);
    return close;
  }
}

function trimEnd(source: string, start: number, end: number): number {
  let i = end;
  while (i > start && isSpace(source.charCodeAt(i - 1))) i--;
  return i;
}

function withoutComments(source: string): string {
  const parts: string[] = [];
  let from = 0;
  let i = 0;
  while (i < source.length) {
    const code = source.charCodeAt(i);
    if (isQuote(code)) i = stringAt(source, i, source.length).end;
    else if (code === 35) {
      let end = endOfLine(source, i, source.length);
      if (source.charCodeAt(end - 1) === 13) end--;
      parts.push(source.slice(from, i), ' '.repeat(end - i));
      from = end;
      i = end;
    } else i++;
  }
  parts.push(source.slice(from));
  return parts.join('');
}
