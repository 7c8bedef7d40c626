/**
 * The model of what one file says by itself ("facts").
 *
 * Facts are a pure function of (language, bytes, extractor version): they hold no path, so that
 * the same content under two paths, commits or worktrees is parsed once. They have two halves:
 *
 * - the *surface* is all that other files may ask about. It holds no positions: an edit that only
 *   moves lines leaves it byte-identical, and so no other file has to be linked again (align).
 * - the *body* (symbols with positions, references, imports) is read only to link the file itself
 *   and to write its sidecar.
 */

/** A plain JSON value. Entries are languages' own business, but must survive a round trip through JSON. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json | undefined };

export type SymbolKind =
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

/** A definition. `line` and `endLine` count from 1 and are inclusive; decorators belong to the range. */
export interface SymbolFact {
  /** Dotted path inside the file: `Class.method`, `outer.inner`; in Go `Type.Method`. Unique per file: later duplicates get `#2`, `#3`. */
  readonly name: string;
  readonly kind: SymbolKind;
  readonly line: number;
  readonly endLine: number;
  /** First line of the definition, trimmed, whitespace collapsed, at most 160 characters, without a body. */
  readonly signature: string;
}

export type ReferenceKind = 'call' | 'type' | 'inherit' | 'decorator' | 'jsx' | 'read';

/**
 * A use of something by name. References are deduplicated per (from, kind, chain, root): `line` is
 * the first, `count` how many. What is bound to a parameter or an untyped local is not recorded at all.
 */
export interface ReferenceFact {
  readonly kind: ReferenceKind;
  /** Index into `symbols` of the innermost enclosing definition, -1 at module level. */
  readonly from: number;
  /**
   * The attribute chain kept whole: `a.b.c()` is `['a','b','c']`. Calls inside a chain appear as a segment
   * that ends in `()`: `f().g` is `['f()','g']`. `self`/`cls`/`this`/`super` are written as such.
   */
  readonly chain: readonly string[];
  /** Where the first segment is a local with a known type: that type as the language's own type expression. */
  readonly rootType?: Json;
  readonly line: number;
  readonly count: number;
}

/** An import or re-export statement, one per bound name (or one with `name: '*'`, or none for side effects). */
export interface ImportFact {
  /** The module as written: `..pkg.mod`, `./x.js`, `github.com/a/b`. */
  readonly module: string;
  /** The imported name, '*' for everything, absent when the module itself is bound. */
  readonly name?: string;
  /** The local name that it gets, absent for re-exports and side effects. */
  readonly alias?: string;
  readonly line: number;
  /** Index of the enclosing definition, -1 at module level. */
  readonly from: number;
  readonly typeOnly?: boolean;
  readonly reexport?: boolean;
}

/** What other files may ask. Keys of `entries` and the shape of their values belong to the language. */
export interface Surface {
  /** `entries[key]` answers `view.entry(path, key)`. A key is usually a qualified name. */
  readonly entries: { readonly [key: string]: Json };
  /** Qualified names that a name-only search over the repository may find (classes, functions, methods). */
  readonly defines: readonly string[];
}

export interface FileFacts {
  readonly language: string;
  /** Number of lines of the file. */
  readonly lines: number;
  /** Syntax errors seen; facts are what could be had around them. */
  readonly errors: number;
  readonly symbols: readonly SymbolFact[];
  readonly references: readonly ReferenceFact[];
  readonly imports: readonly ImportFact[];
  /**
   * Entry points of flows that the file declares by itself: index into `symbols` and why
   * ("main", "click command", "route /x"). Those that need other files are found while linking.
   */
  readonly entryPoints: readonly { readonly symbol: number; readonly kind: string }[];
  /** Strings that look like a dotted module path, a file path or a qualified name, with their first line. */
  readonly strings: readonly { readonly text: string; readonly line: number; readonly from: number }[];
  readonly surface: Surface;
  /** Whatever else the language's own `link` needs about this file. */
  readonly extra?: Json;
}
