/** Dispatches a typed question, and renders an answer. */
import type { Knowledge } from '../knowledge.js';
import { printable } from '../printable.js';
import type { Answer } from './answer.js';
import type { TypedQuestion } from './plain-language.js';
import { affects, callers, command, configuration, defines, implementers, testsFor } from './questions.js';

export function ask(knowledge: Knowledge, question: TypedQuestion): Answer {
  switch (question.kind) {
    case 'command':
      return command(knowledge, question.purpose, question.folder);
    case 'tests-for':
      return testsFor(knowledge, question.name);
    case 'defines':
      return defines(knowledge, question.name);
    case 'callers':
      return callers(knowledge, question.name);
    case 'implements':
      return implementers(knowledge, question.name);
    case 'affects':
      return affects(knowledge, question.name);
    case 'config':
      return configuration(knowledge, question.name);
  }
}

/** One item a line: `path:line what [why, confidence]`, under the question and how complete the list is. */
export function renderAnswer({ question, about, completeness, items, total, notKnown = [] }: Answer): string {
  const lines = [`${question}: ${completeness === 'unknown' ? 'unknown' : `${completeness} ${total}`}`];
  if (about.length > 0) lines.push(`about ${about.join(', ')}`);
  let group: string | undefined;
  for (const item of items) {
    if (item.group !== group && item.group !== undefined) lines.push(`${item.group}:`);
    group = item.group;
    lines.push(`  ${item.path}:${item.line} ${item.what} [${item.why}, ${item.confidence.toFixed(2)}]`);
  }
  if (items.length < total) lines.push(`  ${total - items.length} more`);
  lines.push(...notKnown.map((part) => `not known: ${part}`));
  return `${lines.map(printable).join('\n')}\n`;
}
