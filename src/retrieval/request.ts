/**
 * What retrieval is asked and what it answers. Plain data in, plain data out: the shim, the hooks, `sidecar
 * related` and the benchmark all call `blockFor` (block.ts) with a request and differ only in how they fill it.
 */
import type { Sidecar } from '../sidecars/sidecar.generated.js';

/** A file that the search result names. */
export interface Match {
  /** Repository path, `/` between folders. */
  readonly path: string;
  /** Matching lines, counted from 1, ascending; empty where they are not known. */
  readonly lines: readonly number[];
  /** Text of each line of `lines`, where known: tells a definition of the term from a use of it. */
  readonly texts?: readonly string[];
  /** Matching lines in all, where `lines` was cut short. Default: `lines.length`. */
  readonly count?: number;
}

/** A commit that served as evidence: its message, and the repository paths that it touched. */
export interface CommitEvidence {
  readonly message: string;
  readonly files: readonly string[];
}

/** The index, as far as a search needs it. Every method answers undefined where nothing is known. */
export interface SidecarReader {
  sidecar(path: string): Sidecar | undefined;
  /** How many commits ago the file was last touched, 0 for the newest. */
  recency(path: string): number | undefined;
  /** The commits of the history window, newest first. Called at most once a block, and only where it pays. */
  commits?(): readonly CommitEvidence[] | undefined;
}

/** One file that the session has seen, and when. */
export interface SeenFile {
  /** Number of the search that last showed it, from 1. */
  readonly search: number;
  /** `block`: named by a block; `result`: a match of the search itself. */
  readonly by: 'block' | 'result';
  /** Symbols of it whose relations were spelled out. */
  readonly symbols?: readonly string[];
}

/**
 * What one agent was shown so far: plain JSON, owned by the caller, who stores it, lets it expire by time and
 * keeps agents apart. Losing it costs repetition and nothing else.
 */
export interface SessionState {
  readonly version: 1;
  /** Searches so far that were answered from the index, with or without a block. */
  readonly searches: number;
  readonly files: Readonly<Record<string, SeenFile>>;
  /** Anchors of earlier searches with their weight, newest search last: what the agent is after. */
  readonly trail: readonly { readonly search: number; readonly anchors: Readonly<Record<string, number>> }[];
  /** Terms searched, newest last. */
  readonly terms: readonly string[];
}

export interface BlockRequest {
  readonly matches: readonly Match[];
  /** The patterns as given to the tool, plain words or regular expressions. */
  readonly patterns: readonly string[];
  readonly reader: SidecarReader;
  /** Hard cap on the tokens of the text. Default 400. */
  readonly budget?: number;
  /** Most files to name besides the anchors. Default: by the number of the search (20, 15, 10). */
  readonly k?: number;
  /** Least confidence of a structural neighbour that is shown. Default 0.5. */
  readonly theta?: number;
  /** Absent: the first search of a session. */
  readonly session?: SessionState;
  /** A repository path as this agent sees it, e.g. relative to its current directory. Default: as it is. */
  readonly display?: (path: string) => string;
  /** Files that differ from HEAD in the working tree, where that is known cheaply. */
  readonly changed?: readonly string[];
  /** True where the file's bytes are no longer those that its sidecar describes. */
  readonly edited?: (path: string) => boolean;
  /** Matches that the reader of the result sees, where it is cut short. Default: all of them. */
  readonly visible?: ReadonlySet<string>;
}

/** A file that the block names. */
export interface ShownFile {
  readonly path: string;
  /** Symbols of it that the block names, with the line where the block has one. */
  readonly symbols: readonly { readonly name: string; readonly line?: number; readonly endLine?: number }[];
  /** `anchor`: its relations are spelled out; `neighbour`: named by an anchor line; `related`: in the list. */
  readonly as: 'anchor' | 'neighbour' | 'related';
  readonly score: number;
}

/** Why the block is what it is: one object for the shim's log, no text of the repository but paths and symbols. */
export interface BlockLog {
  /** `shown`, or why there is no block. */
  readonly decision: 'shown' | 'no-anchor' | 'no-evidence' | 'below-gate' | 'over-budget';
  readonly search: number;
  readonly anchors: readonly { readonly path: string; readonly weight: number; readonly symbol?: string }[];
  readonly candidates: number;
  readonly best: number;
  readonly gate: number;
  readonly tokens: number;
}

export interface BlockResult {
  /** The block without a newline before it, ending in one; empty for no block. */
  readonly text: string;
  /** Every file that the text names, in the order of the text. */
  readonly shown: readonly ShownFile[];
  /** The session after this search: store it whether or not there was a block. */
  readonly session: SessionState;
  readonly log: BlockLog;
}
