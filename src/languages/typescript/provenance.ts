/** Where a type is known from: the provenance of what is found behind it. */
import type { Provenance } from '../../graph/edge.js';
import type { TypeExpression } from './type-expression.js';

/** The provenance of members of a value of this type. */
export function originOfType(type: TypeExpression): Provenance {
  if ('n' in type) return 'constructed-receiver';
  // What a literal holds comes from where that does.
  const held = 'o' in type && type.l ? Object.values(type.o) : [];
  if (held.length > 0) return held.length === 1 && held[0] ? originOfType(held[0]) : 'constructed-receiver';
  if ('t' in type || 'i' in type || 'k' in type || 'o' in type || 'either' in type) return 'declared-receiver';
  if ('s' in type) return 'same-file';
  if ('m' in type) return 'imported-name';
  if ('p' in type) return originOfType(type.p);
  if ('a' in type) return originOfType(type.a);
  if ('d' in type) return originOfType(type.d);
  if ('w' in type) return originOfType(type.w);
  if ('e' in type) return originOfType(type.e);
  if ('z' in type) return originOfType(type.z);
  if ('less' in type) return originOfType(type.less);
  if ('f' in type) return 'returned-receiver';
  if ('u' in type) return originOfParts(type.u);
  if ('b' in type) return 'declared-receiver';
  if (type.v.some((segment) => segment.endsWith('()') && segment !== 'new()')) return 'returned-receiver';
  // `import('./x').Foo` as a type; elsewhere it is what `new` makes.
  if (type.v.includes('new()')) return type.r && 'm' in type.r ? 'declared-receiver' : 'constructed-receiver';
  // What a function declares of its parameters.
  if (type.v.some((segment) => segment.startsWith('('))) return 'declared-receiver';
  return type.r ? originOfType(type.r) : 'imported-name';
}

/** Of a literal with others spread into it, the others say where a member comes from that it does not write out. */
function originOfParts(parts: readonly TypeExpression[]): Provenance {
  const first = parts.find((part) => !('o' in part && part.l)) ?? parts[0];
  return first ? originOfType(first) : 'declared-receiver';
}

/** Whether a value was reached through others: `const { run } = make()`, not `run: typeof start`. */
export function isReached(type: TypeExpression | undefined): boolean {
  return type !== undefined && 'v' in type && (type.v.length > 1 || type.v.some((segment) => segment.endsWith('()')));
}
