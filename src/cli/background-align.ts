/**
 * `sidecar align --background`: what git hooks and searches start. One at a time for an index; those that come
 * meanwhile only leave word that there is more to do. Says nothing and never fails.
 */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readIndex } from '../io/index-folder.js';
import { takeLock } from '../io/lock.js';
import { runAlign } from './align.js';
import { type CommonOptions, locate, type Streams } from './context.js';
import { siblingIndexes } from './siblings.js';

/** Holds the lock of the one that aligns. */
const RUNNING_FOLDER = 'background';
/** Left by those that found one running. */
const MORE_FILE = 'background-align.more';
/** Git runs several hooks one after the other, and editors save several files. */
const QUIET_MS = 150;
/** A work tree that never rests is left to the next search. */
const MOST_ROUNDS = 5;

export async function runBackgroundAlign(options: CommonOptions, streams: Streams): Promise<0> {
  try {
    if (streams.env.SIDECAR_ALIGN === 'off') return 0;
    const place = await locate(streams, options);
    const { folder } = place;
    const index = readIndex(folder);
    // An index of a commit was asked for as it is. Without an index nobody has asked for one, but in a new worktree of
    // a repository that has one.
    if (index ? index.tree === 'commit' : (await siblingIndexes(place, streams.env)).length === 0) return 0;
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
    const more = join(folder, MORE_FILE);
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      const running = await takeLock(join(folder, RUNNING_FOLDER), 0);
      if (!running) {
        writeFileSync(more, '');
        return 0;
      }
      try {
        await sleep(QUIET_MS);
        rmSync(more, { force: true });
        await runAlign({ ...options, json: false, quiet: true }, streams);
      } finally {
        running.release();
      }
      // Looked at after the release: whoever came before it left word, whoever comes after it runs.
      if (!existsSync(more)) return 0;
    }
  } catch {
    // A search or the next hook will try again.
  }
  return 0;
}
