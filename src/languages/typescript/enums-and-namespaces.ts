/** Enums and namespaces: declarations that are scopes with members. */
import type { Capture } from '../language.js';
import type { Extraction } from './extraction.js';
import { Scope } from './scopes.js';

/** An enum and its constants. */
export function enterEnum(extraction: Extraction, span: Capture, index: number): void {
  const { reader } = extraction;
  let at = index;
  while (reader.at(at) !== 'enum' && reader.offset(at) < span.end) at++;
  at++;
  const name = reader.at(at);
  extraction.done[at] = 1;
  const symbol = extraction.addSymbol(extraction.qualified(name), 'enum', span.start, span.end);
  extraction.bind(extraction.scope, name, symbol, false);
  if (extraction.isExported(index)) extraction.exportName(name, symbol);
  const scope = new Scope(extraction.scope, false);
  extraction.push({ kind: 'enum', end: span.end, scope, owner: symbol, members: symbol, inTypes: false });
  const open = at + 1;
  const close = reader.match[open] ?? -1;
  for (let member = open + 1; member < close; ) {
    const memberName = reader.memberName(member);
    const end = extraction.reader.endOfPart(member, close);
    if (memberName !== undefined) {
      extraction.done[member] = 1;
      const constant = extraction.addSymbol(
        extraction.qualified(memberName, symbol),
        'constant',
        reader.offset(member),
        reader.offset(member) + 1,
        {
          isMember: true,
          isStatic: true,
        },
      );
      extraction.bind(scope, memberName, constant, false);
    }
    member = end + 1;
  }
}

/** A namespace, or the block of a `declare module`. */
export function enterNamespace(extraction: Extraction, span: Capture, index: number): void {
  const { reader } = extraction;
  let at = index;
  while (!/^(namespace|module|global)$/.test(reader.at(at)) && reader.offset(at) < span.end) at++;
  extraction.done[at] = 1;
  at++;
  const scope = new Scope(extraction.scope, true);
  if (!reader.isName(at)) {
    // `declare module "x"`: what it declares belongs to another module.
    extraction.push({ kind: 'block', end: span.end, scope, inTypes: false });
    return;
  }
  const { segments, end } = reader.name(at);
  for (let token = at; token < end; token++) extraction.done[token] = 1;
  const [root = ''] = segments;
  const known = extraction.scope.names.get(root)?.symbol;
  let symbol = extraction.addSymbol(extraction.qualified(root), 'namespace', span.start, span.end);
  if (known === undefined) extraction.bind(extraction.scope, root, symbol, false);
  if (extraction.isExported(index)) extraction.exportName(root, symbol);
  for (const inner of segments.slice(1)) {
    symbol = extraction.addSymbol(extraction.qualified(inner, symbol), 'namespace', span.start, span.end);
  }
  // A namespace adds members to the function, class, enum or namespace of its name.
  const owner = segments.length === 1 ? (known ?? symbol) : symbol;
  extraction.push({ kind: 'block', end: span.end, scope, owner, inTypes: false });
}
