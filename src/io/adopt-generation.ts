/** A new worktree starts from the index of another one of its repository: most of what both hold is the same. */
import { constants, copyFileSync, linkSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { STORE_FOLDER } from '../sidecars/layout.js';
import { currentGeneration, startGeneration, writing } from './index-folder.js';
import { IndexStore } from './index-store.js';
import { isDamage, LMDB_LOCK_FILE } from './lmdb-file.js';
import { takeLock } from './lock.js';

/** How long to wait for a writer of the other index. */
const WAIT_MS = 2_000;

/** Published files are replaced and never written into, so both indexes can hold the same ones. */
function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to);
  }
}

function linkFolder(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) linkFolder(source, target);
    else linkOrCopy(source, target);
  }
}

/** The store is written in place. */
function copyStore(from: string, to: string): void {
  mkdirSync(to);
  for (const name of readdirSync(from)) {
    if (name !== LMDB_LOCK_FILE) copyFileSync(join(from, name), join(to, name), constants.COPYFILE_FICLONE);
  }
}

function copyGeneration(from: string, to: string): void {
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.name === STORE_FOLDER) copyStore(source, target);
    else if (entry.isDirectory()) linkFolder(source, target);
    else linkOrCopy(source, target);
  }
}

/** Makes a store one of `root`; false where this version cannot read it. */
async function moveStore(folder: string, path: string, root: string): Promise<boolean> {
  const store = writing(folder, () => new IndexStore(path));
  try {
    const meta = store.meta();
    if (meta) writing(folder, () => store.transaction(() => store.putMeta({ ...meta, root })));
    return meta !== undefined;
  } finally {
    await store.close();
  }
}

/**
 * Copies the published generation of another index into a generation of `folder` that is not published yet, as one of
 * `root`. It describes the other work tree until it is aligned. Call with the lock of `folder` held.
 * @param from index folder of the other worktree
 * @returns undefined where there is nothing that this version can read, or where somebody goes on writing it
 */
export async function adoptGeneration(from: string, folder: string, root: string): Promise<string | undefined> {
  if (currentGeneration(from) === undefined) return undefined;
  const lock = await takeLock(from, WAIT_MS);
  if (!lock) return undefined;
  try {
    const other = currentGeneration(from);
    if (other === undefined) return undefined;
    const generation = startGeneration(folder);
    writing(folder, () => copyGeneration(other, generation));
    return (await moveStore(folder, join(generation, STORE_FOLDER), root)) ? generation : undefined;
  } catch (error) {
    if (isDamage(error)) return undefined;
    throw error;
  } finally {
    lock.release();
  }
}
