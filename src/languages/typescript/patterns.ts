/** Binding patterns: names, and the members that a pattern reads. */
import type { Extraction } from './extraction.js';
import type { Scope } from './scopes.js';
import { behind, type TypeExpression } from './type-expression.js';

/** Gives the names of a pattern their types, and records which members the pattern reads. */
export function bindPattern(
  extraction: Extraction,
  names: readonly { readonly name: string; readonly path: readonly string[] }[],
  type: TypeExpression | undefined,
  scope: Scope,
  index: number,
): void {
  for (const { name, path } of names) {
    const value = type && (path.length === 0 ? type : behind(type, ...path));
    scope.own(name).value = value;
    if (type && path.length > 0 && !path.includes('...')) extraction.refer('read', ['?', ...path], index, type);
  }
}

/** Reads a binding pattern, collecting names with the path of keys to them; returns the index behind it. */
export function readPattern(
  extraction: Extraction,
  index: number,
  path: readonly string[],
  names: { name: string; path: string[] }[],
): number {
  const { reader } = extraction;
  if (reader.isWord(index)) {
    extraction.done[index] = 1;
    names.push({ name: reader.at(index), path: [...path] });
    return index + 1;
  }
  const close = reader.match[index] ?? -1;
  if (close < 0) return index + 1;
  const isObject = reader.at(index) === '{';
  let at = index + 1;
  while (at < close) {
    if (reader.at(at) === '...') {
      at = readPattern(extraction, at + 1, [...path, '...'], names);
    } else if (isObject && reader.at(at) === '[') {
      const end = reader.match[at] ?? close;
      if (reader.at(end + 1) === ':') readPattern(extraction, end + 2, [...path, '[]'], names);
    } else if (isObject && reader.at(at + 1) === ':') {
      extraction.done[at] = 1;
      const key = reader.memberName(at) ?? '[]';
      readPattern(extraction, at + 2, [...path, key], names);
    } else if (reader.isWord(at)) {
      readPattern(extraction, at, [...path, isObject ? reader.at(at) : '[]'], names);
    } else if (reader.at(at) === '{' || reader.at(at) === '[') {
      readPattern(extraction, at, [...path, '[]'], names);
    }
    at = extraction.reader.endOfPart(at, close) + 1;
  }
  return close + 1;
}
