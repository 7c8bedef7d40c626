/** Facts of all files to typed edges, file by file through the tracked view. */
import type { FileFacts } from '../facts/model.js';
import type { Language } from '../languages/language.js';
import type { EdgeDraft } from './edge.js';
import { isTestPath } from './test-paths.js';
import { testEdges } from './tests.js';
import type { TrackedView } from './tracked-view.js';

export interface Linked {
  /** Outgoing edges, deduplicated and sorted. */
  readonly edges: readonly EdgeDraft[];
  /** The questions whose answers these edges depend on. */
  readonly asked: readonly string[];
}

const text = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const inOrder = (a: EdgeDraft, b: EdgeDraft): number =>
  a.from - b.from ||
  text(a.to.path, b.to.path) ||
  text(a.to.symbol ?? '', b.to.symbol ?? '') ||
  text(a.type, b.type) ||
  text(a.provenance, b.provenance) ||
  a.line - b.line;

/** Links one file. Self-edges of a symbol onto itself are dropped: recursion relates nothing. */
export function linkFile(path: string, facts: FileFacts, language: Language, view: TrackedView): Linked {
  const { value, asked } = view.record(() => {
    const drafts = language.link(path, facts, view);
    return [...drafts, ...testEdges(path, facts, drafts, language, view)];
  });
  // The product does not call its tests: a method that only a test has is some library's here.
  const fromTest = isTestPath(path);
  const sorted = value
    .filter((edge) => edge.to.path !== path || edge.to.symbol !== facts.symbols[edge.from]?.name)
    .filter((edge) => edge.provenance !== 'unique-member' || fromTest || !isTestPath(edge.to.path))
    .sort(inOrder);
  const edges: EdgeDraft[] = [];
  for (const edge of sorted) {
    const last = edges.at(-1);
    const same =
      last !== undefined &&
      last.from === edge.from &&
      last.to.path === edge.to.path &&
      last.to.symbol === edge.to.symbol &&
      last.type === edge.type &&
      last.provenance === edge.provenance;
    if (!same) edges.push(edge);
  }
  return { edges, asked };
}
