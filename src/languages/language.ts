/** The interface behind which every language lives: one folder and one line in the registry each. */
import type { FileFacts, Json } from '../facts/model.js';
import type { EdgeDraft } from '../graph/edge.js';
import type { LinkView } from '../graph/view.js';

/** A range of the source in UTF-16 offsets, with its first row counted from 0. */
export interface Capture {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly row: number;
}

/** One match of the language's query: the captures in query order. */
export interface QueryMatch {
  readonly pattern: number;
  readonly captures: readonly Capture[];
}

/** What the parser hands to a language: plain data, no tree. */
export interface ParsedFile {
  /** Exactly what was parsed (after `prepare`), so that offsets of captures fit. */
  readonly source: string;
  /** The file's own text, where `prepare` made another of it. */
  readonly written?: string;
  readonly matches: readonly QueryMatch[];
  readonly errors: number;
  /** Id of the dialect that was read, for languages whose `extract` differs by dialect. */
  readonly dialect?: string;
}

/** A grammar with the query that runs on it. */
export interface Dialect {
  /** Unique in the registry; part of the facts' key. */
  readonly id: string;
  /** File suffixes with the dot, lower case, longest match wins: `.d.ts` before `.ts`. */
  readonly suffixes: readonly string[];
  /** Whole file names, lower case, also followed by a dot and more: `dockerfile` reads `Dockerfile.dev`. Suffixes win. */
  readonly basenames?: readonly string[];
  /**
   * Module path of the wasm inside node_modules, `tree-sitter-python/tree-sitter-python.wasm`.
   * Absent where `extract` reads the text by itself (documents): it then gets no matches.
   */
  readonly grammar?: string;
  /** The query files, relative to the language's folder. Concatenated. */
  readonly queries: readonly string[];
  /**
   * How deep below the root a match may start, where the query is only about declarations of the file:
   * what is deeper is then not visited. Absent: anywhere.
   */
  readonly queryDepth?: number;
  /**
   * Makes text of the grammar's language without moving offsets: blanks out the rest (.vue files), or says the same
   * in that language (Cython).
   */
  readonly prepare?: (source: string) => string;
}

type Entries = { readonly [key: string]: Json };

/** A file that is not parsed by a grammar but read by resolvers: tsconfig.json, go.mod, pyproject.toml. */
export interface ConfigurationFile {
  /** Part of the facts' key. */
  readonly id: string;
  readonly matches: (basename: string) => boolean;
  /**
   * Entries that `view.entry(path, key)` answers. Never throws: a broken file yields `{}` plus `{'error': message}`.
   * A promise where a large parser is loaded for it.
   */
  readonly read: (text: string) => Entries | Promise<Entries>;
  /** Edges from the file to what its entries name, beside those of the names that its text mentions. */
  readonly link?: (path: string, facts: FileFacts, view: LinkView) => EdgeDraft[];
}

export interface Language {
  readonly id: string;
  /** Increase on any change of query or extraction: old facts are then not reused. */
  readonly version: number;
  readonly dialects: readonly Dialect[];
  readonly configuration?: readonly ConfigurationFile[];

  /** Captures to facts. Pure. Must not throw on any input. */
  extract(parsed: ParsedFile): FileFacts;

  /**
   * Facts of one file to its outgoing edges. Pure: everything about other files is asked through
   * `view`, which records the questions (including those answered "nothing").
   */
  link(path: string, facts: FileFacts, view: LinkView): EdgeDraft[];

  /**
   * The scopes that the file's names belong to beyond itself, for `view.scope`: in Go
   * `go:<dir>:<package>`. Names are the keys of `surface.entries` that start with none of the
   * reserved prefixes of the language.
   */
  scopesOf?(path: string, facts: FileFacts): readonly { readonly scope: string; readonly names: readonly string[] }[];

  /** Whether the path is a test by this ecosystem's conventions. */
  isTest?(path: string): boolean;

  /**
   * By naming convention, source files that the test at `path` may be about, best first:
   * `tests/test_x.py` -> candidates. Paths that do not exist are ignored.
   */
  subjectsOfTest?(path: string): readonly string[];
}
