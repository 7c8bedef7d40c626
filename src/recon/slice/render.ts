/** A slice as a tree: rungs, files, signatures; within a hard token budget. */
import type { Knowledge } from '../knowledge.js';
import type { Tokens } from '../map/fill.js';
import { printable } from '../printable.js';
import type { Rung, Slice, SliceNode } from './ladder.js';

const WIDTH = 110;

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

export function renderSlice(knowledge: Knowledge, slice: Slice, budget: number, tokens: Tokens): string {
  const { decision, rungs, stop } = slice;
  const lines = [
    decision.fires ? 'context is needed beyond the named module' : 'no context is needed beyond the named module',
    ...(decision.module === undefined ? [] : [`module ${decision.module}`]),
    ...decision.signals.map(({ kind, why }) => `signal ${kind}: ${why}`),
    ...rungs.flatMap((rung) => rungLines(knowledge, rung)),
    `stop: ${stop}`,
  ];
  return cut(lines.map(printable), budget, tokens);
}
