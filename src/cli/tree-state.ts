/** A short name for what a target holds now: the same name under the same index, the same files. Opens no store. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { listTarget, type Target } from '../indexing/target.js';
import { headCommit } from '../io/git.js';
import { currentGeneration } from '../io/index-folder.js';
import { listChanges } from '../io/listing.js';

/** What differs from the commit, or the whole listing where only that can tell (submodules change unseen). */
async function listed(target: Target): Promise<unknown> {
  const { repository, root } = target;
  const head = repository && !existsSync(join(root, '.gitmodules')) ? await headCommit(repository) : undefined;
  const since = head === undefined ? undefined : { commit: head, differing: [] };
  const changes = repository && since ? await listChanges(repository, undefined, since) : undefined;
  if (changes) return [changes.commit, [...changes.states]];
  const { files, skipped } = await listTarget(target);
  return [files, skipped];
}

/** The state of a work tree or folder; undefined where there is no index in `folder`. */
export async function treeState(folder: string, target: Target): Promise<string | undefined> {
  const generation = currentGeneration(folder);
  if (generation === undefined) return undefined;
  // A build by another version reads files in another way, and makes another generation.
  const what = [basename(generation), target.root, await listed(target)];
  return createHash('sha256').update(JSON.stringify(what)).digest('hex');
}
