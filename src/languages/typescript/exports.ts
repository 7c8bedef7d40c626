/** Exported values: `export default`, `export =`, `module.exports`. */
import { expect } from './contexts.js';
import type { Extraction } from './extraction.js';
import type { TypeExpression } from './type-expression.js';

/** What `exports` is inside its own file. */
export const OWN_EXPORTS: TypeExpression = { m: '.', x: '=' };

/** The value of `module.exports` (no path) or of a named export, at a token. */
export function exportPath(extraction: Extraction, path: readonly string[], valueAt: number, index: number): boolean {
  const name = path.length === 0 ? '=' : (path[0] ?? '');
  if (path.length > 1 || extraction.exportedByDeclaration.has(valueAt)) return false;
  exportValue(extraction, name, valueAt, index);
  return true;
}

/** Exports the expression at a token under a name, making a definition of it where it is one. */
export function exportValue(extraction: Extraction, name: string, valueAt: number, index: number): void {
  const { reader } = extraction;
  const shown = name === '=' ? 'exports' : name;
  const lambda = reader.behindLambda(valueAt);
  const end = lambda > 0 ? lambda : reader.endOfExpression(valueAt);
  if (reader.at(valueAt) === 'require') {
    const call = reader.moduleCall(valueAt);
    if (call) {
      let x = '=';
      if (reader.at(call.end) === '.' && reader.isWord(call.end + 1)) x = reader.at(call.end + 1);
      if (x !== '=' || call.end === end) {
        extraction.exported.set(name, { m: call.module, x });
        return;
      }
    }
  }
  if (lambda < 0 && reader.isName(valueAt) && end === valueAt + 1) {
    extraction.exported.set(name, { local: reader.at(valueAt) });
    return;
  }
  const isObject = reader.at(valueAt) === '{';
  if (isObject && name === '=') exportProperties(extraction, valueAt);
  const ownName =
    lambda > 0 && reader.at(valueAt) === 'function' && reader.isName(valueAt + 1) ? reader.at(valueAt + 1) : undefined;
  const className =
    lambda > 0 && reader.at(valueAt) === 'class' && reader.isName(valueAt + 1) && reader.at(valueAt + 1) !== 'extends'
      ? reader.at(valueAt + 1)
      : undefined;
  const kind = lambda > 0 ? (/^(class|abstract)$/.test(reader.at(valueAt)) ? 'class' : 'function') : 'constant';
  const symbolName = name === '=' || name === 'default' ? (ownName ?? className ?? shown) : shown;
  const symbol = extraction.addSymbol(symbolName, kind, reader.offset(index), reader.offset(end - 1) + 1);
  if (lambda > 0) extraction.named.set(valueAt, symbol);
  else {
    const detail = extraction.details[symbol];
    if (detail) detail.type = detail.doc?.type ?? extraction.withSelf(reader.value(valueAt).type);
    if (detail?.doc?.type) expect(extraction, valueAt, detail.doc.type);
    extraction.initialisers.set(valueAt, { symbol, end });
    if (isObject) extraction.objects.set(valueAt, symbol);
    else if (reader.at(end - 1) === ')' && reader.at(reader.match[end - 1] ?? -1) === '(') {
      const open = reader.match[end - 1] ?? -1;
      if (reader.at(open + 1) === '{') extraction.objects.set(open + 1, symbol);
    }
  }
  if (!extraction.exported.has(name) || name === '=' || name === 'default') extraction.exported.set(name, { symbol });
  if (name !== '=' && name !== 'default') {
    // `exports.x = ...` is reached as `exports.x` inside the file.
    const exports = extraction.module.own('exports');
    exports.value ??= OWN_EXPORTS;
  }
}

/** `module.exports = { a, b: c }` exports a and b. */
function exportProperties(extraction: Extraction, open: number): void {
  const { reader } = extraction;
  const close = reader.match[open] ?? -1;
  for (let at = open + 1; at < close; ) {
    const end = extraction.reader.endOfPart(at, close);
    if (reader.isName(at)) {
      const name = reader.at(at);
      if (end === at + 1) extraction.exported.set(name, { local: name });
      else if (reader.at(at + 1) === ':' && reader.isName(at + 2) && end === at + 3) {
        extraction.exported.set(name, { local: reader.at(at + 2) });
      } else if (reader.at(at + 1) === ':' && reader.at(at + 2) === 'require') {
        const call = reader.moduleCall(at + 2);
        if (call && call.end === end) extraction.exported.set(name, { m: call.module, x: '=' });
      }
    }
    at = end + 1;
  }
}

/** Whether `module.exports =` stands between two tokens. */
export function assignsExports(extraction: Extraction, from: number, to: number): boolean {
  for (let at = from; at < to; at++) {
    if (extraction.reader.at(at) === 'module' && extraction.reader.at(at + 2) === 'exports') return true;
  }
  return false;
}
