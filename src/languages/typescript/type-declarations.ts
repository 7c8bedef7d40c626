/** Interfaces and type aliases. */
import type { Capture } from '../language.js';
import type { Detail, Extraction } from './extraction.js';
import { noteParameters } from './functions.js';
import { Scope } from './scopes.js';
import type { TokenReader } from './token-reader.js';
import type { TypeExpression } from './type-expression.js';

/** An interface or a type alias. */
export function enterTypeDeclaration(extraction: Extraction, span: Capture, index: number): void {
  const { reader } = extraction;
  const isInterface = span.name === 'interface';
  let at = index;
  while (reader.at(at) !== (isInterface ? 'interface' : 'type') && reader.offset(at) < span.end) at++;
  at++;
  const name = reader.at(at);
  extraction.done[at] = 1;
  const symbol = extraction.addSymbol(
    extraction.qualified(name),
    isInterface ? 'interface' : 'type',
    span.start,
    span.end,
  );
  extraction.bind(extraction.scope, name, symbol, true);
  if (extraction.isExported(index) || (reader.at(index - 1) === 'default' && extraction.atModuleLevel)) {
    extraction.exportName(reader.at(index - 1) === 'default' ? 'default' : name, symbol);
  }
  const scope = new Scope(extraction.scope, false);
  extraction.push({ kind: 'class', end: span.end, scope, owner: symbol, members: symbol, inTypes: true });
  at++;
  if (reader.at(at) === '<') at = extraction.reader.behindAngles(at);
  const detail = extraction.details[symbol];
  if (!detail) return;
  detail.scope = scope;
  if (isInterface) {
    const bases: TypeExpression[] = [];
    readBases(extraction, at, bases);
    if (bases.length > 0) detail.bases = bases;
  } else if (reader.at(at) === '=') {
    readAlias(extraction, symbol, detail, at + 1);
  }
}

/** What an alias stands for: of `{ ... } & A`, its own members and `A`. */
function readAlias({ reader, symbols }: Extraction, symbol: number, detail: Detail, index: number): void {
  const whole = reader.type(index);
  const start = reader.at(index) === '&' ? index + 1 : index;
  const isMapped = reader.at(start + 1) === '[' && (reader.at(start + 3) === 'in' || (whole.type && 'd' in whole.type));
  if (isMapped || !beginsWithObject(reader, index, whole.end)) {
    detail.type = reader.at(index) === '{' ? whole.type : ownArguments(whole.type, symbols[symbol]?.name ?? '');
    return;
  }
  detail.hasMembers = true;
  const behind = (reader.match[start] ?? start) + 1;
  if (reader.at(behind) === '&') detail.type = reader.type(behind).type;
}

/** Object types that an alias hands to another type hold its own members: they are the alias, by its name. */
function ownArguments(type: TypeExpression | undefined, alias: string): TypeExpression | undefined {
  if (!type || 'o' in type) return undefined;
  if (!('t' in type) || !type.g?.some((one) => one && 'o' in one)) return type;
  return { ...type, g: type.g.map((one) => (one && 'o' in one ? { i: alias } : one)) };
}

/** Whether a type is `{ ... } & A`: the object type in front, then others. */
function beginsWithObject(reader: TokenReader, from: number, to: number): boolean {
  const start = reader.at(from) === '&' ? from + 1 : from;
  if (reader.at(start) !== '{') return false;
  for (let at = start; at < to; at++) {
    const text = reader.at(at);
    if (text === '|' || text === '?') return false;
    const types = text === '<' ? reader.behindTypes(at) : -1;
    at = Math.max(at, reader.match[at] ?? -1, types - 1);
  }
  return true;
}

/** A call signature: what calling a value of the interface takes and gives. */
export function enterSignature(extraction: Extraction, span: Capture, index: number): void {
  const { reader } = extraction;
  const holder = extraction.top.members ?? -1;
  const scope = new Scope(extraction.scope, false);
  let open = index;
  if (reader.at(open) === '<') open = extraction.reader.behindAngles(open);
  const close = reader.at(open) === '(' ? (reader.match[open] ?? -1) : -1;
  extraction.push({ kind: 'class', end: span.end, scope, inTypes: true });
  const detail = extraction.details[holder];
  if (close < 0 || !detail) return;
  noteParameters(extraction, holder, reader.parameterTypes(open, close));
  if (reader.at(close + 1) === ':') detail.returns ??= reader.type(close + 2).type;
}

/** The comma-separated types behind `extends` of an interface. */
function readBases(extraction: Extraction, index: number, bases: TypeExpression[]): void {
  const { reader } = extraction;
  let at = index;
  if (reader.at(at) !== 'extends') return;
  do {
    const { type, end } = reader.type(at + 1);
    if (type) bases.push(type);
    if (end <= at + 1) return;
    at = end;
  } while (reader.at(at) === ',');
}
