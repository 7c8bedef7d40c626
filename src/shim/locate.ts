/** Which index answers for a folder. */
import { existsSync, readlinkSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { indexDirFor } from '../io/index-location.js';
import { INDEX_FILE } from '../sidecars/layout.js';

export interface IndexedTree {
  /** Real path of the work tree. */
  readonly root: string;
  /** The index directory, as published. */
  readonly index: string;
}

/** The nearest folder at or above `folder` (a real path) that has an index; undefined where none has. */
export function indexedTreeAbove(
  folder: string,
  env: Readonly<Record<string, string | undefined>>,
): IndexedTree | undefined {
  const named = env.SIDECAR_INDEX_DIR;
  for (let root = folder; ; root = dirname(root)) {
    if (named === undefined || named === '') {
      const index = indexDirFor(root, env);
      if (existsSync(join(index, INDEX_FILE))) return { root, index };
    } else if (existsSync(join(root, '.git'))) {
      return existsSync(join(named, INDEX_FILE)) ? { root, index: resolve(named) } : undefined;
    }
    if (dirname(root) === root) break;
  }
  // A named index of a folder without git can only be of the folder itself.
  return named && existsSync(join(named, INDEX_FILE)) ? { root: folder, index: resolve(named) } : undefined;
}

/**
 * The folder to read from: the generation that `current` points to, else the index directory itself. Resolved once
 * per search, so that everything read belongs together.
 */
export function publishedFolder(index: string): string {
  try {
    return join(index, readlinkSync(join(index, 'current')));
  } catch {
    return index;
  }
}
