/** JSDoc comments of JavaScript, where they say something of types. Knows no scopes. */
import { isKeyword, isPredefinedType, TokenReader } from './token-reader.js';
import { PUNCTUATION, tokenize, WORD } from './tokens.js';
import type { TypeExpression } from './type-expression.js';

/** A type in braces. */
export interface DocType {
  readonly type: TypeExpression | undefined;
  /** The names in it, in order. */
  readonly names: readonly DocName[];
}

/** A name that a type in a comment is made of: of this module, or of the `module` that it is imported from. */
export interface DocName {
  readonly segments: readonly string[];
  readonly module?: string;
  readonly isValue: boolean;
  readonly offset: number;
}

export interface DocMember {
  readonly name: string;
  readonly type: TypeExpression | undefined;
  readonly offset: number;
}

/** `@typedef` or `@callback`. */
export interface DocDefinition {
  readonly name: string;
  readonly offset: number;
  readonly type: TypeExpression | undefined;
  readonly properties: DocMember[];
  readonly parameters: (TypeExpression | null)[];
  returns?: TypeExpression | undefined;
}

/** `@import` of one name. */
export interface DocImport {
  readonly module: string;
  readonly name: string;
  readonly alias: string;
  readonly offset: number;
}

export interface DocComment {
  readonly end: number;
  readonly parameters: DocMember[];
  readonly names: DocName[];
  readonly definitions: DocDefinition[];
  readonly imports: DocImport[];
  /** Names of `@template`: they stand for nothing that is defined. */
  readonly templates: Set<string>;
  readonly bases: TypeExpression[];
  type?: TypeExpression | undefined;
  returns?: TypeExpression | undefined;
  self?: TypeExpression | undefined;
}

