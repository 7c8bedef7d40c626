/**
 * Long functions as blocks: whoever reads under a budget of lines wants the part that matters. The cut follows indentation,
 * which every language here is written with; a wrong cut costs a line or two and no correctness.
 */

/** Lines, counted from 1 and inclusive. */
export type Lines = readonly [first: number, last: number];

const TAB_WIDTH = 4;
/** A block that is longer than this many times the wanted length is cut again. */
const SLACK = 1.5;
/** Lines that continue the statement before them, and comments, begin no block. */
const CONTINUES = /^\s*(else|elif|except|catch|finally|case|default|[)\]}#]|\/\/|\*)/;

function indentOf(line: string): number {
  let width = 0;
  for (const char of line) {
    if (char === ' ') width += 1;
    else if (char === '\t') width += TAB_WIDTH;
    else break;
  }
  return width;
}

/** Lines at which the statements directly below the first line begin. */
function beginnings(lines: readonly string[], first: number, last: number): number[] {
  const base = indentOf(lines[first - 1] ?? '');
  let inner = Number.POSITIVE_INFINITY;
  for (let line = first + 1; line <= last; line += 1) {
    const text = lines[line - 1] ?? '';
    const indent = indentOf(text);
    if (text.trim() !== '' && indent > base) inner = Math.min(inner, indent);
  }
  const found: number[] = [];
  for (let line = first + 1; line <= last; line += 1) {
    const text = lines[line - 1] ?? '';
    if (text.trim() !== '' && !CONTINUES.test(text) && indentOf(text) <= inner) found.push(line);
  }
  return found;
}

/**
 * Cuts `first` to `last` before statements, outer ones first, into blocks of about `wanted` lines. Every line is in exactly
 * one block, in order.
 */
export function blocksOf(lines: readonly string[], first: number, last: number, wanted: number): Lines[] {
  if (last - first + 1 <= wanted * SLACK) return [[first, last]];
  const starts = [first, ...beginnings(lines, first, last)];
  if (starts.length === 1) return [[first, last]];
  const blocks: [number, number][] = [];
  starts.forEach((start, i) => {
    const end = (starts[i + 1] ?? last + 1) - 1;
    const parts = start > first ? blocksOf(lines, start, end, wanted) : [[start, end] as const];
    for (const [from, to] of parts) {
      const before = blocks.at(-1);
      if (before && to - before[0] + 1 <= wanted) before[1] = to;
      else blocks.push([from, to]);
    }
  });
  return blocks;
}
