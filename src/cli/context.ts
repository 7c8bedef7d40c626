/** What a command gets from the outside. Commands touch nothing else, so tests run them in process. */
import { realpathSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { SidecarError } from '../errors.js';
import { COMPACT_NEIGHBOURS, DEFAULT_SETTINGS, type Settings } from '../indexing/settings.js';
import type { Target } from '../indexing/target.js';
import { readSettings } from '../io/configuration.js';
import { findRepository, resolveCommit } from '../io/git.js';
import { cacheRoot, indexDirFor } from '../io/index-location.js';

export interface Streams {
  readonly out: (text: string) => void;
  readonly error: (text: string) => void;
  /** Whether stderr is a terminal: only then is progress drawn. */
  readonly interactive: boolean;
  readonly colour: boolean;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Options that every command takes. */
export interface CommonOptions {
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly indexDir?: string;
}

/** A command: exit code out. 0 done, 1 a finding; errors are thrown as SidecarError and become 2. */
export type ExitCode = 0 | 1;

/** The repository or folder that holds `path`, and where its index lies. */
export interface Place {
  readonly target: Target;
  readonly folder: string;
  readonly factsFolder: string;
}

/**
 * Finds what `path` (default: the current directory) belongs to.
 * @param revision index this revision instead of the work tree
 */
export async function locate(streams: Streams, options: CommonOptions, path = '.', revision?: string): Promise<Place> {
  const start = resolve(streams.cwd, path);
  let real: string;
  try {
    real = realpathSync(start);
  } catch {
    throw new SidecarError(`cannot index ${path}`, 'no such folder', 'name an existing folder');
  }
  const repository = await findRepository(real);
  if (repository?.bare && revision === undefined) {
    throw new SidecarError(
      `cannot index ${path}`,
      'it is a bare repository and has no work tree',
      'name a revision: sidecar build --commit REV',
    );
  }
  if (!repository && revision !== undefined) {
    throw new SidecarError(
      `cannot index revision '${revision}'`,
      'this folder is not in a git repository',
      'leave the revision out',
    );
  }
  const root = repository?.root ?? real;
  const commit = repository && revision !== undefined ? await resolveCommit(repository, revision) : undefined;
  const target: Target = {
    root,
    ...(repository ? { repository } : {}),
    ...(commit === undefined ? {} : { commit }),
  };
  const chosen = options.indexDir === undefined ? undefined : resolve(streams.cwd, options.indexDir);
  const elsewhere = chosen !== undefined || Boolean(streams.env.SIDECAR_INDEX_DIR);
  if (!elsewhere && cacheRoot(streams.env) === undefined) {
    throw new SidecarError(
      'cannot tell where to keep the index',
      'neither HOME nor XDG_CACHE_HOME nor SIDECAR_INDEX_DIR is set',
      'set one of them, or use --index-dir',
    );
  }
  const folder = chosen ?? indexDirFor(root, streams.env);
  return { target, folder, factsFolder: factsFolderOf(folder, target, elsewhere, streams.env) };
}

/** Facts are shared by the worktrees of a repository, unless the index was put somewhere of its own. */
function factsFolderOf(
  folder: string,
  { root, repository }: Target,
  elsewhere: boolean,
  env: NodeJS.ProcessEnv,
): string {
  return elsewhere ? join(folder, 'facts') : `${indexDirFor(repository?.commonDir ?? root, env)}.facts`;
}

export function settingsFor({ target }: Place, compact: boolean): Settings {
  const own = readSettings(target.root);
  return { ...DEFAULT_SETTINGS, ...own, ...(compact ? { neighbours: COMPACT_NEIGHBOURS } : {}) };
}

export const defaultWorkers = (): number => Math.max(1, Math.min(availableParallelism(), 8));

/** How long to wait for another writer of the same index. */
export const LOCK_WAIT_MS = 120_000;

/** `1,234 files`. Without `toLocaleString`, which loads the data of all languages first: 16 ms. */
export const plural = (n: number, noun: string): string =>
  `${String(n).replace(/\B(?=(?:\d{3})+$)/g, ',')} ${noun}${n === 1 ? '' : 's'}`;
