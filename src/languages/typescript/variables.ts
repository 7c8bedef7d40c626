/** Declarations by `const`, `let` and `var`. */
import { behindAssignments } from './assignments.js';
import { expect } from './contexts.js';
import { assignsExports } from './exports.js';
import type { Extraction } from './extraction.js';
import { readPattern } from './patterns.js';
import type { Scope } from './scopes.js';
import { BUILTIN, behind, called, type TypeExpression } from './type-expression.js';

/** All declarators behind a keyword. */
export function readDeclarations(extraction: Extraction, index: number, keyword: string): void {
  const { reader } = extraction;
  const scope = keyword === 'var' ? extraction.scope.functionScope : extraction.scope;
  const isExported = extraction.isExported(index);
  let at = index + 1;
  for (;;) {
    at = readDeclarator(extraction, at, scope, keyword, isExported);
    if (reader.at(at) !== ',') return;
    at++;
  }
}

/** One `name: type = value`; returns the index behind it. */
function readDeclarator(
  extraction: Extraction,
  index: number,
  scope: Scope,
  keyword: string,
  isExported: boolean,
): number {
  const { reader } = extraction;
  const names: { name: string; path: string[] }[] = [];
  let at = readPattern(extraction, index, [], names);
  if (reader.at(at) === '!') at++;
  let type: TypeExpression | undefined;
  if (reader.at(at) === ':') {
    const declared = reader.type(at + 1);
    type = declared.type;
    at = declared.end;
    while (at < reader.length && !/^[=,;)]$|^(of|in)$/.test(reader.at(at)) && !reader.startsLine(at)) at++;
  }
  type ??= extraction.docBefore(reader.offset(index))?.type;
  let valueAt = -1;
  let end = at;
  if (reader.at(at) === 'of') {
    const value = extraction.withSelf(reader.value(at + 1).type);
    type ??= value && { e: value };
  } else if (reader.at(at) === 'in') {
    type ??= BUILTIN;
  } else if (reader.at(at) === '=') {
    valueAt = behindAssignments(extraction, at + 1);
    end = reader.endOfExpression(at + 1);
    if (readModuleDeclaration(extraction, names, index, valueAt, scope, isExported)) return end;
    if (type) expect(extraction, valueAt, type);
    type ??= extraction.withSelf(reader.value(valueAt).type);
  }
  const isSimple = reader.isWord(index);
  const isNamespaceLevel =
    extraction.symbols[extraction.owner]?.kind === 'namespace' && !extraction.frames.some((f) => f.run);
  const isTop = scope === extraction.module || isNamespaceLevel;
  for (const one of names) {
    const value = type && (one.path.length === 0 ? type : behind(type, ...one.path));
    if (type && one.path.length > 0 && !one.path.includes('...'))
      extraction.refer('read', ['?', ...one.path], index, type);
    const lambda = isSimple && valueAt > 0 ? reader.behindLambda(valueAt) : -1;
    if (lambda < 0 && !isTop) {
      const binding = scope.own(one.name);
      if (binding.symbol === undefined) binding.value = value;
      continue;
    }
    const isClass = lambda > 0 && /^(class|abstract|@)$/.test(reader.at(valueAt));
    const kind = lambda > 0 ? (isClass ? 'class' : 'function') : keyword === 'const' ? 'constant' : 'variable';
    const symbol = extraction.addSymbol(
      extraction.qualified(one.name),
      kind,
      reader.offset(index),
      isSimple ? reader.offset(end - 1) + 1 : reader.offset(at),
    );
    extraction.bind(scope, one.name, symbol, false);
    if (valueAt > at + 1 && isSimple && assignsExports(extraction, at + 1, valueAt)) {
      extraction.exported.set('=', { symbol });
      extraction.exportedByDeclaration.add(valueAt);
    }
    if (isExported) extraction.exportName(one.name, symbol);
    const detail = extraction.details[symbol];
    if (lambda > 0) extraction.named.set(valueAt, symbol);
    else {
      if (detail) detail.type = value;
      if (isSimple && valueAt > 0) {
        extraction.initialisers.set(valueAt, { symbol, end });
        if (reader.at(valueAt) === '{') extraction.objects.set(valueAt, symbol);
      }
    }
    if (detail && lambda > 0 && type && !('b' in type)) detail.returns = 'f' in type ? type.f : called(type);
  }
  return end;
}

/** Declarations whose value is a module or something out of one. */
function readModuleDeclaration(
  extraction: Extraction,
  names: readonly { readonly name: string; readonly path: readonly string[] }[],
  index: number,
  valueAt: number,
  scope: Scope,
  isExported: boolean,
): boolean {
  const { reader } = extraction;
  const isAwait = reader.at(valueAt) === 'await' && reader.at(valueAt + 1) === 'import';
  const keywordAt = isAwait ? valueAt + 1 : valueAt;
  if (!isAwait && (reader.at(valueAt) !== 'require' || extraction.scope.find('require'))) return false;
  const call = reader.moduleCall(keywordAt);
  if (!call) return false;
  let prefix: string | undefined;
  let { end } = call;
  if (reader.at(end) === '.' && reader.isWord(end + 1)) {
    prefix = reader.at(end + 1);
    end += 2;
  }
  if (reader.at(end) === '.' || reader.at(end) === '(') return false;
  extraction.done[keywordAt + 2] = 1;
  extraction.done[keywordAt] = 1;
  const whole = isAwait ? '*' : '=';
  for (const { name, path } of names) {
    const [first] = path;
    const imported = prefix ?? (first === undefined || first === '...' ? whole : first);
    const binding = scope.own(name);
    const isDeep = prefix === undefined ? path.length > 1 : path.length > 0;
    const source = { m: call.module, x: imported };
    if (isDeep) {
      const rest = prefix === undefined ? path.slice(1) : path;
      binding.value = { v: ['?', ...rest], r: source };
    } else binding.imported = source;
    extraction.addImport({ module: call.module, ...(imported === '=' ? {} : { name: imported }), alias: name }, index);
    if (isExported) extraction.exported.set(name, source);
  }
  if (names.length === 0) extraction.addImport({ module: call.module }, index);
  return true;
}
