/** Uses of values: chains of names, calls, instances, decorators, JSX tags. */
import type { Capture } from '../language.js';
import { readAssignment } from './assignments.js';
import { expect, expectArguments, hintCallback } from './contexts.js';
import { decoratedRoute, registrationIn } from './entry-points.js';
import type { Extraction } from './extraction.js';
import { noteReturned } from './functions.js';
import { readExport, readImport } from './module-syntax.js';
import { addShorthand, visitKey } from './object-literals.js';
import { readPattern } from './patterns.js';
import { Scope } from './scopes.js';
import { isKeyword } from './token-reader.js';
import { PUNCTUATION } from './tokens.js';
import { IMPORT_META, type TypeExpression, WINDOW } from './type-expression.js';
import { readDeclarations } from './variables.js';

/** A word where values stand. */
export function visitWord(extraction: Extraction, index: number): void {
  const { reader } = extraction;
  const word = reader.at(index);
  const next = reader.at(index + 1);
  const { top } = extraction;
  if (top.kind === 'tag') {
    if (top.component && /^[=/>]$/.test(next)) extraction.refer('read', [...top.component, '(0)', word], index);
    return;
  }
  switch (word) {
    case 'import': {
      const meta = reader.behindImportMeta(index);
      if (meta < 0) readImport(extraction, index);
      else {
        extraction.done[meta - 1] = 1;
        follow(extraction, ['?'], meta, index, IMPORT_META);
      }
      return;
    }
    case 'window':
    case 'globalThis':
    case 'self':
      if (extraction.scope.find(word) || !/^(\?\.|\.)$/.test(next)) break;
      follow(extraction, ['?'], index + 1, index, WINDOW);
      return;
    case 'export':
      readExport(extraction, index);
      return;
    case 'const':
    case 'let':
    case 'var':
    case 'using':
      if (reader.isName(index + 1) || next === '{' || next === '[') {
        if (word === 'using' && (next === '{' || next === '[')) break;
        readDeclarations(extraction, index, word);
        return;
      }
      if (word !== 'using') return;
      break;
    case 'return': {
      const run = extraction.frames.findLast((frame) => frame.run)?.run;
      if (!run || reader.startsLine(index + 1)) return;
      if (!run.declared) noteReturned(extraction, index + 1, run);
      if (run.result) expect(extraction, index + 1, run.result);
      return;
    }
    case 'for':
    case 'catch':
      enterHead(extraction, index);
      return;
    case 'new':
      visitNew(extraction, index);
      return;
    case 'as':
    case 'satisfies':
      if (top.kind === 'cast') {
        top.inTypes = true;
        return;
      }
      break;
    case 'this':
    case 'super': {
      const self = extraction.self;
      if (self) follow(extraction, [word], index + 1, index, self);
      else follow(extraction, ['?'], index + 1, index);
      return;
    }
    case 'type':
    case 'declare':
    case 'abstract':
    case 'async':
    case 'static':
    case 'get':
    case 'set':
    case 'interface':
    case 'namespace':
    case 'module':
    case 'enum':
      if (reader.isWord(index + 1) && !reader.startsLine(index + 1)) return;
      break;
    case 'require': {
      const call = reader.moduleCall(index);
      if (call && !extraction.scope.find('require')) {
        noteRequire(extraction, index, call.module);
        follow(extraction, ['?'], call.end, index, { m: call.module, x: '=' });
        return;
      }
      break;
    }
  }
  if (isKeyword(word)) return;
  if (next === ':' && reader.kind[index + 1] === PUNCTUATION && visitKey(extraction, index)) return;
  if (next === '=>' && reader.kind[index + 1] === PUNCTUATION) return;
  if (
    (top.members !== undefined || top.context) &&
    top.kind === 'block' &&
    /^[{,]$/.test(reader.at(index - 1)) &&
    /^[,}]$/.test(next)
  ) {
    if (top.context) extraction.refer('read', ['?', word], index, top.context);
    if (top.members !== undefined) addShorthand(extraction, index, top.members);
  }
  follow(extraction, [word], index + 1, index);
}

/** `@name(...)`: a reference, and perhaps what makes the method below an entry point. */
export function visitDecorator(extraction: Extraction, index: number): void {
  const { reader } = extraction;
  if (extraction.decorated < 0) extraction.decorated = reader.offset(index);
  extraction.route ??= decoratedRoute(reader, index + 1);
  const { segments, end } = reader.name(index + 1);
  extraction.done[index + 1] = 1;
  extraction.refer('decorator', segments, index + 1);
  const close = reader.at(end) === '(' ? (reader.match[end] ?? -1) : -1;
  if (close > 0) expectArguments(extraction, extraction.withSelf({ v: segments }), end, close);
}

