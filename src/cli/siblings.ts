/** The indexes of the other worktrees of a repository: what a new worktree can start from. */
import { realpathSync } from 'node:fs';
import { listWorktrees } from '../io/git.js';
import { readIndex } from '../io/index-folder.js';
import { cacheRoot, indexDirFor } from '../io/index-location.js';
import type { Place } from './context.js';

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/** Index folders, those of the same commit first, then in git's order, which has the main work tree first. */
export async function siblingIndexes({ target, folder }: Place, env: NodeJS.ProcessEnv): Promise<string[]> {
  const { repository, root } = target;
  // An index that was put somewhere of its own has none beside it.
  const usual = { ...env, SIDECAR_INDEX_DIR: undefined };
  if (!repository || repository.bare || cacheRoot(usual) === undefined || folder !== indexDirFor(root, usual))
    return [];
  const worktrees = (await listWorktrees(repository)).map((one) => ({ ...one, root: realPath(one.root) }));
  const own = worktrees.find((one) => one.root === root)?.commit;
  const indexes = worktrees.flatMap((one) => {
    if (one.root === undefined || one.root === root) return [];
    const index = indexDirFor(one.root, env);
    const commit = readIndex(index)?.commit;
    return commit === undefined ? [] : [{ index, same: commit !== null && commit === own }];
  });
  return indexes.sort((a, b) => Number(b.same) - Number(a.same)).map(({ index }) => index);
}
