/**
 * How likely an edge is true, by language and provenance.
 *
 * Provenances that a compiler can judge have measured values, made with `bench/edges/run.mjs --json` over
 * eighteen repositories and `bench/edges/calibrate.mjs` (docs/confidence.md has the table and how to make it
 * again). No value exceeds 0.99, since no oracle is better than that, but for names bound in the same file of Go.
 */
import type { EdgeType, Provenance } from './edge.js';

type Table = Readonly<Record<Provenance, number>>;

/** LARGER (arXiv 2605.16352), Table 11: for what no compiler can judge, or too few edges were judged. */
const UNMEASURED: Table = {
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
  declaration: 0.85,
  'test-import': 0.75,
  'test-name': 0.75,
  documentation: 0.6,
  configuration: 0.5,
  fuzzy: 0.5,
  history: 0.5,
  identifiers: 0.5,
};

const MEASURED: Readonly<Record<string, Partial<Table>>> = {
  python: {
    'same-file': 0.99,
    import: 0.99,
    'resolved-import': 0.99,
    'imported-name': 0.99,
    inheritance: 0.99,
    'self-receiver': 0.99,
    'declared-receiver': 0.99,
    'constructed-receiver': 0.99,
    'returned-receiver': 0.98,
    'field-receiver': 0.99,
    'unique-member': 0.84,
  },
  typescript: {
    'same-file': 0.99,
    import: 0.99,
    'resolved-import': 0.99,
    'imported-name': 0.99,
    'package-scope': 0.99,
    inheritance: 0.99,
    'self-receiver': 0.99,
    'declared-receiver': 0.99,
    'constructed-receiver': 0.99,
    'returned-receiver': 0.99,
    'field-receiver': 0.99,
    // Of those judged; 43 of 48 unjudged ones by hand.
    'unique-member': 0.89,
  },
  go: {
    'same-file': 1,
    'resolved-import': 0.99,
    'imported-name': 0.99,
    'package-scope': 0.99,
    inheritance: 0.99,
    'interface-satisfaction': 0.99,
    'self-receiver': 0.99,
    'declared-receiver': 0.99,
    'constructed-receiver': 0.99,
    'returned-receiver': 0.99,
    'field-receiver': 0.99,
  },
};

/**
 * One of several targets, where all of them are true: the parts of a union type in TypeScript. Measured.
 * Elsewhere the targets of a site exclude each other, and share the confidence: measured at 1 in n in Python and Go.
 */
const ALL_OF_SEVERAL: Readonly<Record<string, Partial<Table>>> = {
  typescript: {
    'declared-receiver': 0.9,
    'returned-receiver': 0.93,
    // 181 of 181 judged ones of fields, 14 of 18 of imports: dividing is further off than this.
    'field-receiver': 0.9,
    'imported-name': 0.9,
    'constructed-receiver': 0.9,
  },
};

const valueIn = (tables: Readonly<Record<string, Partial<Table>>>, language: string, provenance: Provenance) =>
  Object.hasOwn(tables, language) ? tables[language]?.[provenance] : undefined;

/**
 * The confidence of an edge of `language`, above 0 and at most 1, with two decimals. `among` is how many equally
 * likely targets the site has. Edges from history and identifiers carry their own measure instead.
 */
export function confidenceOf(
  language: string,
  edge: { readonly provenance: Provenance; readonly type: EdgeType; readonly among?: number },
): number {
  const among = edge.among ?? 1;
  const all = among > 1 ? valueIn(ALL_OF_SEVERAL, language, edge.provenance) : undefined;
  if (all !== undefined) return all;
  const certain = valueIn(MEASURED, language, edge.provenance) ?? UNMEASURED[edge.provenance];
  return Math.max(0.01, Math.round((certain / among) * 100) / 100);
}
