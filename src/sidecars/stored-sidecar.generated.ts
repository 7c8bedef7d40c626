/* Generated from sidecar-schema/stored-sidecar.schema.json by `npm run build`. Do not edit. */

/**
 * Each [end, evidence] or [end, evidence, line].
 */
export type StoredStructural = [number, number] | [number, number, number][];
/**
 * Each [end, score, commits].
 */
export type StoredHistorical = [number, number, number][];
/**
 * Each [end, score, word, ...].
 */
export type StoredLexical =
  | [number | string, number | string]
  | [number | string, number | string, number | string]
  | [number | string, number | string, number | string, number | string]
  | [number | string, number | string, number | string, number | string, number | string][];

/**
 * A sidecar as the index keeps it: sidecar.schema.json with every path, symbol and kind of evidence written once and named by number, a quarter of the size. `sidecar show --json` prints the plain form.
 */
export interface StoredSidecar {
  schemaVersion: 1;
  path: string;
  content: string;
  language?: string;
  role: 'source' | 'test' | 'documentation' | 'configuration' | 'generated' | 'vendored' | 'minified' | 'data';
  lines: number;
  errors?: number;
  community?: {
    label: string;
    cohesion: number;
  };
  /**
   * The far ends of all neighbours, by file: its path, then the symbols of it. They are numbered through from 0; the number of a path stands for the file itself.
   */
  ends: [string, ...string[]][];
  /**
   * Confidence and provenance, numbered from 0.
   */
  evidence: [number | string, number | string][];
  symbols: StoredSymbol[];
  neighbours: StoredNeighbours;
  more?: More;
  flows: StoredFlow[];
}
export interface StoredSymbol {
  name: string;
  kind:
    | 'class'
    | 'interface'
    | 'struct'
    | 'enum'
    | 'type'
    | 'namespace'
    | 'function'
    | 'method'
    | 'property'
    | 'field'
    | 'variable'
    | 'constant';
  line: number;
  endLine: number;
  signature: string;
  neighbours?: StoredNeighbours;
  more?: More;
}
export interface StoredNeighbours {
  callers?: StoredStructural;
  callees?: StoredStructural;
  bases?: StoredStructural;
  subtypes?: StoredStructural;
  references?: StoredStructural;
  referencedBy?: StoredStructural;
  imports?: StoredStructural;
  importedBy?: StoredStructural;
  tests?: StoredStructural;
  testOf?: StoredStructural;
  documentedBy?: StoredStructural;
  documents?: StoredStructural;
  configuredBy?: StoredStructural;
  configures?: StoredStructural;
  changedTogether?: StoredHistorical;
  sharedIdentifiers?: StoredLexical;
}
/**
 * How many neighbours of a kind there are, where more than are listed.
 */
export interface More {
  [k: string]: number;
}
export interface StoredFlow {
  name: string;
  entry: {
    path: string;
    symbol?: string;
  };
  symbol?: string;
  step: number;
  steps: number;
}
