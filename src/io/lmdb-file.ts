/**
 * Opens LMDB environments that may have been damaged. LMDB maps its file into memory: reading what a cut-off file
 * lacks, or opening what is no LMDB file, ends the process with a signal. So the length is checked before against the
 * one that the last close wrote down (`size`; a file never shrinks), and the first pages against LMDB's mark.
 */
import { closeSync, openSync, readFileSync, readSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { open, type RootDatabase } from 'lmdb';

/** The environment cannot be used and has to be made anew. */
export class DamagedStore extends Error {}

const DATA_FILE = 'data.mdb';
const SIZE_FILE = 'size';
/** Who has the environment open: of no meaning in a copy. */
export const LMDB_LOCK_FILE = 'lock.mdb';

/** LMDB's mark, where the file begins and one page later. */
const MARK = 0xbeefc0de;
const MARK_AT = 24;
const PAGE_SIZE_AT = 48;

/** Bytes of the data file; 0 where there is none. */
function sizeOf(folder: string): number {
  const stat = statSync(join(folder, DATA_FILE), { throwIfNoEntry: false });
  if (stat && !stat.isFile()) throw new DamagedStore('its file is none');
  return stat?.size ?? 0;
}

/** Whether both of the pages that LMDB reads first are its own. */
function isMarked(folder: string): boolean {
  const file = openSync(join(folder, DATA_FILE), 'r');
  try {
    const word = (at: number): number => {
      const bytes = Buffer.from(new ArrayBuffer(4));
      return readSync(file, bytes, 0, 4, at) === 4 ? (new Uint32Array(bytes.buffer, bytes.byteOffset, 1)[0] ?? 0) : 0;
    };
    return word(MARK_AT) === MARK && word(word(PAGE_SIZE_AT) + MARK_AT) === MARK;
  } finally {
    closeSync(file);
  }
}

function recordedSize(folder: string): number {
  try {
    return Number(readFileSync(join(folder, SIZE_FILE), 'utf8')) || 0;
  } catch {
    return 0;
  }
}

/** LMDB's own numbers of errors that mean a broken file: from KEYEXIST down to the last one. */
export function isDamage(error: unknown): boolean {
  const code = Number((error as { code?: unknown } | undefined)?.code);
  return error instanceof DamagedStore || (code <= -30780 && code >= -30799);
}

/**
 * Opens the environment in `folder`, which exists.
 * @throws DamagedStore where its file is shorter than it was, or is no LMDB file
 */
export function openEnvironment(folder: string, maxDbs: number): RootDatabase<unknown, string> {
  const size = sizeOf(folder);
  if (size < recordedSize(folder)) throw new DamagedStore('its file is shorter than it was');
  if (size > 0 && !isMarked(folder)) throw new DamagedStore('its file is not one of LMDB');
  try {
    return open({ path: folder, noSubdir: false, compression: true, maxDbs });
  } catch (error) {
    if (isDamage(error)) throw new DamagedStore((error as Error).message);
    throw error;
  }
}

/** Closes an environment that `openEnvironment` opened. */
export async function closeEnvironment(root: RootDatabase<unknown, string>, folder: string): Promise<void> {
  await root.close();
  const size = sizeOf(folder);
  if (size <= recordedSize(folder)) return;
  try {
    writeFileSync(join(folder, SIZE_FILE), String(size));
  } catch {
    // A full disk, or one that cannot be written: the check is weaker then, and nothing else.
  }
}
