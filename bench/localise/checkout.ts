/** The tree of one commit on disk, outside the repository, for `rg` to search. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Writes the tree of `commit` to `folder`. Blobs that the snapshot lacks are left out (large files). */
export function checkOut(gitDir: string, commit: string, folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const index = join(folder, '..', `${process.pid}.index`);
  const env = { ...process.env, GIT_INDEX_FILE: index, GIT_LFS_SKIP_SMUDGE: '1' };
  const git = (...args: string[]): void => {
    execFileSync('git', [`--git-dir=${gitDir}`, ...args], { env, stdio: ['ignore', 'ignore', 'ignore'] });
  };
  try {
    git('read-tree', commit);
    git(`--work-tree=${folder}`, 'checkout-index', '-a', '-f', '-q');
  } catch (error) {
    // Exit status 1 of checkout-index: a blob is missing. Anything else is a failure.
    if ((error as { status?: number }).status !== 1) throw error;
  } finally {
    rmSync(index, { force: true });
  }
}
