/** Assignments that define something: `Foo.prototype.x =`, `this.x =`, `exports.x =`. */
import { exportPath, OWN_EXPORTS } from './exports.js';
import type { Extraction } from './extraction.js';

/** `a.b = value`, `exports.x = value`, `this.x = value`: whether that defines something. */
export function readAssignment(
  extraction: Extraction,
  chain: readonly string[],
  right: number,
  index: number,
): boolean {
  const { reader } = extraction;
  const valueAt = behindAssignments(extraction, right);
  const [first = ''] = chain;
  if (chain.length === 1) {
    const binding = extraction.scope.find(first);
    if (binding && binding.symbol === undefined && !binding.imported && binding.value === undefined) {
      binding.value = extraction.withSelf(reader.value(valueAt).type);
    }
    return false;
  }
  const isModule = first === 'module' && chain[1] === 'exports' && isFree(extraction, 'module');
  if (isModule || (first === 'exports' && isFree(extraction, 'exports'))) {
    return exportPath(extraction, chain.slice(isModule ? 2 : 1), valueAt, index);
  }
  if (first === 'this') {
    return chain.length === 2 && assignField(extraction, chain[1] ?? '', valueAt, index);
  }
  if (chain.some((segment) => segment.includes('(') || segment === '[]')) return false;
  const path = chain.filter((segment) => segment !== 'prototype');
  const lambda = reader.behindLambda(valueAt);
  const binding = extraction.scope.find(first);
  if (!binding || binding.imported) return false;
  const isOurs = binding.symbol !== undefined || binding.type !== undefined;
  if (!isOurs && binding.value !== undefined && lambda < 0) return false;
  const holderName = [
    binding.symbol === undefined ? first : (extraction.symbols[binding.symbol]?.name ?? first),
    ...path.slice(1, -1),
  ].join('.');
  if (path.length === 1 && chain.length === 2) {
    // `Foo.prototype = { ... }`
    if (binding.symbol !== undefined && reader.at(valueAt) === '{') extraction.objects.set(valueAt, binding.symbol);
    return false;
  }
  if (!isOurs && binding.scope !== extraction.module) return false;
  const name = `${holderName}.${path[path.length - 1]}`;
  if (extraction.taken.has(name)) return false;
  if (lambda < 0 && binding.scope !== extraction.module) return false;
  const symbol = addAssigned(extraction, name, index, valueAt, { isStatic: !chain.includes('prototype') });
  if (lambda <= 0 && reader.at(valueAt) === '{') extraction.objects.set(valueAt, symbol);
  return true;
}

/** Adds the member that an assignment makes: a method where a function is assigned, else a property of its type. */
function addAssigned(
  extraction: Extraction,
  name: string,
  index: number,
  valueAt: number,
  extra: { readonly isStatic?: boolean },
): number {
  const { reader } = extraction;
  const lambda = reader.behindLambda(valueAt);
  const kind = lambda > 0 ? 'method' : 'property';
  const end = lambda > 0 ? lambda : reader.endOfExpression(valueAt);
  const symbol = extraction.addSymbol(name, kind, reader.offset(index), reader.offset(end), {
    isMember: true,
    ...extra,
  });
  const detail = extraction.details[symbol];
  if (lambda > 0) extraction.named.set(valueAt, symbol);
  else if (detail) detail.type = detail.doc?.type ?? extraction.withSelf(reader.value(valueAt).type);
  return symbol;
}

/** `a = exports.b = value`: where the value starts. */
export function behindAssignments(extraction: Extraction, index: number): number {
  const { reader } = extraction;
  let at = index;
  while (reader.isName(at)) {
    const { end } = reader.name(at);
    if (reader.at(end) !== '=') break;
    at = end + 1;
  }
  return at;
}

function isFree(extraction: Extraction, name: string): boolean {
  const binding = extraction.scope.find(name);
  return !binding || (binding.scope === extraction.module && binding.value === OWN_EXPORTS);
}

function assignField(extraction: Extraction, name: string, valueAt: number, index: number): boolean {
  const { self } = extraction;
  if (!self || !('i' in self || 's' in self)) return false;
  const holder = 'i' in self ? self.i : self.s;
  const qualified = `${holder}.${name}`;
  if (extraction.taken.has(qualified)) return false;
  addAssigned(extraction, qualified, index, valueAt, {});
  return true;
}
