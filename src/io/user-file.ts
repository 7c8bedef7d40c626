/** Files of the user's own that we change on request: replaced in one step, through links, with their mode kept. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { SidecarError } from '../errors.js';

function changing<T>(path: string, step: () => T): T {
  try {
    return step();
  } catch (error) {
    if (error instanceof SidecarError) throw error;
    const { message } = error as Error;
    throw new SidecarError(`cannot change ${path}`, message, 'check its permissions');
  }
}

/** Bytes of a file; undefined where there is none. */
export function readUserFile(path: string): Buffer | undefined {
  return changing(path, () => (existsSync(path) ? readFileSync(path) : undefined));
}

/**
 * Replaces or creates a file.
 * @param mode for a new file; an existing one keeps its own unless `force`
 * @returns the outermost folder that had to be made for it
 */
export function writeUserFile(
  path: string,
  content: string | Uint8Array,
  mode = 0o644,
  force = false,
): string | undefined {
  return changing(path, () => {
    const made = mkdirSync(dirname(path), { recursive: true });
    const target = existsSync(path) ? realpathSync(path) : path;
    const kept = existsSync(target) && !force ? statSync(target).mode & 0o7777 : mode;
    const temporary = `${target}.sidecar-${process.pid}`;
    try {
      writeFileSync(temporary, content, { mode: kept });
      chmodSync(temporary, kept);
      renameSync(temporary, target);
    } catch (error) {
      rmSync(temporary, { force: true });
      throw error;
    }
    return made;
  });
}

export function modeOf(path: string): number {
  return changing(path, () => statSync(path).mode & 0o7777);
}

/** Removes a file, then its folder and those above up to `outermost`, as far as they are empty. */
export function removeUserFile(path: string, outermost?: string): void {
  changing(path, () => rmSync(path, { force: true }));
  if (outermost === undefined) return;
  for (let folder = dirname(path); folder.startsWith(outermost); folder = dirname(folder)) {
    try {
      rmdirSync(folder);
    } catch {
      return;
    }
  }
}
