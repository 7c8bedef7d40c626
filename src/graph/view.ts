/**
 * The only way in which linking sees the rest of the repository.
 *
 * Every question is recorded for the file that asked it, the ones answered "nothing" included.
 * An align works out which answers changed and links again exactly the files that asked (query-based
 * recomputation, as in incremental compilers). So: no answer may hold positions, and no resolver may
 * keep knowledge about other files outside `derive`.
 */
import type { Json } from '../facts/model.js';

export interface Definer {
  readonly path: string;
  /** Qualified name in that file. */
  readonly symbol: string;
}

/** Who defines a bare name. `total` counts all, `first` holds at most `DEFINERS_SHOWN`, by path then symbol. */
export interface Definers {
  readonly total: number;
  readonly first: readonly Definer[];
}

export const DEFINERS_SHOWN = 6;

export interface LinkView {
  /** Whether a file of that repository path exists (any listed file, parsed or not). */
  has(path: string): boolean;
  /** Whether a folder of that path holds at least one listed file, at any depth. '' is the root. */
  hasDir(dir: string): boolean;
  /** Sorted base names of the listed files directly in the folder. */
  list(dir: string): readonly string[];
  /** What the file's surface says under the key; undefined where file or key do not exist. */
  entry(path: string, key: string): Json | undefined;
  /** Every definition in the repository whose last name segment is `name` (from `surface.defines`). */
  definers(name: string): Definers;
  /** The files that put `name` into the scope (`Language.scopesOf`), sorted. */
  scope(scope: string, name: string): readonly string[];
  /**
   * Remembers `compute()` under `id` for all files, and replays the questions that it asked for each
   * file that needs it. `compute` must depend on nothing but its questions and `id`.
   */
  derive<T>(id: string, compute: () => T): T;
}
