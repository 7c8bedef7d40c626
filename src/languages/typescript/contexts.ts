/** Types that literals and callbacks get from where they stand: an argument, an annotation, a return type. */
import type { Extraction } from './extraction.js';
import { behind, type TypeExpression } from './type-expression.js';

/** Methods whose callback gets the elements of their receiver. */
const ELEMENT_CALLBACKS = new Set('forEach map filter find findIndex findLast some every flatMap sort'.split(' '));

/** Notes what the object literal, callback or array at a token is expected to be. */
export function expect(extraction: Extraction, index: number, type: TypeExpression): void {
  const { reader } = extraction;
  const text = reader.at(index);
  if (text === '[') {
    const close = reader.match[index] ?? -1;
    for (let at = index + 1; at < close; at = reader.endOfPart(at, close) + 1) expect(extraction, at, { e: type });
  } else if (text === '{' || reader.behindLambda(index) > 0) extraction.contexts.set(index, type);
}

/** The arguments of a call are what the callee's parameters say. */
export function expectArguments(
  extraction: Extraction,
  callee: TypeExpression | undefined,
  open: number,
  close: number,
): void {
  const { reader } = extraction;
  if (!callee || close <= open + 1) return;
  let position = 0;
  for (let at = open + 1; at < close; at = reader.endOfPart(at, close) + 1) {
    const text = reader.at(at);
    if (text === '{' || text === '[' || reader.behindLambda(at) > 0)
      expect(extraction, at, behind(callee, `(${position})`));
    position++;
  }
}

/** A callback of `then` or `forEach` gets the value or the elements of what it is called on. */
export function hintCallback(
  extraction: Extraction,
  chain: readonly string[],
  open: number,
  root: TypeExpression | undefined,
): void {
  const last = chain[chain.length - 1] ?? '';
  if (chain.length < 2 || (last !== 'then' && !ELEMENT_CALLBACKS.has(last))) return;
  if (extraction.reader.behindLambda(open + 1) < 0) return;
  const receiver = extraction.withSelf({ v: chain.slice(0, -1), ...(root ? { r: root } : {}) });
  if (!receiver) return;
  const value = chain.length === 2 && root && chain[0] === '?' ? root : receiver;
  extraction.hints.set(open + 1, last === 'then' ? { w: value } : { e: value });
}
