/** Every number of the ranking that data decided, in one place. docs/retrieval.md has the measurements. */

export interface RetrievalSettings {
  /** Weights of the kinds of evidence in the score (score.ts). */
  readonly together: number;
  readonly shared: number;
  readonly structure: number;
  /** Typed edges of a file as a whole, against those of the symbols that match lines are in. */
  readonly fileEdges: number;
  readonly messages: number;
  /** Weight that the eight best candidates have together as anchors of a second pass, against 1 of the matches. */
  readonly second: number;
  /** How much a file touched by the newest commit gains: times 1 + this. */
  readonly recency: number;
  /** Share of the weight that the files which define the term have together, where others only use it. */
  readonly definers: number;
  /** Weight of an anchor that is a test, against 1. */
  readonly test: number;
  /** Weight of the anchors of the search before this one, against 1; those before it count by its powers. */
  readonly trail: number;
  /** Edges inside a community count this much more when places compete for a line; 1 measured the same as 1.25. */
  readonly community: number;
  /** Typed edges count by their confidence; false: all alike. */
  readonly confidence: boolean;
  /** Most names at the n-th search of a session, the last from then on. */
  readonly names: readonly number[];
  /** Least score of a name at the n-th search. */
  readonly gates: readonly number[];
  /** Nothing that the session has seen is named again. */
  readonly novelty: boolean;
}

export const SETTINGS: RetrievalSettings = {
  together: 1,
  shared: 0.8,
  structure: 0.5,
  fileEdges: 0.1,
  messages: 0,
  second: 0.5,
  recency: 2,
  definers: 0.7,
  test: 0.5,
  trail: 0,
  community: 1,
  confidence: true,
  names: [20, 15, 10],
  gates: [0.2, 0.25, 0.3],
  novelty: true,
};

const bySearch = (values: readonly number[], search: number): number =>
  values[Math.min(search, values.length) - 1] ?? 0;

/** Most files to name at the n-th search, from 1. */
export const namesAt = ({ names }: RetrievalSettings, search: number): number => bySearch(names, search);
/** Least score of a file that is named at the n-th search, from 1. */
export const gateAt = ({ gates }: RetrievalSettings, search: number): number => bySearch(gates, search);
