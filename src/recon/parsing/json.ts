/** JSON, JSON with comments, and JSON5, with lines. */
import json5 from 'json5';
import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { EMPTY, lineIndex, type Parsed, problemText, type Tree } from './tree.js';

function convert(node: Node, lineOf: (offset: number) => number): Tree {
  const line = lineOf(node.offset);
  if (node.type === 'array') return { line, items: (node.children ?? []).map((child) => convert(child, lineOf)) };
  if (node.type !== 'object') return { line, scalar: node.value };
  const entries = new Map<string, Tree>();
  for (const property of node.children ?? []) {
    const [key, value] = property.children ?? [];
    if (key && value) entries.set(String(key.value), { ...convert(value, lineOf), line: lineOf(key.offset) });
  }
  return { line, entries };
}

/** Comments and trailing commas are taken. Never throws. */
export function parseJson(text: string): Parsed {
  const errors: ParseError[] = [];
  const lineOf = lineIndex(text);
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const tree = root ? convert(root, lineOf) : EMPTY;
  const error = errors[0];
  if (!error) return { tree };
  return { tree, problem: { message: printParseErrorCode(error.error), line: lineOf(error.offset) } };
}

/** JSON5's parser tells no positions: a key's line is the first one below its parent's that starts with it. */
export function parseJson5(text: string): Parsed {
  const lines = text.split('\n');
  const lineOfKey = (key: string, after: number): number => {
    const starts = [`${key}:`, `'${key}'`, `"${key}"`];
    for (let i = after - 1; i < lines.length; i += 1) {
      const line = (lines[i] ?? '').trimStart().replace(/^\{\s*/, '');
      if (starts.some((start) => line.startsWith(start))) return i + 1;
    }
    return after;
  };
  const read = (value: unknown, line: number): Tree => {
    if (Array.isArray(value)) return { line, items: value.map((item) => read(item, line)) };
    if (value === null || typeof value !== 'object') return { line, scalar: value as string | number | boolean | null };
    const entries = new Map<string, Tree>();
    for (const [key, inner] of Object.entries(value)) entries.set(key, read(inner, lineOfKey(key, line)));
    return { line, entries };
  };
  try {
    return { tree: read(json5.parse(text), 1) };
  } catch (error) {
    const { message, lineNumber } = error as { message: string; lineNumber?: number };
    return { tree: EMPTY, problem: { message: problemText(message), line: lineNumber ?? 1 } };
  }
}
