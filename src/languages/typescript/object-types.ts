/** Object types that are written out where a type stands. */
import type { TokenReader, Value } from './token-reader.js';
import { BUILTIN, type TypeExpression } from './type-expression.js';

/** How many members are kept of an object type. */
const MOST_MEMBERS = 64;

/**
 * An object type between two braces: its members with a type worth following. `{ [K in keyof T]: T[K] }` is `T`, and
 * an object with nothing but an index signature a dictionary. Undefined where it has members that are not understood,
 * and none that is worth following.
 */
export function objectType(
  reader: TokenReader,
  open: number,
  close: number,
  depth: number,
): TypeExpression | undefined {
  const members: { [name: string]: TypeExpression } = {};
  let count = 0;
  let hasUnknown = false;
  for (let at = open + 1; at < close; ) {
    if (isSeparator(reader, at)) {
      at++;
      continue;
    }
    while (/^(?:readonly|[-+])$/.test(reader.at(at)) && !/^[?:]$/.test(reader.at(at + 1))) at++;
    if (reader.at(at) === '[') {
      const behind = (reader.match[at] ?? close) + 1;
      if (reader.at(at + 2) === 'in') return sameMembers(reader, at, behind, depth);
      if (reader.at(at + 2) === ':' && reader.at(behind) === ':' && count === 0) {
        const { type, end } = reader.type(behind + 1, depth);
        const isAll = end === close || (end === close - 1 && isSeparator(reader, end));
        if (isAll) return type && !('b' in type) ? { d: type } : type;
      }
      hasUnknown = true;
      at = endOfMember(reader, behind, close);
      continue;
    }
    const name = reader.memberName(at);
    const { type, end } = memberType(reader, reader.at(at + 1) === '?' ? at + 2 : at + 1, depth);
    if (name === undefined || !type) hasUnknown = true;
    else if (!('b' in type) && count < MOST_MEMBERS) {
      members[name] = type;
      count++;
    }
    at = endOfMember(reader, Math.max(end, at + 1), close);
  }
  if (count > 0) return { o: members };
  return hasUnknown ? undefined : BUILTIN;
}

/** The type of a member whose name ends at `index`: `: T`, or the signature of a method. */
function memberType(reader: TokenReader, index: number, depth: number): Value {
  if (reader.at(index) === ':') return reader.type(index + 1, depth);
  const open = reader.at(index) === '<' ? reader.behindAngles(index) : index;
  const close = reader.at(open) === '(' ? (reader.match[open] ?? -1) : -1;
  if (close < 0) return { type: undefined, end: index };
  const result = reader.at(close + 1) === ':' ? reader.type(close + 2, depth) : { type: undefined, end: close + 1 };
  const q = reader.parameterTypes(open, close, depth);
  return { type: { f: result.type ?? BUILTIN, ...(q.length > 0 ? { q } : {}) }, end: result.end };
}

function isSeparator(reader: TokenReader, index: number): boolean {
  return reader.at(index) === ',' || reader.at(index) === ';';
}

/** Where the next member begins, or the separator in front of it. */
function endOfMember(reader: TokenReader, index: number, close: number): number {
  let at = index;
  while (at < close && !isSeparator(reader, at) && !reader.startsLine(at)) {
    at = Math.max(at, reader.match[at] ?? -1) + 1;
  }
  return at;
}

/** `T` of the mapped type `[K in keyof T]: T[K]` whose key ends before `behind`; undefined of others. */
function sameMembers(reader: TokenReader, open: number, behind: number, depth: number): TypeExpression | undefined {
  const from = open + 4;
  if (reader.at(from - 1) !== 'keyof') return undefined;
  const mapped = reader.type(from, depth);
  if (mapped.end !== behind - 1) return undefined;
  let at = behind;
  while (/^[-+?]$/.test(reader.at(at))) at++;
  if (reader.at(at++) !== ':') return undefined;
  for (let index = from; index < mapped.end; index++) {
    if (reader.at(at++) !== reader.at(index)) return undefined;
  }
  const isSame = reader.at(at) === '[' && reader.at(at + 1) === reader.at(open + 1) && reader.at(at + 2) === ']';
  return isSame ? mapped.type : undefined;
}
