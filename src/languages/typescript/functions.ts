/** Functions, methods and callbacks: their parameters, what they return, what `this` is inside. */
import type { Capture } from '../language.js';
import { expect } from './contexts.js';
import type { DocComment } from './doc-comments.js';
import type { Extraction, Run } from './extraction.js';
import { bindPattern, readPattern } from './patterns.js';
import { Scope } from './scopes.js';
import { MODIFIERS } from './token-reader.js';
import { BUILTIN, behind, called, type TypeExpression } from './type-expression.js';

const MOST_PARAMETERS = 8;
const MOST_OVERLOADS = 6;
/** How many `return`s of a function are looked at. */
const MOST_RETURNS = 8;

/** A function declaration; overloads are one function. */
export function enterFunction(extraction: Extraction, span: Capture, index: number): void {
  const { reader } = extraction;
  let at = index;
  while (reader.at(at) !== 'function' && reader.offset(at) < span.end) extraction.done[at++] = 1;
  at++;
  if (reader.at(at) === '*') at++;
  const isNamed = reader.isName(at);
  const isDefault = reader.at(index - 1) === 'default';
  let symbol = -1;
  if (isNamed || isDefault) {
    const name = isNamed ? reader.at(at) : 'default';
    const known = isNamed ? extraction.scope.names.get(name)?.symbol : undefined;
    const before = known === undefined ? undefined : extraction.symbols[known];
    if (known !== undefined && (before?.kind === 'function' || before?.kind === 'namespace')) {
      // Overloads are one function; the implementation comes last. A namespace of its name is part of it.
      symbol = known;
      before.kind = 'function';
      before.endLine = extraction.lineOf(span.end - 1);
    } else {
      symbol = extraction.addSymbol(extraction.qualified(name), 'function', span.start, span.end);
      if (isNamed) extraction.bind(extraction.scope, name, symbol, false);
    }
    if (isNamed) extraction.done[at] = 1;
    if (isDefault && extraction.atModuleLevel) extraction.exportName('default', symbol);
    else if (extraction.isExported(index)) extraction.exportName(name, symbol);
  }
  enterBody(extraction, span, index, isNamed ? at + 1 : at, symbol, false, selfOfFunction(extraction, symbol));
}

/** `this` inside a plain function: what a constructor function makes, or the object it is put on. */
function selfOfFunction(extraction: Extraction, symbol: number): TypeExpression | undefined {
  const name = extraction.symbols[symbol]?.name;
  if (name === undefined) return undefined;
  const dot = name.lastIndexOf('.');
  const kind = extraction.symbols[symbol]?.kind;
  if (kind === 'method' && dot > 0) {
    const parent = name.slice(0, dot);
    const holder = extraction.symbols.find((one) => one.name === parent);
    return holder && (holder.kind === 'function' || holder.kind === 'class') ? { i: parent } : { s: parent };
  }
  return /^[A-Z]/.test(name) ? { i: name } : undefined;
}

/** A function expression or arrow function; its symbol is that of what it is assigned to. */
export function enterLambda(extraction: Extraction, span: Capture, index: number): void {
  const { reader } = extraction;
  const symbol = extraction.named.get(index) ?? -1;
  let at = index;
  const isAsync = reader.at(at) === 'async' && reader.at(at + 1) !== '=>';
  if (isAsync) extraction.done[at++] = 1;
  if (reader.at(at) !== 'function') {
    enterBody(extraction, span, index, at, symbol, true, undefined);
    return;
  }
  at++;
  if (reader.at(at) === '*') at++;
  const scope = new Scope(extraction.scope, true);
  if (reader.isName(at)) {
    extraction.done[at] = 1;
    const own = scope.own(reader.at(at));
    if (symbol >= 0) own.symbol = symbol;
    else own.value = BUILTIN;
    at++;
  }
  enterBody(extraction, span, index, at, symbol, false, selfOfFunction(extraction, symbol), scope);
}