/** A value in parentheses whose members are used: `(await x).f()`, `(y as Foo).g()`. */
export function visitParenthesis(extraction: Extraction, index: number): void {
  const { reader } = extraction;
  const close = reader.match[index] ?? -1;
  if (close < 0 || !/^(\.|\?\.|!)$/.test(reader.at(close + 1))) return;
  const before = index - 1;
  const isCall =
    before >= 0 &&
    ((reader.isWord(before) && (!isKeyword(reader.at(before)) || reader.at(before) === 'import')) ||
      (reader.kind[before] === PUNCTUATION && /^(\)|\]|>|!|\?\.)$/.test(reader.at(before))));
  if (isCall) return;
  const inner = reader.value(index + 1);
  const root = reader.casts.get(index) ?? (inner.end === close ? extraction.withSelf(inner.type) : undefined);
  follow(extraction, ['?'], close + 1, index, root);
}

function visitNew(extraction: Extraction, index: number): void {
  const { reader } = extraction;
  const nameAt = index + 1;
  if (!reader.isWord(nameAt) || isKeyword(reader.at(nameAt))) return;
  const { segments, end } = reader.made(index);
  if (segments[0] === 'this') {
    extraction.done[nameAt] = 1;
    const self = extraction.self;
    if (self) extraction.refer('call', segments, nameAt, self);
    return;
  }
  extraction.done[nameAt] = 1;
  extraction.refer('call', [...segments.slice(0, -1), `new ${segments[segments.length - 1]}`], nameAt);
  const open = reader.at(end - 1) === ')' ? (reader.match[end - 1] ?? -1) : -1;
  if (open > nameAt) expectArguments(extraction, { v: segments }, open, end - 1);
  if (reader.at(end) === '.') follow(extraction, ['?'], end, nameAt, { n: segments.join('.') });
}

/** Follows a chain, recording its calls, or its reading where nothing in it is called. */
function follow(extraction: Extraction, segments: string[], next: number, index: number, root?: TypeExpression): void {
  const { reader } = extraction;
  let called = false;
  const { end } = reader.chain(segments, next, (prefix, open, close) => {
    called = true;
    extraction.refer('call', prefix, index, root);
    hintCallback(extraction, prefix, open, root);
    const registration = registrationIn(reader, prefix, open, close);
    if (registration) extraction.registrations.push({ ...registration, scope: extraction.scope });
    expectArguments(extraction, extraction.withSelf({ v: [...prefix], ...(root ? { r: root } : {}) }), open, close);
  });
  const last = segments[segments.length - 1] ?? '';
  const defines = reader.at(end) === '=' && !called && readAssignment(extraction, segments, end + 1, index);
  if (!defines && (!called || !last.endsWith('()'))) extraction.refer('read', segments, index, root);
}

/** `for (...)` and `catch (...)`: their names live in the head and the body. */
function enterHead(extraction: Extraction, index: number): void {
  const { reader } = extraction;
  let open = index + 1;
  if (reader.at(open) === 'await') open++;
  const close = reader.at(open) === '(' ? (reader.match[open] ?? -1) : -1;
  if (close < 0) return;
  const behind =
    reader.at(close + 1) === '{' ? (reader.match[close + 1] ?? close) + 1 : reader.endOfExpression(close + 1);
  const scope = new Scope(extraction.scope, false);
  extraction.push({ kind: 'block', end: reader.offset(behind), scope });
  if (reader.at(index) === 'catch') {
    const names: { name: string; path: string[] }[] = [];
    readPattern(extraction, open + 1, [], names);
    for (const { name } of names) scope.own(name);
  }
}

/** A JSX tag: a component is a reference, and its attributes are read of what it takes. */
export function enterTag(extraction: Extraction, span: Capture, index: number): void {
  const { reader } = extraction;
  const at = index + 1;
  const { segments, end } = reader.isWord(at) ? reader.name(at) : { segments: [], end: at };
  const isComponent = segments.length > 1 || /^[^a-z]/.test(segments[0] ?? 'a');
  extraction.push({ kind: 'tag', end: span.end, inTypes: false, ...(isComponent ? { component: segments } : {}) });
  for (let token = at; token < end; token++) extraction.done[token] = 1;
  if (isComponent) extraction.refer('jsx', segments, at);
}

/** A `require` that no declaration has taken: the import alone. */
function noteRequire(extraction: Extraction, index: number, module: string): void {
  if (extraction.done[index + 2] === 1) return;
  extraction.done[index + 2] = 1;
  extraction.addImport({ module }, index);
}
