/**
 * Starts an align beside a search that has seen the index to be behind: one detached process, which nobody waits
 * for. Light, since the evidence side loads it. `SIDECAR_ALIGN=off` switches it off.
 */
import { existsSync, lstatSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { IndexedTree } from './locate.js';

/** In the index folder: its content says what the last background align was started for, its age when. */
const MARKER = 'background-align.started';

/** Between two starts for different states. */
const PAUSE_MS = 2_000;

/** Before the same state is tried again: what could not be aligned then may be possible now. */
const AGAIN_MS = 60_000;

/** What git keeps in its folder while it is in the middle of something. */
const OPERATIONS = ['rebase-merge', 'rebase-apply', 'MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD', 'sequencer'];

function text(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return undefined;
  }
}

/** The git folder of a work tree; undefined where it has none. */
export function gitFolderOf(root: string): string | undefined {
  const dotGit = join(root, '.git');
  try {
    if (lstatSync(dotGit).isDirectory()) return dotGit;
  } catch {
    return undefined;
  }
  const linked = /^gitdir: (.+)$/.exec(text(dotGit) ?? '')?.[1];
  return linked === undefined ? undefined : resolve(root, linked);
}

/** The commit that HEAD names, read without git; undefined where that cannot be told so. */
export function headOf(gitFolder: string): string | undefined {
  const head = text(join(gitFolder, 'HEAD'));
  const ref = /^ref: (.+)$/.exec(head ?? '')?.[1];
  const isId = (id: string | undefined): id is string => id !== undefined && /^[0-9a-f]{40,64}$/.test(id);
  if (ref === undefined) return isId(head) ? head : undefined;
  const common = resolve(gitFolder, text(join(gitFolder, 'commondir')) ?? '.');
  const own = text(join(common, ref));
  if (isId(own)) return own;
  const packed = (text(join(common, 'packed-refs')) ?? '').split('\n').find((line) => line.endsWith(` ${ref}`));
  const id = packed?.split(' ')[0];
  return isId(id) ? id : undefined;
}

/** Names the rebase, merge or cherry-pick that is in progress, the same until it ends. */
export function operationIn(gitFolder: string): string | undefined {
  for (const name of OPERATIONS) {
    try {
      const stat = statSync(join(gitFolder, name));
      return `${name} ${stat.ino} ${stat.birthtimeMs}`;
    } catch {
      // Not this one.
    }
  }
  return undefined;
}

/**
 * Claims the start of one background align for a state.
 * @param state what it is to be started for: the same state is not tried twice within a minute, and during a rebase
 *   or a merge nothing is tried twice
 */
export function claimBackgroundAlign(index: string, state: string, operation: string | undefined): boolean {
  const marker = join(index, MARKER);
  const claim = operation === undefined ? `state ${state}` : `during ${operation}`;
  try {
    const before = readFileSync(marker, 'utf8');
    const age = Date.now() - statSync(marker).mtimeMs;
    if (before === claim && (operation !== undefined || age < AGAIN_MS)) return false;
    // A file system's clock is finer than ours, so what was written just now can lie ahead. Far ahead is a wrong clock.
    if (Math.abs(age) < PAUSE_MS) return false;
  } catch {
    // The first one.
  }
  try {
    writeFileSync(marker, claim);
    return true;
  } catch {
    // An index that cannot be written to cannot be aligned either.
    return false;
  }
}

export interface BackgroundAlign {
  readonly tree: IndexedTree;
  /** The commit that the index describes. */
  readonly commit: string | null;
  /** Files of the result whose content is no longer what the index describes. */
  readonly edited: readonly string[];
  /** main.js of this installation. */
  readonly main: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Starts an align where the index is behind and none was started for that; says whether it did. Never throws. */
export async function alignInBackground({ tree, commit, edited, main, env }: BackgroundAlign): Promise<boolean> {
  try {
    if (env.SIDECAR_ALIGN === 'off' || !existsSync(main)) return false;
    const gitFolder = gitFolderOf(tree.root);
    const head = gitFolder && headOf(gitFolder);
    const moved = head !== undefined && commit !== null && head !== commit;
    if (!moved && edited.length === 0) return false;
    // Each edit of a file is a state of its own.
    const edits = edited.map((path) => {
      const stat = statSync(join(tree.root, path), { throwIfNoEntry: false });
      return `${path} ${stat?.mtimeMs ?? 'gone'}`;
    });
    const state = [head ?? '', ...edits].join('\n');
    if (!claimBackgroundAlign(tree.index, state, gitFolder && operationIn(gitFolder))) return false;
    const { spawn } = await import('node:child_process');
    const child = spawn(process.execPath, [main, 'align', '--background', '--quiet'], {
      cwd: tree.root,
      env: { ...env, SIDECAR_MODE: 'off' },
      // Out of the reach of what ends the search and its process group.
      detached: true,
      stdio: 'ignore',
    });
    child.on('error', () => {});
    child.unref();
    return true;
  } catch {
    return false;
  }
}
