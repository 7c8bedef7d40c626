/** Which files a work tree, a commit or a plain folder consists of. */
import { createHash } from 'node:crypto';
import { lstatSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Repository } from './git.js';
import { hasStagedChanges, headCommit, listIndex, listModified, listTree, listUntracked } from './git.js';

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
}

export interface Listing {
  /** Sorted by path, each path once. */
  readonly files: readonly ListedFile[];
  readonly skipped: readonly Skipped[];
  readonly commit: string | null;
  readonly tree: 'commit' | 'clean' | 'dirty' | 'plain';
}

/** Files above this size are named in `status` and not read: no one wrote them by hand. */
export const MAX_FILE_BYTES = 4 * 1024 * 1024;

const SYMLINK = '120000';
const SUBMODULE = '160000';

/** Git's id of a blob with this content. */
export function blobId(bytes: Buffer, format: 'sha1' | 'sha256' = 'sha1'): string {
  return createHash(format).update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

const bytewise = (a: { readonly path: string }, b: { readonly path: string }): number =>
  a.path < b.path ? -1 : a.path > b.path ? 1 : 0;

class Collector {
  readonly files: ListedFile[] = [];
  readonly skipped: Skipped[] = [];

  /** Whether a name survived decoding: git's names are bytes, ours are text. */
  private named(path: string): boolean {
    if (!path.includes('\uFFFD')) return true;
    this.skipped.push({ path, reason: 'name is not valid UTF-8' });
    return false;
  }

  add(file: ListedFile): void {
    if (this.named(file.path)) this.files.push(file);
  }

  skip(path: string, reason: string): void {
    if (this.named(path)) this.skipped.push({ path, reason });
  }

  listing(commit: string | null, tree: Listing['tree']): Listing {
    return { files: this.files.sort(bytewise), skipped: this.skipped.sort(bytewise), commit, tree };
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
    if (stat.size > MAX_FILE_BYTES) return { path, reason: 'larger than 4 MiB' };
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
    const file = readWorkTreeFile(root, path, format);
    if (!file) return;
    if ('id' in file) into.add({ path: prefix + path, id: file.id });
    else into.skip(prefix + path, file.reason);
  };
  for (const { path, mode, id } of entries) {
    if (mode === SUBMODULE) {
      const folder = join(root, path);
      if (isWorkTree(folder)) {
        if (await collectWorkTree(folder, `${prefix}${path}/`, format, into)) dirty = true;
      } else into.skip(prefix + path, 'submodule that is not checked out');
      if (changed.has(path)) dirty = true;
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
  const into = new Collector();
  const [dirty, commit] = await Promise.all([
    collectWorkTree(repository.root, '', repository.objectFormat, into),
    headCommit(repository),
  ]);
  const staged = dirty || commit === undefined || (await hasStagedChanges(repository.root, commit));
  return into.listing(commit ?? null, staged ? 'dirty' : 'clean');
}

/** The tree of a commit, from objects alone. Submodules are followed where they are checked out. */
export async function listCommitTree(repository: Repository, commit: string): Promise<Listing> {
  const into = new Collector();
  const collect = async (at: Repository, tree: string, prefix: string): Promise<void> => {
    for (const { path, mode, id } of await listTree(at, tree)) {
      if (mode === SYMLINK) into.skip(prefix + path, 'symbolic link');
      else if (mode !== SUBMODULE) into.add({ path: prefix + path, id, ...(prefix === '' ? {} : { module: prefix }) });
      else if (repository.bare || !isWorkTree(join(repository.root, prefix, path))) {
        into.skip(prefix + path, 'submodule that is not checked out');
      } else {
        try {
          await collect({ ...at, root: join(repository.root, prefix, path) }, id, `${prefix}${path}/`);
        } catch {
          into.skip(prefix + path, 'submodule without that commit');
        }
      }
    }
  };
  await collect(repository, commit, '');
  return into.listing(commit, 'commit');
}

const IGNORE_FILES = ['.gitignore', '.ignore'];

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
    .map((path) => {
      const folder = dirname(path) === '.' ? '' : `${dirname(path)}/`;
      return { folder, matcher: ignore({ allowRelativePaths: true }).add(readFileSync(join(root, path), 'utf8')) };
    });
  const into = new Collector();
  for (const path of paths) {
    const ignored = rules.some(
      ({ folder, matcher }) => path.startsWith(folder) && matcher.ignores(path.slice(folder.length)),
    );
    if (ignored) continue;
    const file = readWorkTreeFile(root, path, 'sha1');
    if (!file) continue;
    if ('id' in file) into.add(file);
    else into.skip(path, file.reason);
  }
  return into.listing(null, 'plain');
}
