/** Settings that shape an index. They are recorded in index.json: an index of other settings is built anew. */
import type { Index } from '../sidecars/index.generated.js';

export type Settings = Index['settings'];

export const DEFAULT_SETTINGS: Settings = {
  historyCommits: 5000,
  historyMaxFiles: 60,
  historyMinFiles: 2,
  neighbours: 20,
};

/** Cap on neighbours per kind in the compact variant. */
export const COMPACT_NEIGHBOURS = 10;
