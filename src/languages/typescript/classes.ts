/** Classes and their fields. */
import type { Capture } from '../language.js';
import type { Extraction } from './extraction.js';
import { Scope } from './scopes.js';
import { MODIFIERS } from './token-reader.js';
import type { TypeExpression } from './type-expression.js';

/** A class at its first token: its symbol, its own scope, and its bases. */
export function enterClass(extraction: Extraction, span: Capture, index: number): void {
  const { reader } = extraction;
  let at = index;
  while (reader.at(at) !== 'class' && reader.offset(at) < span.end) {
    if (reader.at(at) === '@') {
      at = reader.name(at + 1).end;
      if (reader.at(at) === '(') at = (reader.match[at] ?? at) + 1;
    } else extraction.done[at++] = 1;
  }
  const keyword = at;
  at++;
  const isNamed = reader.isName(at) && reader.at(at) !== 'implements';
  const isDefault = reader.at(index - 1) === 'default' || reader.at(keyword - 1) === 'default';
  const given = extraction.named.get(index);
  let symbol = given ?? -1;
  const scope = new Scope(extraction.scope, false);
  if (symbol < 0) {
    const name = isNamed ? reader.at(at) : isDefault ? 'default' : 'class';
    const start = extraction.decorated >= 0 ? extraction.decorated : span.start;
    const known = isNamed ? extraction.scope.names.get(name)?.symbol : undefined;
    const before = known === undefined ? undefined : extraction.symbols[known];
    if (known !== undefined && before?.kind === 'namespace') {
      // A namespace of its name is part of the class.
      symbol = known;
      before.kind = 'class';
      before.endLine = extraction.lineOf(span.end - 1);
    } else {
      symbol = extraction.addSymbol(extraction.qualified(name), 'class', reader.offset(keyword), span.end, {
        line: extraction.lineOf(start),
      });
    }
    const isStatement = isNamed && !/^[=(,:?[]$|^return$/.test(reader.at(index - 1));
    if (isStatement) extraction.bind(extraction.scope, name, symbol, false);
    else if (isNamed) extraction.bind(scope, name, symbol, false);
    if (isDefault && extraction.atModuleLevel) extraction.exportName('default', symbol);
    else if (extraction.isExported(index) || extraction.isExported(keyword)) extraction.exportName(name, symbol);
  } else if (isNamed) extraction.bind(scope, reader.at(at), symbol, false);
  extraction.decorated = -1;
  if (isNamed) extraction.done[at++] = 1;
  extraction.push({ kind: 'class', end: span.end, scope, owner: symbol, members: symbol, inTypes: false });
  while (at < reader.length && reader.at(at) !== '{' && reader.at(at) !== 'extends' && reader.at(at) !== 'implements') {
    const types = reader.at(at) === '<' ? extraction.reader.behindAngles(at) : -1;
    at = Math.max(types, at + 1);
  }
  const detail = extraction.details[symbol];
  if (!detail) return;
  detail.scope = scope;
  const bases: TypeExpression[] = [];
  if (reader.at(at) === 'extends') {
    const { type } = reader.value(at + 1);
    if (type && 'v' in type && !type.r && type.v.every((segment) => !segment.includes('('))) {
      const given = reader.typeArguments(reader.name(at + 1).end, 0);
      bases.push({ t: type.v.join('.'), ...(given ? { g: given } : {}) });
      extraction.refer('inherit', type.v, at + 1);
      extraction.done[at + 1] = 1;
    } else if (type) bases.push(type);
  }
  // What a class implements gives it no members: it declares them, or they come from what it extends.
  if (bases.length === 0) bases.push(...(detail.doc?.bases ?? []));
  if (bases.length > 0) detail.bases = bases;
}

/** The alias that hands the object type being read to another type: `type Props = Readonly<{ ... }>`. */
function aliasOf({ frames, symbols }: Extraction): number | undefined {
  const [alias, list] = frames.slice(-3);
  const symbol = list?.kind === 'type' ? alias?.members : undefined;
  return symbol !== undefined && symbols[symbol]?.kind === 'type' ? symbol : undefined;
}

/** A field, or a property of an interface. */
export function enterField(extraction: Extraction, span: Capture, index: number): void {
  const { reader } = extraction;
  let at = index;
  let isStatic = false;
  while (reader.at(at) === '@') {
    at = reader.name(at + 1).end;
    if (reader.at(at) === '(') at = (reader.match[at] ?? at) + 1;
  }
  const from = at;
  while (MODIFIERS.has(reader.at(at)) && !/^[(<?!:=;}]$/.test(reader.at(at + 1)) && !reader.startsLine(at + 1)) {
    if (reader.at(at) === 'static') isStatic = true;
    extraction.done[at++] = 1;
  }
  const name = reader.memberName(at);
  const holder = extraction.top.members ?? aliasOf(extraction);
  extraction.decorated = -1;
  if (name === undefined || holder === undefined) return;
  extraction.done[at++] = 1;
  while (reader.at(at) === '?' || reader.at(at) === '!') at++;
  let type: TypeExpression | undefined;
  if (reader.at(at) === ':') {
    const declared = reader.type(at + 1);
    type = declared.type;
    at = declared.end;
  }
  const lambda = reader.at(at) === '=' ? reader.behindLambda(at + 1) : -1;
  const kind = lambda > 0 ? 'method' : 'property';
  const symbol = extraction.addSymbol(extraction.qualified(name, holder), kind, reader.offset(from), span.end, {
    isMember: true,
    isStatic,
    line: extraction.lineOf(span.start),
  });
  if (lambda > 0) extraction.named.set(at + 1, symbol);
  else if (reader.at(at) === '=') {
    type ??= reader.value(at + 1).type;
    if (reader.at(at + 1) === '{') extraction.objects.set(at + 1, symbol);
  }
  const detail = extraction.details[symbol];
  if (detail) detail.type = detail.doc?.type ?? type;
  extraction.push({ kind: 'member', end: span.end, owner: symbol, inTypes: false });
}
