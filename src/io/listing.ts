/** Which files a work tree, a commit or a plain folder consists of. */
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Ignore } from 'ignore';
import {
  diffTrees,
  headCommit,
  listDiffering,
  listIndex,
  listModified,
  listTree,
  listTreeAt,
  listUntracked,
  type Repository,
  type TreeChange,
  type TreeEntry,
} from './git.js';

/** A file that may be indexed. */
export interface ListedFile {
  readonly path: string;
  /** Git blob id of its content. */
  readonly id: string;
  /** Of a submodule's file in a commit: the folder of the repository that holds the object, relative to the root. */
  readonly module?: string;
}

export interface Skipped {
  readonly path: string;
  readonly reason: string;
  /** Of a listed file whose content could not be used: what was listed. */
  readonly id?: string;
  readonly module?: string;
}

export interface Listing {
  /** Sorted by path, each path once. */
  readonly files: readonly ListedFile[];
  readonly skipped: readonly Skipped[];
  readonly commit: string | null;
  readonly tree: 'commit' | 'clean' | 'dirty' | 'plain';
  /**
   * Paths whose content is not that of `commit`, sorted; null where that is not known by path (no commit, submodules):
   * only with it can a later listing be a difference.
   */
  readonly differing: readonly string[] | null;
}

/** Files above this size are named in `status` and not read: no one wrote them by hand. */
export const MAX_FILE_BYTES = 4 * 1024 * 1024;
export const TOO_LARGE = 'larger than 4 MiB';

const SYMLINK = '120000';
const SUBMODULE = '160000';

