/** Chosen symbols as text: files, classes, signatures with their line; no bodies. */
import { printable } from '../printable.js';
import type { Corpus, CorpusSymbol } from './corpus.js';

/** Longest parameter list that is printed whole. */
export const SIGNATURE_WIDTH = 60;

/** What follows the name in the signature: parameters, bases, types. */
function tail(symbol: CorpusSymbol, width: number): string {
  const last = lastSegment(symbol.name);
  const at = symbol.signature.indexOf(last);
  if (at < 0) return '';
  const rest = symbol.signature
    .slice(at + last.length)
    .replace(/\(\s*(self|cls)\s*,?\s*/, '(')
    .replace(/\s*[:{]\s*$/, '')
    .replace(/\(\s+/g, '(')
    .trimEnd();
  return rest.length <= width
    ? rest
    : `${rest
        .slice(0, width)
        .replace(/[^,(]*$/, '')
        .trimEnd()}…`;
}

const lastSegment = (name: string): string => {
  const last = name.slice(name.lastIndexOf('.') + 1);
  const repeated = last.indexOf('#');
  return repeated < 0 ? last : last.slice(0, repeated);
};

const TYPE_WORD: Partial<Record<CorpusSymbol['kind'], string>> = {
  class: 'class ',
  interface: 'interface ',
  struct: 'struct ',
  enum: 'enum ',
  type: 'type ',
  namespace: 'namespace ',
};

const holderOf = (name: string): string => name.slice(0, Math.max(0, name.lastIndexOf('.')));

/** One symbol under its file or, `nested`, under its class. */
export function symbolLine(symbol: CorpusSymbol, nested: boolean, width = SIGNATURE_WIDTH): string {
  const name = nested ? lastSegment(symbol.name) : symbol.name.replace(/#\d+/g, '');
  const text = `${nested ? '  ' : ' '}${symbol.line} ${TYPE_WORD[symbol.kind] ?? ''}${name}${tail(symbol, width)}`;
  return printable(text);
}

/**
 * The map's text. Files stand in the given order, symbols by line; members of a class that is itself shown
 * are nested below it, others carry its name.
 */
export function renderMap(
  corpus: Corpus,
  files: readonly { readonly file: number; readonly symbols: readonly number[] }[],
  width = SIGNATURE_WIDTH,
): string {
  const lines: string[] = [];
  for (const { file, symbols } of files) {
    lines.push(printable(corpus.paths[file] ?? ''));
    const chosen = symbols.map((i) => corpus.symbols[i] as CorpusSymbol).sort((a, b) => a.line - b.line);
    const shown = new Set<string>();
    for (const symbol of chosen) {
      lines.push(symbolLine(symbol, shown.has(holderOf(symbol.name)), width));
      shown.add(symbol.name);
    }
  }
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}