/** Words in types that name nothing. */
const OPERATORS = new Set('keyof readonly unique new abstract asserts is extends infer in this'.split(' '));
/** Types that say less than the value does. */
const SAYS_NOTHING = /^\s*(?:[*?]|any|unknown|object|Object|Function|mixed)\s*$/;
const TAG = /(?:^\/\*\*|\n[ \t]*\*?|\*)[ \t]*@(\w+)/g;
const SAYS_TYPES = /@(?:import\b|\w+\s*\{)/;
const IMPORTED = /^\s*(?:([\w$]+)\s*,?\s*)?(?:\*\s*as\s+([\w$]+)|\{([^}]*)\})?\s*from\s*(['"])([^'"\n]+)\4/;

/** Index of the brace that closes the one at `open`; -1 if none does before `end`. */
function closingBrace(source: string, open: number, end: number): number {
  let depth = 0;
  for (let at = open; at < end; at++) {
    const code = source.charCodeAt(at);
    if (code === 123) depth++;
    else if (code === 125 && --depth === 0) return at;
  }
  return -1;
}

/** A comment's text without the stars that its lines start with, at the same offsets. */
const withoutStars = (text: string): string => text.replace(/(\n[ \t]*)\*/g, (_, before: string) => `${before} `);

/** Ends of lists of type arguments by their start. */
function typeLists(source: string): Map<number, number> {
  const found = new Map<number, number>();
  const open: number[] = [];
  for (let at = 0; at < source.length; at++) {
    const code = source.charCodeAt(at);
    if (code === 60) open.push(at);
    else if (code === 62 && source.charCodeAt(at - 1) !== 61) {
      const start = open.pop();
      if (start !== undefined) found.set(start, at + 1);
    }
  }
  return found;
}

/** Whether the word names a type or value, and is no operator, key or parameter. */
function isUse(reader: TokenReader, index: number): boolean {
  const word = reader.at(index);
  if (OPERATORS.has(word) || isPredefinedType(word) || isKeyword(word)) return false;
  const before = reader.at(index - 1);
  const next = reader.at(index + 1);
  if (next === '(' || next === 'is' || before === 'infer') return false;
  const isKey = next === ':' || (next === '?' && reader.at(index + 2) === ':') || (next === 'in' && before === '[');
  return !isKey || !/^(?:|[({,;[]|\.\.\.)$/.test(before);
}

/** The names in a type, with what they are imported from. */
function namesIn(reader: TokenReader, base: number): DocName[] {
  const names: DocName[] = [];
  for (let at = 0; at < reader.length; at++) {
    if (reader.kind[at] !== WORD) continue;
    const before = reader.at(at - 1);
    if ((before === '.' || before === '?.') && reader.kind[at - 1] === PUNCTUATION) continue;
    const offset = base + reader.offset(at);
    if (reader.at(at) === 'import') {
      const call = reader.moduleCall(at);
      if (!call) continue;
      const segments = reader.at(call.end) === '.' ? reader.name(call.end + 1).segments : [];
      names.push({ segments, module: call.module, isValue: before === 'typeof', offset });
    } else if (isUse(reader, at)) {
      names.push({ segments: reader.name(at).segments, isValue: before === 'typeof', offset });
    }
  }
  return names;
}

/** The type whose text is between two offsets of the source, in the syntax of TypeScript or of older tools. */
function typeBetween(source: string, from: number, to: number): DocType {
  let text = withoutStars(source.slice(from, to)).replace(/\.</g, ' <');
  let isRest = false;
  text = text.replace(/^\s*(?:\.\.\.|[?!])/, (prefix) => {
    isRest = prefix.endsWith('.');
    return ' '.repeat(prefix.length);
  });
  text = text.replace(/=\s*$/, '');
  if (/^\s*function\b/.test(text)) return { type: undefined, names: [] };
  const reader = new TokenReader(text, tokenize(text, { starts: [], ends: [] }), new Map(), typeLists(text));
  const { type, end } = reader.type(0);
  const whole = end === reader.length && !SAYS_NOTHING.test(text) ? type : undefined;
  return { type: whole && isRest ? { a: whole } : whole, names: namesIn(reader, from) };
}

/** The tags of the comment between two offsets; undefined where none of them says anything of types. */
function readComment(source: string, start: number, end: number): DocComment | undefined {
  const text = source.slice(start, end);
  if (!SAYS_TYPES.test(text)) return undefined;
  const doc: DocComment = {
    end,
    parameters: [],
    names: [],
    definitions: [],
    imports: [],
    templates: new Set(),
    bases: [],
  };
  const tags = [...text.matchAll(TAG)].map((match) => ({
    tag: match[1] ?? '',
    offset: start + match.index + match[0].lastIndexOf('@'),
    from: start + match.index + match[0].length,
  }));
  for (const [index, { tag, from, offset }] of tags.entries()) {
    readTag(source, tag, { offset, from, to: tags[index + 1]?.offset ?? end - 2 }, doc);
  }
  return doc;
}

interface TagRange {
  readonly offset: number;
  readonly from: number;
  readonly to: number;
}

function readTag(source: string, tag: string, { offset, from, to }: TagRange, doc: DocComment): void {
  if (tag === 'import') {
    readImportTag(withoutStars(source.slice(from, to)), offset, doc);
    return;
  }
  const open = from + (/^[\s*]*(?=\{)/.exec(source.slice(from, to))?.[0].length ?? -1);
  const close = open >= from ? closingBrace(source, open, to) : -1;
  const written = close < 0 ? undefined : typeBetween(source, open + 1, close);
  const rest = withoutStars(source.slice(close < 0 ? from : close + 1, to));
  const name = /^\s*\[?\s*([\w$.]+)/.exec(rest)?.[1];
  if (tag === 'template') {
    for (const [word] of rest.split(/\s-\s|\n/)[0]?.matchAll(/[\w$]+/g) ?? []) doc.templates.add(word);
  }
  if (written) doc.names.push(...written.names);
  const definition = doc.definitions.at(-1);
  const type = written?.type;
  switch (tag) {
    case 'param':
    case 'arg':
    case 'argument':
      if (name === undefined || name.includes('.')) return;
      if (definition) definition.parameters.push(type ?? null);
      else doc.parameters.push({ name, type, offset });
      return;
    case 'return':
    case 'returns':
      if (definition) definition.returns = type;
      else doc.returns = type;
      return;
    case 'property':
    case 'prop':
      if (name !== undefined && !name.includes('.')) definition?.properties.push({ name, type, offset });
      return;
    case 'typedef':
    case 'callback':
      if (name === undefined || name.includes('.')) return;
      doc.definitions.push({ name, offset, type, properties: [], parameters: [] });
      return;
    case 'type':
      doc.type = type;
      return;
    case 'this':
      doc.self = type;
      return;
    case 'extends':
    case 'augments':
      if (type) doc.bases.push(type);
      return;
  }
}

function readImportTag(text: string, offset: number, doc: DocComment): void {
  const [, whole, space, list, , module] = IMPORTED.exec(text) ?? [];
  if (module === undefined) return;
  if (whole !== undefined) doc.imports.push({ module, name: 'default', alias: whole, offset });
  if (space !== undefined) doc.imports.push({ module, name: '*', alias: space, offset });
  for (const part of list?.split(',') ?? []) {
    const [name, alias] = part.trim().split(/\s+as\s+/);
    if (name) doc.imports.push({ module, name, alias: alias ?? name, offset });
  }
}

/** The comments that say something of types, by the index of the token behind them. */
export function docComments(
  reader: TokenReader,
  comments: readonly number[],
): ReadonlyMap<number, readonly DocComment[]> {
  const found = new Map<number, DocComment[]>();
  let at = 0;
  for (let pair = 0; pair < comments.length; pair += 2) {
    const end = comments[pair + 1] ?? 0;
    at = reader.tokenAt(end, at);
    const doc = readComment(reader.source, comments[pair] ?? 0, end);
    if (!doc) continue;
    const known = found.get(at);
    if (known) known.push(doc);
    else found.set(at, [doc]);
  }
  return found;
}