/** Git's id of a blob with this content. */
export function blobId(bytes: Buffer, format: 'sha1' | 'sha256' = 'sha1'): string {
  return createHash(format).update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

const bytewise = (a: { readonly path: string }, b: { readonly path: string }): number =>
  a.path < b.path ? -1 : a.path > b.path ? 1 : 0;

const isDecoded = (path: string): boolean => !path.includes('\uFFFD');

class Collector {
  /** What git says about paths does not tell all: there are submodules, or a sparse checkout. */
  needsWholeListing = false;
  readonly files: ListedFile[] = [];
  readonly skipped: Skipped[] = [];

  private readonly unnamed = new Set<string>();

  /** Whether a name survived decoding: git's names are bytes, ours are text. Several names may decode to the same. */
  private named(path: string): boolean {
    if (isDecoded(path)) return true;
    if (!this.unnamed.has(path)) this.skipped.push({ path, reason: 'name is not valid UTF-8' });
    this.unnamed.add(path);
    return false;
  }

  add(file: ListedFile): void {
    if (this.named(file.path)) this.files.push(file);
  }

  skip(path: string, reason: string): void {
    if (this.named(path)) this.skipped.push({ path, reason });
  }

  listing(commit: string | null, tree: Listing['tree'], differing: readonly string[] | null): Listing {
    return { files: this.files.sort(bytewise), skipped: this.skipped.sort(bytewise), commit, tree, differing };
  }
}

/** Hashes a work tree file, or says why it cannot be indexed; undefined where it is gone. */
function readWorkTreeFile(
  root: string,
  path: string,
  format: Repository['objectFormat'],
): ListedFile | Skipped | undefined {
  const full = join(root, path);
  try {
    const stat = lstatSync(full);
    if (stat.isSymbolicLink()) return { path, reason: 'symbolic link' };
    if (!stat.isFile()) return stat.isDirectory() ? undefined : { path, reason: 'not a regular file' };
    if (stat.size > MAX_FILE_BYTES) return { path, reason: TOO_LARGE };
    return { path, id: blobId(readFileSync(full), format) };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    return { path, reason: `unreadable (${code})` };
  }
}

/** Adds one work tree (the repository's own or a submodule's) below `prefix`. Returns whether it differs from its HEAD's index. */
async function collectWorkTree(
  root: string,
  prefix: string,
  format: Repository['objectFormat'],
  into: Collector,
): Promise<boolean> {
  const [entries, modified, untracked] = await Promise.all([listIndex(root), listModified(root), listUntracked(root)]);
  const changed = new Set(modified);
  let dirty = false;
  const addFromDisk = (path: string): void => {
    dirty = true;
    const file = isDecoded(path) ? readWorkTreeFile(root, path, format) : { path, reason: '' };
    if (!file) return;
    if (!('reason' in file)) into.add({ path: prefix + path, id: file.id });
    else into.skip(prefix + path, file.reason);
  };
  for (const { path, mode, id, absent } of entries) {
    if (mode === SUBMODULE) {
      into.needsWholeListing = true;
      const folder = join(root, path);
      if (isWorkTree(folder)) {
        try {
          if (await collectWorkTree(folder, `${prefix}${path}/`, format, into)) dirty = true;
        } catch {
          into.skip(prefix + path, 'submodule that cannot be read');
        }
      } else into.skip(prefix + path, 'submodule that is not checked out');
      if (changed.has(path)) dirty = true;
    } else if (absent) {
      into.needsWholeListing = true;
      into.skip(prefix + path, 'outside of the sparse checkout');
    } else if (changed.has(path)) addFromDisk(path);
    else if (mode === SYMLINK) into.skip(prefix + path, 'symbolic link');
    else into.add({ path: prefix + path, id });
  }
  for (const path of untracked) {
    if (path.endsWith('/')) into.skip(prefix + path.slice(0, -1), 'nested repository');
    else addFromDisk(path);
  }
  return dirty;
}

function isWorkTree(folder: string): boolean {
  try {
    statSync(join(folder, '.git'));
    return true;
  } catch {
    return false;
  }
}

/** Tracked files and untracked ones that no ignore rule covers, with what they hold on disk now. */
export async function listWorkTree(repository: Repository): Promise<Listing> {
  const { root, objectFormat } = repository;
  const commit = await headCommit(repository);
  const into = new Collector();
  const [dirty, differing] = await Promise.all([
    collectWorkTree(root, '', objectFormat, into),
    commit === undefined ? null : listDifferences(root, commit),
  ]);
  // One definition for a whole listing and for a difference: content. Only submodules are beyond the second.
  const clean = differing !== null && differing.length === 0 && !(dirty && into.needsWholeListing);
  return into.listing(commit ?? null, clean ? 'clean' : 'dirty', into.needsWholeListing ? null : differing);
}

/** Tracked and untracked paths by which a work tree differs from the commit. */
async function listDifferences(root: string, commit: string): Promise<string[]> {
  const [tracked, untracked] = await Promise.all([listDiffering(root, commit), listUntracked(root)]);
  return [...new Set([...tracked, ...untracked])].sort();
}

/** The tree of a commit, from objects alone. Submodules are followed where they are checked out. */
export async function listCommitTree(repository: Repository, commit: string): Promise<Listing> {
  const into = new Collector();
  const collect = async (at: Repository, tree: string, prefix: string): Promise<void> => {
    for (const { path, mode, id } of await listTree(at, tree)) {
      if (mode === SYMLINK) into.skip(prefix + path, 'symbolic link');
      else if (mode !== SUBMODULE) into.add({ path: prefix + path, id, ...(prefix === '' ? {} : { module: prefix }) });
      else {
        into.needsWholeListing = true;
        if (repository.bare || !isWorkTree(join(repository.root, prefix, path))) {
          into.skip(prefix + path, 'submodule that is not checked out');
          continue;
        }
        try {
          await collect({ ...at, root: join(repository.root, prefix, path) }, id, `${prefix}${path}/`);
        } catch {
          into.skip(prefix + path, 'submodule without that commit');
        }
      }
    }
  };
  await collect(repository, commit, '');
  return into.listing(commit, 'commit', into.needsWholeListing ? null : []);
}

/** What became of one path: a file, a file that cannot be indexed, or (undefined) nothing. */
export type PathState = ListedFile | Skipped | undefined;

/** A listing as the difference to an earlier one. */
export interface ListingChanges {
  /** Every path that may differ, with its present state. */
  readonly states: ReadonlyMap<string, PathState>;
  readonly commit: string;
  readonly tree: Listing['tree'];
  readonly differing: readonly string[];
}

function stateOf({ path, mode, id }: TreeEntry): PathState {
  return mode === SYMLINK ? { path, reason: 'symbolic link' } : { path, id };
}

/**
 * The difference between what was listed at `since` and what `target` holds, at the cost of the difference.
 * @param commit the commit to list from objects; undefined: the work tree
 * @returns undefined where only a whole listing can tell (submodules, a sparse checkout, names that cannot be
 *   decoded, no commit, objects that are gone)
 */
export async function listChanges(
  repository: Repository,
  commit: string | undefined,
  since: { readonly commit: string; readonly differing: readonly string[] },
): Promise<ListingChanges | undefined> {
  if (commit === undefined && existsSync(join(repository.gitDir, 'info', 'sparse-checkout'))) return undefined;
  const head = commit ?? (await headCommit(repository));
  if (head === undefined) return undefined;
  let changes: TreeChange[];
  try {
    changes = head === since.commit ? [] : await diffTrees(repository, since.commit, head);
  } catch {
    return undefined;
  }
  const states = new Map<string, PathState>();
  for (const { path, entry } of changes) {
    if (entry?.mode === SUBMODULE) return undefined;
    states.set(path, entry && stateOf(entry));
  }
  const differing = commit === undefined ? await listDifferences(repository.root, head) : [];
  const restored = since.differing.filter((path) => !states.has(path));
  // A nested repository is `folder/` for git.
  for (const path of restored) states.set(path.replace(/\/$/, ''), undefined);
  for (const entry of await listTreeAt(repository, head, restored)) {
    if (entry.mode === SUBMODULE) return undefined;
    states.set(entry.path, stateOf(entry));
  }
  for (const path of differing) {
    if (path.endsWith('/')) states.set(path.slice(0, -1), { path: path.slice(0, -1), reason: 'nested repository' });
    else if (isWorkTree(join(repository.root, path))) return undefined;
    else states.set(path, readWorkTreeFile(repository.root, path, repository.objectFormat));
  }
  if (![...states.keys()].every(isDecoded)) return undefined;
  const tree = commit !== undefined ? 'commit' : differing.length === 0 ? 'clean' : 'dirty';
  return { states, commit: head, tree, differing };
}

const IGNORE_FILES = ['.gitignore', '.ignore'];

/** The rules of one ignore file, for the paths below its folder (`''` or `folder/`). */
interface IgnoreRules {
  readonly folder: string;
  readonly matcher: Ignore;
}

/** What the nearest rule says counts, and nothing below an ignored folder can be taken back: as in git. */
function ignoredBy(rules: readonly IgnoreRules[]): (path: string) => boolean {
  const decide = (path: string): boolean => {
    let ignored = false;
    for (const { folder, matcher } of rules) {
      if (!path.startsWith(folder) || path === folder) continue;
      const said = matcher.test(path.slice(folder.length));
      if (said.ignored || said.unignored) ignored = said.ignored;
    }
    return ignored;
  };
  const folders = new Map<string, boolean>([['', false]]);
  const folderIgnored = (folder: string): boolean => {
    let known = folders.get(folder);
    if (known === undefined) {
      known = folderIgnored(folder.slice(0, folder.lastIndexOf('/', folder.length - 2) + 1)) || decide(folder);
      folders.set(folder, known);
    }
    return known;
  };
  return (path) => folderIgnored(path.slice(0, path.lastIndexOf('/') + 1)) || decide(path);
}

/** An ignore file's text. One that is a link or cannot be read has no rules. */
function ignoreText(full: string): string {
  try {
    return lstatSync(full).isFile() ? readFileSync(full, 'utf8') : '';
  } catch {
    return '';
  }
}

/** A folder without git: everything that its ignore files leave, dependency folders left out. */
export async function listPlainFolder(root: string): Promise<Listing> {
  const [{ default: glob }, { default: ignore }] = await Promise.all([import('fast-glob'), import('ignore')]);
  const found = await glob('**/*', {
    cwd: root,
    dot: true,
    onlyFiles: false,
    objectMode: true,
    followSymbolicLinks: false,
    suppressErrors: true,
    ignore: ['**/.git/**', '**/.hg/**', '**/.svn/**', '**/node_modules/**'],
  });
  const paths = found
    .filter((entry) => !entry.dirent.isDirectory())
    .map((entry) => entry.path)
    .sort();
  const rules = paths
    .filter((path) => IGNORE_FILES.includes(path.slice(path.lastIndexOf('/') + 1)))
    .map((path): IgnoreRules => {
      const folder = path.slice(0, path.lastIndexOf('/') + 1);
      return { folder, matcher: ignore({ allowRelativePaths: true }).add(ignoreText(join(root, path))) };
    })
    .sort((a, b) => a.folder.length - b.folder.length);
  const ignored = ignoredBy(rules);
  const into = new Collector();
  for (const path of paths) {
    if (ignored(path)) continue;
    const file = readWorkTreeFile(root, path, 'sha1');
    if (!file) continue;
    if (!('reason' in file)) into.add(file);
    else into.skip(path, file.reason);
  }
  return into.listing(null, 'plain', null);
}
