/** One shape for what TOML, YAML, JSON and INI files say: values that know their line. */
export interface Tree {
  /** Counted from 1. */
  readonly line: number;
  readonly scalar?: string | number | boolean | null;
  readonly entries?: ReadonlyMap<string, Tree>;
  readonly items?: readonly Tree[];
}

/** What a parser made of a text: the tree as far as it could be read, and what was wrong. */
export interface Parsed {
  readonly tree: Tree;
  readonly problem?: { readonly message: string; readonly line: number };
}

export const EMPTY: Tree = { line: 1 };

/** The value under a chain of keys. */
export function at(tree: Tree | undefined, ...keys: readonly string[]): Tree | undefined {
  let node = tree;
  for (const key of keys) node = node?.entries?.get(key);
  return node;
}

/** The scalar as text; undefined for lists, maps and null. */
export function textOf(tree: Tree | undefined): string | undefined {
  return tree?.scalar === undefined || tree.scalar === null ? undefined : String(tree.scalar);
}

/** Key and value of a map, in the order of the file; nothing for anything else. */
export function entriesOf(tree: Tree | undefined): readonly (readonly [string, Tree])[] {
  return tree?.entries ? [...tree.entries] : [];
}

/** The items of a list; a lone scalar counts as a list of one, as many formats allow. */
export function itemsOf(tree: Tree | undefined): readonly Tree[] {
  if (tree?.items) return tree.items;
  return tree?.scalar === undefined || tree.scalar === null ? [] : [tree];
}

/** First line of an error message, without positions of the parser's own making, at most 120 characters. */
export function problemText(message: string): string {
  return (message.split('\n')[0] ?? '')
    .replace(/ at line \d+, column \d+:?$/, '')
    .trim()
    .slice(0, 120);
}

/** Offsets to lines, both for one text. */
export function lineIndex(text: string): (offset: number) => number {
  const starts = [0];
  for (let i = text.indexOf('\n'); i >= 0; i = text.indexOf('\n', i + 1)) starts.push(i + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  };
}