/** A method of a class, an interface or an object literal. */
export function enterMethod(extraction: Extraction, span: Capture, index: number): void {
  const { reader } = extraction;
  let at = index;
  let isStatic = false;
  while (MODIFIERS.has(reader.at(at)) && !/^[(<?!:=]$/.test(reader.at(at + 1))) {
    if (reader.at(at) === 'static') isStatic = true;
    extraction.done[at++] = 1;
  }
  if (reader.at(at) === '*') at++;
  const name = reader.memberName(at);
  const holder = extraction.top.members;
  const start = extraction.decorated >= 0 ? extraction.decorated : span.start;
  const { route } = extraction;
  extraction.decorated = -1;
  extraction.route = undefined;
  let symbol = -1;
  let self: TypeExpression | undefined;
  if (holder !== undefined) {
    const parent = extraction.symbols[holder];
    const ofClass = parent?.kind === 'class' || parent?.kind === 'interface' || parent?.kind === 'type';
    self = ofClass && !isStatic ? { i: parent?.name ?? '' } : { s: parent?.name ?? '' };
    if (name !== undefined) {
      const qualified = extraction.qualified(name, holder);
      const last = extraction.symbols.findLastIndex((one) => one.name === qualified);
      const overload =
        last >= 0 && extraction.symbols[last]?.kind === 'method' && !/^(get|set)$/.test(reader.at(at - 1));
      if (overload) {
        symbol = last;
        const known = extraction.symbols[last];
        if (known) known.endLine = extraction.lineOf(span.end - 1);
      } else {
        symbol = extraction.addSymbol(
          qualified,
          reader.at(at - 1) === 'get' ? 'property' : 'method',
          span.start,
          span.end,
          {
            isMember: true,
            isStatic,
            line: extraction.lineOf(start),
          },
        );
      }
    }
  }
  if (route !== undefined && symbol >= 0) extraction.entryPoints.push({ symbol, kind: route });
  const expected = extraction.top.context;
  extraction.methodContext = expected && name !== undefined ? behind(expected, name) : undefined;
  if (expected && name !== undefined) extraction.refer('read', ['?', name], at, expected);
  extraction.done[at] = 1;
  const nameEnd = reader.at(at) === '[' ? Math.max(reader.match[at] ?? -1, at) + 1 : at + 1;
  enterBody(
    extraction,
    span,
    index,
    nameEnd,
    symbol,
    false,
    self,
    undefined,
    name === 'constructor' ? holder : undefined,
  );
}

function enterBody(
  extraction: Extraction,
  span: Capture,
  index: number,
  from: number,
  symbol: number,
  isArrow: boolean,
  self: TypeExpression | undefined,
  given?: Scope,
  constructed?: number,
): void {
  const { reader } = extraction;
  const scope = given ?? new Scope(extraction.scope, true);
  const inherited = isArrow ? extraction.frames.findLast((frame) => frame.run)?.run?.self : self;
  const isAsync = reader.at(index) === 'async' || (from > index && reader.at(from - 2) === 'async');
  const run: Run = {
    symbol,
    isArrow,
    isAsync: isAsync || hasAsyncBefore(extraction, index, from),
    self: isArrow ? (inherited ?? extraction.self) : self,
    declared: false,
    returns: [],
  };
  extraction.push({
    kind: 'function',
    end: span.end,
    scope,
    run,
    ...(symbol >= 0 ? { owner: symbol } : {}),
  });
  const doc = symbol >= 0 ? extraction.details[symbol]?.doc : extraction.docAt(index);
  if (doc?.self) run.self = doc.self;
  let at = from;
  if (isArrow && reader.isWord(at)) {
    extraction.done[at] = 1;
    const context = doc?.type ?? extraction.contexts.get(index);
    const type = doc && documentedParameter(doc, reader.at(at), 0);
    scope.own(reader.at(at)).value = type ?? extraction.hints.get(index) ?? (context && behind(context, '(0)'));
    noteParameters(extraction, symbol, [type ?? null]);
    at++;
  } else {
    while (reader.at(at) !== '(' && reader.offset(at) < span.end) {
      // Type parameters may hold brackets of their own.
      at = reader.match[at] !== undefined && (reader.match[at] ?? -1) > at ? (reader.match[at] ?? at) + 1 : at + 1;
    }
    const close = reader.match[at] ?? -1;
    if (close < 0) return;
    const context =
      doc?.type ?? extraction.contexts.get(index) ?? (symbol < 0 && !isArrow ? extraction.methodContext : undefined);
    if (context) run.result = 'f' in context ? context.f : called(context);
    const types = readParameters(extraction, at, close, scope, constructed, extraction.hints.get(index), context, doc);
    noteParameters(extraction, symbol, types);
    at = close + 1;
  }
  if (reader.at(at) === ':') {
    const { type, end } = reader.type(at + 1);
    run.declared = true;
    run.result = type && 'p' in type ? type.p : type;
    const detail = extraction.details[symbol];
    if (detail && !detail.returns) {
      detail.returns = type && 'v' in type && type.v[0] === 'this' ? self : type;
      detail.scope = scope;
    }
    at = end;
  } else if (doc?.returns) {
    run.declared = true;
    run.result = 'p' in doc.returns ? doc.returns.p : doc.returns;
    const detail = extraction.details[symbol];
    if (detail) {
      detail.returns = doc.returns;
      detail.scope = scope;
    }
  }
  if (isArrow) {
    while (reader.at(at) !== '=>' && reader.offset(at) < span.end) at++;
    if (reader.at(at + 1) !== '{' && !run.declared) noteReturned(extraction, at + 1, run);
    if (run.result) expect(extraction, reader.at(at + 1) === '(' ? at + 2 : at + 1, run.result);
  }
}

/** What a comment says of a parameter: by its name, or by its place where it is a pattern. */
function documentedParameter(doc: DocComment, name: string | undefined, position: number): TypeExpression | undefined {
  const found = name === undefined ? doc.parameters[position] : doc.parameters.find((one) => one.name === name);
  return found?.type;
}

function hasAsyncBefore(extraction: Extraction, index: number, from: number): boolean {
  for (let at = index; at < from; at++) if (extraction.reader.at(at) === 'async') return true;
  return false;
}

/** Notes the type of a returned expression, where no type is declared. */
export function noteReturned(extraction: Extraction, index: number, run: Run): void {
  let { type } = extraction.reader.value(index);
  if (type && 'v' in type && !type.r && type.v[0] === 'this') {
    type = run.self && (type.v.length === 1 ? run.self : { v: ['?', ...type.v.slice(1)], r: run.self });
  }
  if (!type || 'b' in type || run.returns.length >= MOST_RETURNS) return;
  const { scope } = extraction;
  const text = JSON.stringify(type);
  // The same words in another block may be another local.
  const isKnown = run.returns.some((one) => one.scope === scope && JSON.stringify(one.type) === text);
  if (!isKnown) run.returns.push({ type, scope });
}

/** Parameter types of a function; of overloads, what any of them takes. */
export function noteParameters(
  extraction: Extraction,
  symbol: number,
  types: readonly (TypeExpression | null)[],
): void {
  const detail = extraction.details[symbol];
  if (!detail || types.every((type) => type === null)) return;
  detail.parameters ??= [];
  const known = detail.parameters;
  types.forEach((type, index) => {
    const before = known[index];
    if (!type || 'b' in type) known[index] = before ?? null;
    else if (!before) known[index] = type;
    else if (JSON.stringify(before) !== JSON.stringify(type)) {
      const all = 'u' in before ? before.u : [before];
      if (all.length < MOST_OVERLOADS) known[index] = { u: [...all, type] };
    }
  });
  for (let index = 0; index < known.length; index++) known[index] ??= null;
}

function readParameters(
  extraction: Extraction,
  open: number,
  close: number,
  scope: Scope,
  constructed: number | undefined,
  hint: TypeExpression | undefined,
  context: TypeExpression | undefined,
  doc: DocComment | undefined,
): (TypeExpression | null)[] {
  const { reader } = extraction;
  const parameters: (TypeExpression | null)[] = [];
  let position = 0;
  let at = open + 1;
  let isFirst = true;
  while (at < close) {
    let isProperty = false;
    while (reader.at(at) === '@') {
      at = reader.name(at + 1).end;
      if (reader.at(at) === '(') at = (reader.match[at] ?? at) + 1;
    }
    while (MODIFIERS.has(reader.at(at)) && (reader.isWord(at + 1) || /^[[{]$/.test(reader.at(at + 1)))) {
      extraction.done[at++] = 1;
      isProperty = true;
    }
    if (reader.at(at) === '...') at++;
    const name = reader.isWord(at) ? reader.at(at) : undefined;
    const nameAt = at;
    const names: { name: string; path: string[] }[] = [];
    const isRest = reader.at(at - 1) === '...';
    at = readPattern(extraction, at, [], names);
    let type: TypeExpression | undefined;
    if (reader.at(at) === '?') at++;
    const documented = extraction.docAt(nameAt)?.type ?? (doc && documentedParameter(doc, name, position));
    if (reader.at(at) === ':') {
      const declared = reader.type(at + 1);
      type = declared.type;
      at = declared.end;
    } else if (documented) type = documented;
    else if (reader.at(at) === '=') {
      type = reader.value(at + 1).type;
    } else if (isFirst && hint) type = hint;
    else if (context && name !== 'this') type = behind(context, `(${position})`);
    if (name === 'this') {
      const run = extraction.top.run;
      if (run && type)
        extraction.frames[extraction.frames.length - 1] = { ...extraction.top, run: { ...run, self: type } };
    }
    if (name !== 'this') {
      if (parameters.length < MOST_PARAMETERS) parameters.push(type ? (isRest ? { z: type } : type) : null);
      position++;
    }
    bindPattern(extraction, names, type, scope, nameAt);
    if (isProperty && name !== undefined && constructed !== undefined) {
      const end = extraction.reader.endOfPart(at, close);
      const offset = reader.offset(nameAt);
      const member = extraction.addSymbol(
        extraction.qualified(name, constructed),
        'property',
        offset,
        reader.offset(end),
        {
          isMember: true,
        },
      );
      const detail = extraction.details[member];
      if (detail) {
        detail.type = type;
        detail.scope = scope;
      }
    }
    at = extraction.reader.endOfPart(at, close) + 1;
    isFirst = false;
  }
  return parameters;
}
