/** The block for the matches of a search, from the index on disk: what the evidence side and the hooks have in common. */
import { readFileSync, statSync } from 'node:fs';
import { isAbsolute, join, relative, resolve } from 'node:path';
import { blockFor } from '../retrieval/block.js';
import type { BlockResult, Match, SessionState } from '../retrieval/request.js';
import { displayFrom } from './display.js';
import type { IndexedTree } from './locate.js';
import { DiskReader } from './reader.js';

/** Evidence of a larger file is given without asking whether the file has changed. */
const LARGEST_CHECKED = 2 << 20;

/** A build may have read a file this long before it published what it read. */
const BUILD_MS = 120_000;

/** More files than this are not each looked at only to save the loading of node:crypto. */
const MOST_LOOKED_AT = 200;

export interface SearchBlockRequest {
  readonly tree: IndexedTree;
  /** Where the search ran: paths of matches are relative to it, or absolute. */
  readonly folder: string;
  readonly matches: readonly Match[];
  readonly patterns: readonly string[];
  readonly session?: SessionState;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Open already, with what it has read so far. */
  readonly reader?: DiskReader;
}

/**
 * Says whether a file's bytes are other than those that its sidecar was built from, by git's blob id. A file that has
 * not changed in any way since the index was published is not read, where the index describes the work tree; where
 * that settles every match, node:crypto is not even loaded.
 */
async function editedCheck(
  tree: IndexedTree,
  reader: DiskReader,
  matches: readonly Match[],
): Promise<(path: string) => boolean> {
  const untouched = (path: string): boolean => {
    try {
      return reader.ofWorkTree && statSync(join(tree.root, path)).ctimeMs < reader.publishedMs - BUILD_MS;
    } catch {
      return false;
    }
  };
  if (matches.length <= MOST_LOOKED_AT && matches.every((match) => untouched(match.path)))
    return (path) => !untouched(path);
  // Before Node 20.16 only as a module, which starts Node's module loader for it: some milliseconds.
  const { createHash } = process.getBuiltinModule?.('node:crypto') ?? (await import('node:crypto'));
  return (path) => {
    const sidecar = reader.sidecar(path);
    if (!sidecar || untouched(path)) return false;
    try {
      const bytes = readFileSync(join(tree.root, path));
      if (bytes.length > LARGEST_CHECKED) return false;
      const hash = createHash(sidecar.content.length === 64 ? 'sha256' : 'sha1');
      return hash.update(`blob ${bytes.length}\0`).update(bytes).digest('hex') !== sidecar.content;
    } catch {
      return true;
    }
  };
}

/** The repository path of a file that a result names; undefined outside of the tree. */
export function repositoryPath(tree: IndexedTree, folder: string, path: string): string | undefined {
  const found = relative(tree.root, resolve(folder, path));
  return found === '' || found === '..' || found.startsWith('../') || isAbsolute(found) ? undefined : found;
}

/** Matches by repository path; those outside the tree are left out. */
function inRepository({ tree, folder, matches }: SearchBlockRequest): Match[] {
  return matches.flatMap((match) => {
    const path = repositoryPath(tree, folder, match.path);
    return path === undefined ? [] : [{ ...match, path }];
  });
}

export function numberFrom(text: string | undefined): number | undefined {
  const value = text ? Number(text) : Number.NaN;
  return Number.isFinite(value) && value >= 0 ? value : undefined;
}

export interface SearchBlock extends BlockResult {
  /** What tells whether the index is behind; absent where it describes a commit and is not to follow the work tree. */
  readonly described?: { readonly commit: string | null; readonly edited: readonly string[] };
}

/** Retrieval on one consistent view of the index: read again once where it was published meanwhile. */
export async function blockOfSearch(request: SearchBlockRequest): Promise<SearchBlock | undefined> {
  const { tree, folder, env, session } = request;
  const matches = inRepository(request);
  if (matches.length === 0) return undefined;
  const absolute = request.matches.some((match) => isAbsolute(match.path));
  const budget = numberFrom(env.SIDECAR_BUDGET);
  const k = numberFrom(env.SIDECAR_K);
  const theta = numberFrom(env.SIDECAR_THETA);
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const reader = (attempt === 0 ? request.reader : undefined) ?? DiskReader.open(tree.index);
    if (!reader) return undefined;
    const isEdited = await editedCheck(tree, reader, matches);
    const edited = new Set<string>();
    const result = blockFor({
      matches,
      patterns: request.patterns,
      reader,
      ...(budget === undefined ? {} : { budget }),
      ...(k === undefined ? {} : { k }),
      ...(theta === undefined ? {} : { theta }),
      ...(session === undefined ? {} : { session }),
      display: displayFrom(tree.root, folder, absolute),
      edited: (path) => {
        const answer = isEdited(path);
        if (answer) edited.add(path);
        return answer;
      },
    });
    if (!reader.consistent()) continue;
    return reader.ofWorkTree ? { ...result, described: { commit: reader.commit, edited: [...edited].sort() } } : result;
  }
  return undefined;
}
