/** A slice as a tree: rungs, files, signatures; within a hard token budget. */
import type { Knowledge } from '../knowledge.js';
import type { Tokens } from '../map/fill.js';
import { printable } from '../printable.js';
import type { Rung, Slice, SliceNode } from './ladder.js';
import type { Region } from './regions.js';

const WIDTH = 110;
/** Regions that are printed: a reader who wants more asks for JSON. */
const MOST_REGIONS = 12;

function nodeLine(knowledge: Knowledge, { node, why }: SliceNode): string {
  const symbol = knowledge.symbolOf(node);
  const text = symbol ? symbol.signature.slice(0, WIDTH) : '(file)';
  const qualified = node.symbol?.includes('.') ? `${node.symbol}: ` : '';
  return `    ${knowledge.lineOf(node)} ${qualified}${text}  [${why}]`;
}

function rungLines(knowledge: Knowledge, rung: Rung): string[] {
  const byFile = new Map<string, SliceNode[]>();
  for (const entry of rung.nodes) byFile.set(entry.node.path, [...(byFile.get(entry.node.path) ?? []), entry]);
  const lines = [`${rung.level} ${rung.why}`];
  for (const [path, nodes] of byFile) {
    lines.push(`  ${path}`);
    lines.push(...nodes.map((node) => nodeLine(knowledge, node)));
  }
  return [...lines, ...rung.facts.map((fact) => `  ${fact}`)];
}

/** Lines from the start as far as they fit; what is left out is said, where even that fits. */
function cut(lines: readonly string[], budget: number, tokens: Tokens): string {
  const whole = `${lines.join('\n')}\n`;
  if (tokens(whole) <= budget) return whole;
  for (let kept = lines.length - 1; kept > 0; kept -= 1) {
    const text = `${[...lines.slice(0, kept), `${lines.length - kept} lines more`].join('\n')}\n`;
    if (tokens(text) <= budget) return text;
  }
  return '';
}

/** Where to begin to read, best first. What follows on the region before it in the same file is one with it. */
function regionLines(regions: readonly Region[]): string[] {
  const joined: Region[] = [];
  for (const region of regions) {
    const before = joined.at(-1);
    if (before?.path === region.path && before.symbol === region.symbol && before.last + 1 === region.first) {
      joined[joined.length - 1] = { ...before, last: region.last };
    } else joined.push(region);
    if (joined.length > MOST_REGIONS) break;
  }
  const lines = joined
    .slice(0, MOST_REGIONS)
    .map(({ path, first, last, symbol }) => `  ${path}:${first}-${last} ${symbol.replace(/#\d+/g, '')}`);
  return lines.length === 0 ? [] : ['read first:', ...lines];
}

const headline = ({ fires, module }: Slice['decision']): string =>
  !fires
    ? 'no context is needed beyond the named module'
    : module === undefined
      ? 'context is needed: the task names no module'
      : 'context is needed beyond the named module';

/** @param regions in the order in which to read them */
export function renderSlice(
  knowledge: Knowledge,
  slice: Slice,
  regions: readonly Region[],
  budget: number,
  tokens: Tokens,
): string {
  const { decision, rungs, stop } = slice;
  const lines = [
    headline(decision),
    ...(decision.module === undefined ? [] : [`module ${decision.module}`]),
    ...decision.signals.map(({ kind, why }) => `signal ${kind}: ${why}`),
    ...rungs.flatMap((rung, i) => [...rungLines(knowledge, rung), ...(i === 0 ? regionLines(regions) : [])]),
    `stop: ${stop}`,
  ];
  return cut(lines.map(printable), budget, tokens);
}
