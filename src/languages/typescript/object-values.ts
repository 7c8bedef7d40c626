/** Object literals where a value stands. */
import type { TokenReader } from './token-reader.js';
import { BUILTIN, type TypeExpression } from './type-expression.js';

/** How many members of an object literal are read. */
const MOST_MEMBERS = 24;

/**
 * What an object literal between two braces holds: `{ start, client: makeClient(), ...rest }`. Methods and functions
 * without a name are nothing that could be referred to, and not among its members.
 */
export function objectLiteral(reader: TokenReader, open: number, close: number, depth: number): TypeExpression {
  const members: { [name: string]: TypeExpression } = {};
  const parts: TypeExpression[] = [];
  let left = MOST_MEMBERS;
  for (let at = open + 1; at < close && left > 0; at = reader.endOfPart(at, close) + 1, left--) {
    const isSpread = reader.at(at) === '...';
    const name = isSpread ? undefined : reader.memberName(at);
    const behind = reader.at(at + 1);
    let type: TypeExpression | undefined;
    if (isSpread || behind === ':') type = reader.value(isSpread ? at + 1 : at + 2, depth).type;
    else if ((behind === ',' || at + 1 === close) && reader.isName(at)) type = { v: [reader.at(at)] };
    if (name !== undefined) members[name] = type ?? BUILTIN;
    else if (isSpread && type && !('b' in type)) parts.push(type);
  }
  // What is written out hides what is spread, also where it is nothing of the repository.
  const own: TypeExpression = { o: members, l: 1 };
  if (parts.length > 0) return { u: [own, ...parts] };
  return Object.values(members).every((type) => 'b' in type) ? BUILTIN : own;
}
