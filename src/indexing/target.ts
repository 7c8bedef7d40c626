/** What is to be indexed: a work tree as it is, a commit's tree, or a folder without git. */
import type { ByteSource } from '../io/examine.js';
import { listFiltered, type Repository } from '../io/git.js';
import { type Listing, listCommitTree, listPlainFolder, listWorkTree } from '../io/listing.js';

export interface Target {
  /** Real path of the work tree, the plain folder, or the bare repository's git directory. */
  readonly root: string;
  readonly repository?: Repository;
  /** Full id: index this commit's tree from objects, whatever the work tree holds. */
  readonly commit?: string;
}

export function sourceOf({ root, repository, commit }: Target): ByteSource {
  return {
    kind: commit === undefined ? 'disk' : 'objects',
    root,
    objectFormat: repository?.objectFormat ?? 'sha1',
  };
}

/**
 * Those of `unsettled` (gatherContents) that somebody changed between listing and reading. Git may see no difference
 * by now, so whoever asks it later has to ask for these too.
 */
export async function changedMeanwhile(
  { root, repository, commit }: Target,
  unsettled: readonly string[],
): Promise<string[]> {
  if (!repository || commit !== undefined || unsettled.length === 0) return [];
  const filtered = await listFiltered(root, unsettled);
  return unsettled.filter((path) => !filtered.has(path));
}

/** The paths of a listing that differ from the commit, and `more` of them, sorted; null where that is not known. */
export function withPaths(differing: readonly string[] | null, more: readonly string[]): readonly string[] | null {
  return differing === null || more.length === 0 ? differing : [...new Set([...differing, ...more])].sort();
}

export function listTarget({ root, repository, commit }: Target): Promise<Listing> {
  if (!repository) return listPlainFolder(root);
  return commit === undefined ? listWorkTree(repository) : listCommitTree(repository, commit);
}
