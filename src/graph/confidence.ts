/**
 * How likely an edge is true, by language and provenance.
 *
 * Start values: LARGER (arXiv 2605.16352), Table 11. Not measured yet.
 */
import type { EdgeType, Provenance } from './edge.js';

type Table = Readonly<Record<Provenance, number>>;

const START: Table = {
  'same-file': 1,
  import: 0.95,
  'resolved-import': 0.9,
  'imported-name': 0.9,
  'package-scope': 0.9,
  inheritance: 0.9,
  'interface-satisfaction': 0.9,
  'self-receiver': 0.9,
  'declared-receiver': 0.8,
  'constructed-receiver': 0.8,
  'returned-receiver': 0.8,
  'field-receiver': 0.8,
  'unique-member': 0.5,
  fixture: 0.75,
  string: 0.5,
  cython: 0.85,
  'test-import': 0.75,
  'test-name': 0.75,
  documentation: 0.6,
  configuration: 0.5,
  fuzzy: 0.5,
  history: 0.5,
  identifiers: 0.5,
};

const BY_LANGUAGE: Readonly<Record<string, Partial<Table>>> = {
  python: {},
  typescript: {},
  go: {},
};

/**
 * The confidence of an edge of `language`, above 0 and at most 1, with two decimals. `among` equally
 * likely targets share it. Edges from history and identifiers carry their own measure instead.
 */
export function confidenceOf(
  language: string,
  edge: { readonly provenance: Provenance; readonly type: EdgeType; readonly among?: number },
): number {
  const table = Object.hasOwn(BY_LANGUAGE, language) ? BY_LANGUAGE[language] : undefined;
  const certain = table?.[edge.provenance] ?? START[edge.provenance];
  return Math.max(0.01, Math.round((certain / (edge.among ?? 1)) * 100) / 100);
}
