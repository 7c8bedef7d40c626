/** What is to be indexed: a work tree as it is, a commit's tree, or a folder without git. */
import type { ByteSource } from '../io/examine.js';
import type { Repository } from '../io/git.js';
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

export function listTarget({ root, repository, commit }: Target): Promise<Listing> {
  if (!repository) return listPlainFolder(root);
  return commit === undefined ? listWorkTree(repository) : listCommitTree(repository, commit);
}
