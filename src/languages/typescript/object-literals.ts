/** Braces, and the keys of object literals. */
import { expect } from './contexts.js';
import type { Extraction } from './extraction.js';
import { Scope } from './scopes.js';
import { behind } from './type-expression.js';

/** Braces: a body, an object literal, or the members of a type. */
export function enterBraces(extraction: Extraction, index: number): void {
  const close = extraction.reader.match[index] ?? -1;
  if (close < 0) return;
  const { top } = extraction;
  const end = extraction.reader.offset(close) + 1;
  if (top.inTypes) {
    const isBody = (top.kind === 'class' && top.members !== undefined) || top.kind === 'type';
    extraction.push({
      kind: 'other',
      end,
      inTypes: true,
      ...(isBody && top.members !== undefined ? { members: top.members } : {}),
    });
    return;
  }
  const object = extraction.objects.get(index);
  const context = extraction.contexts.get(index);
  const expected = context ? { context } : {};
  if (object !== undefined) {
    extraction.push({ kind: 'block', end, members: object, ...expected });
  } else if (context) {
    extraction.push({ kind: 'block', end, ...expected });
  } else if (top.kind === 'class' || top.kind === 'enum') {
    extraction.push({ kind: 'block', end, ...(top.members === undefined ? {} : { members: top.members }) });
  } else {
    const isGlobal = extraction.reader.at(index - 1) === 'global' && extraction.reader.at(index - 2) === 'declare';
    extraction.push({ kind: 'block', end, scope: new Scope(top.scope, false), ...(isGlobal ? { isGlobal } : {}) });
  }
}

/** Whether the word in front of a colon is a key of an object literal or a label, and no value. */
export function visitKey(extraction: Extraction, index: number): boolean {
  const { reader } = extraction;
  const before = reader.at(index - 1);
  if (before === '?' || before === 'case') return false;
  if (before !== '{' && before !== ',') return before === ';' || before === '}' || before === ')' || index === 0;
  const { top } = extraction;
  if (top.context) {
    extraction.refer('read', ['?', reader.at(index)], index, top.context);
    expect(extraction, index + 2, behind(top.context, reader.at(index)));
  }
  if (top.members !== undefined && top.kind === 'block') addProperty(extraction, index, top.members);
  return true;
}

/** A property of an object literal that is the value of a definition. */
function addProperty(extraction: Extraction, index: number, holder: number): void {
  const { reader } = extraction;
  const valueAt = index + 2;
  const name = reader.memberName(index);
  if (name === undefined) return;
  const lambda = reader.behindLambda(valueAt);
  const end = lambda > 0 ? lambda : reader.endOfExpression(valueAt);
  const symbol = extraction.addSymbol(
    extraction.qualified(name, holder),
    lambda > 0 ? 'method' : 'property',
    reader.offset(index),
    reader.offset(end),
    { isMember: true, isStatic: true },
  );
  if (lambda > 0) extraction.named.set(valueAt, symbol);
  else {
    if (reader.at(valueAt) === '{') extraction.objects.set(valueAt, symbol);
    const detail = extraction.details[symbol];
    if (detail) detail.type = detail.doc?.type ?? extraction.withSelf(reader.value(valueAt).type);
  }
}

/** `{ name }` in an object literal that is the value of a definition. */
export function addShorthand(extraction: Extraction, index: number, holder: number): void {
  const { reader } = extraction;
  const name = reader.at(index);
  const offset = reader.offset(index);
  const symbol = extraction.addSymbol(extraction.qualified(name, holder), 'property', offset, offset + name.length, {
    isMember: true,
    isStatic: true,
  });
  const detail = extraction.details[symbol];
  if (detail) detail.type = { v: [name] };
}
