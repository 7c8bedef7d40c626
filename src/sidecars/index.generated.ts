/* Generated from sidecar-schema/index.schema.json by `npm run build`. Do not edit. */

/**
 * What an index describes. Written last, so that an index without it is no index.
 */
export interface Index {
  schemaVersion: 1;
  /**
   * The indexed commit; null without git or before the first commit.
   */
  commit: string | null;
  /**
   * commit: the tree of `commit`, from git objects; clean: a work tree equal to it; dirty: a work tree with changes; plain: a folder without git.
   */
  tree: 'commit' | 'clean' | 'dirty' | 'plain';
  settings: {
    /**
     * Cap on neighbours per kind.
     */
    neighbours: number;
    historyCommits: number;
    historyMinFiles: number;
    historyMaxFiles: number;
  };
  counts: {
    files: number;
    symbols: number;
    edges: number;
    byLanguage: {
      [k: string]: number;
    };
    byRole: {
      [k: string]: number;
    };
    edgesByProvenance: {
      [k: string]: number;
    };
  };
  /**
   * What was listed but not parsed, or of which something could not be read, and why.
   */
  skipped: {
    reason: string;
    count: number;
    /**
     * The first ten.
     */
    paths: string[];
  }[];
  history: {
    /**
     * Commits used as evidence.
     */
    commits: number;
    /**
     * False where history was cut (shallow clone, missing objects).
     */
    complete: boolean;
  };
  globals: {
    communities: number;
    flows: number;
    modularity: number;
    /**
     * The commit that communities and flows were computed at, where that is not `commit`.
     */
    since?: string;
    /**
     * Edges that changed since they were computed.
     */
    changedEdges: number;
  };
}
