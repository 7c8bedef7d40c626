/** YAML with lines. */
import { type Document, isAlias, isMap, isScalar, isSeq, parseAllDocuments } from 'yaml';
import { EMPTY, lineIndex, type Parsed, problemText, type Tree } from './tree.js';

/** Nodes of one file that are read: aliases can unfold to more than any memory holds. */
const MOST_NODES = 50_000;

function reader(document: Document, lineOf: (offset: number) => number): (node: unknown) => Tree {
  let left = MOST_NODES;
  const open = new Set<unknown>();
  const read = (node: unknown): Tree => {
    const target = isAlias(node) ? node.resolve(document) : node;
    const range = (node as { range?: readonly number[] } | null)?.range;
    const line = range ? lineOf(range[0] ?? 0) : 1;
    left -= 1;
    if (left < 0 || open.has(target)) return { line };
    if (isScalar(target)) {
      const value = target.value;
      const plain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
      return { line, scalar: plain ? value : null };
    }
    open.add(target);
    try {
      if (isSeq(target)) return { line, items: target.items.map(read) };
      if (!isMap(target)) return { line };
      const entries = new Map<string, Tree>();
      for (const { key, value } of target.items) {
        const name = isScalar(key) ? String(key.value) : undefined;
        if (name === undefined) continue;
        const keyRange = (key as { range?: readonly number[] }).range;
        entries.set(name, { ...read(value), line: keyRange ? lineOf(keyRange[0] ?? 0) : line });
      }
      return { line, entries };
    } finally {
      open.delete(target);
    }
  };
  return read;
}

/** The line at which a block scalar's (`|`, `>`) text begins is one below its key. Never throws. */
export function parseYaml(text: string): Parsed {
  try {
    const lineOf = lineIndex(text);
    const documents = parseAllDocuments(text, { uniqueKeys: false, logLevel: 'silent' });
    const first = (Array.isArray(documents) ? documents : [])[0];
    if (!first) return { tree: EMPTY };
    const tree = first.contents === null ? EMPTY : reader(first, lineOf)(first.contents);
    const error = first.errors[0];
    if (!error) return { tree };
    return { tree, problem: { message: problemText(error.message), line: lineOf(error.pos[0]) } };
  } catch (error) {
    return { tree: EMPTY, problem: { message: problemText((error as Error).message), line: 1 } };
  }
}
