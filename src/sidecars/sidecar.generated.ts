/* Generated from sidecar-schema/sidecar.schema.json by `npm run build`. Do not edit. */

/**
 * What is known about one file: its symbols, and its neighbours in the dependency graph. One fact is stored once: a neighbour is named by path and symbol, its line numbers are in its own sidecar.
 */
export interface Sidecar {
  schemaVersion: 1;
  /**
   * Repository path, `/` between folders.
   */
  path: string;
  /**
   * Git blob id (hex) of the bytes that this sidecar was built from.
   */
  content: string;
  /**
   * Absent where no grammar or reader is known.
   */
  language?: string;
  role: 'source' | 'test' | 'documentation' | 'configuration' | 'generated' | 'vendored' | 'minified' | 'data';
  lines: number;
  /**
   * The file has syntax errors: facts are what could be had around them.
   */
  errors?: number;
  community?: {
    label: string;
    /**
     * Edge density inside the community.
     */
    cohesion: number;
  };
  symbols: SidecarSymbol[];
  neighbours: Neighbours;
  flows: Flow[];
}
export interface SidecarSymbol {
  /**
   * Qualified inside the file: `Class.method`.
   */
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
  neighbours?: Neighbours;
}
/**
 * Of a symbol, or of the file as a whole with its module-level code. `tests` are the tests of it.
 */
export interface Neighbours {
  callers?: Structural;
  callees?: Structural;
  bases?: Structural;
  subtypes?: Structural;
  references?: Structural;
  referencedBy?: Structural;
  imports?: Structural;
  importedBy?: Structural;
  tests?: Structural;
  testOf?: Structural;
  documentedBy?: Structural;
  documents?: Structural;
  configuredBy?: Structural;
  configures?: Structural;
  changedTogether?: Historical;
  sharedIdentifiers?: Lexical;
}
export interface Structural {
  /**
   * How many there are; items may be fewer.
   */
  total: number;
  items: {
    path: string;
    /**
     * Qualified name in that file; absent: the file itself.
     */
    symbol?: string;
    confidence: number;
    provenance: string;
    /**
     * Line of the first use, in this sidecar's own file (outgoing kinds only).
     */
    line?: number;
  }[];
}
export interface Historical {
  total: number;
  items: {
    path: string;
    /**
     * Sum over shared commits of 1/(files-1), over (commits of this file + 2).
     */
    score: number;
    /**
     * Commits that touch both.
     */
    commits: number;
  }[];
}
export interface Lexical {
  total: number;
  items: {
    path: string;
    score: number;
    /**
     * The rarest shared identifiers, at most three.
     */
    words: string[];
  }[];
}
export interface Flow {
  name: string;
  entry: {
    path: string;
    symbol?: string;
  };
  /**
   * The symbol of this file at the step.
   */
  symbol?: string;
  step: number;
  steps: number;
}
