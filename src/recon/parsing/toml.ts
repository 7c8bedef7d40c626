/** TOML with lines. */
import { type AST, parseTOML } from 'toml-eslint-parser';
import { EMPTY, type Parsed, problemText, type Tree } from './tree.js';

interface Table {
  readonly line: number;
  readonly entries: Map<string, Tree>;
}

const keyText = (key: AST.TOMLBare | AST.TOMLQuoted): string => (key.type === 'TOMLBare' ? key.name : key.value);

function scalarOf(node: AST.TOMLValue): string | number | boolean {
  if (node.kind === 'local-time' || node.kind === 'local-date' || node.kind.endsWith('date-time')) return 'date';
  return typeof node.value === 'object' ? String(node.value) : (node.value as string | number | boolean);
}

function content(node: AST.TOMLContentNode): Tree {
  const line = node.loc.start.line;
  if (node.type === 'TOMLArray') return { line, items: node.elements.map(content) };
  if (node.type === 'TOMLInlineTable') {
    const table: Table = { line, entries: new Map() };
    for (const pair of node.body) assign(table, pair);
    return table;
  }
  return { line, scalar: scalarOf(node) };
}

/** The table under `name`, made where there is none; the last one of an array of tables. */
function descend(table: Table, name: string, line: number): Table {
  const known = table.entries.get(name);
  const last = known?.items?.at(-1) ?? known;
  if (last?.entries) return last as Table;
  const made: Table = { line, entries: new Map() };
  table.entries.set(name, made);
  return made;
}

function assign(table: Table, pair: AST.TOMLKeyValue): void {
  const keys = pair.key.keys.map(keyText);
  const line = pair.loc.start.line;
  let into = table;
  for (const key of keys.slice(0, -1)) into = descend(into, key, line);
  into.entries.set(keys.at(-1) ?? '', { ...content(pair.value), line });
}

function section(root: Table, node: AST.TOMLTable): Table {
  const line = node.loc.start.line;
  const keys = node.key.keys.map(keyText);
  let into = root;
  for (const key of keys.slice(0, -1)) into = descend(into, key, line);
  const last = keys.at(-1) ?? '';
  if (node.kind === 'standard') return descend(into, last, line);
  const made: Table = { line, entries: new Map() };
  const known = into.entries.get(last)?.items ?? [];
  into.entries.set(last, { line: known[0]?.line ?? line, items: [...known, made] });
  return made;
}

/** Never throws: broken text gives an empty tree and the problem. */
export function parseToml(text: string): Parsed {
  try {
    const root: Table = { line: 1, entries: new Map() };
    for (const node of parseTOML(text).body[0].body) {
      if (node.type === 'TOMLKeyValue') assign(root, node);
      else {
        const table = section(root, node);
        for (const pair of node.body) assign(table, pair);
      }
    }
    return { tree: root };
  } catch (error) {
    const { message, lineNumber } = error as { message?: string; lineNumber?: number };
    return { tree: EMPTY, problem: { message: problemText(message ?? 'not TOML'), line: lineNumber ?? 1 } };
  }
}
