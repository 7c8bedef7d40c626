/** What was worked out from an index and is kept beside it to save time: losing it costs time and nothing else. */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The bytes kept under a name in the index folder; undefined where there are none. */
export function readKept(folder: string, name: string): Buffer | undefined {
  try {
    return readFileSync(join(folder, name));
  } catch {
    return undefined;
  }
}

/** Keeps bytes in one step. A folder that cannot be written keeps nothing. */
export function keep(folder: string, name: string, bytes: Uint8Array): void {
  const temporary = join(folder, `${name}.${process.pid}`);
  try {
    writeFileSync(temporary, bytes);
    renameSync(temporary, join(folder, name));
  } catch {
    rmSync(temporary, { force: true });
  }
}
