/**
 * Publishing an index so that a reader sees the old one or the new one, never a mixture.
 *
 * A build writes a whole new generation `g<N>/` and then moves one symbolic link, `current`, onto it.
 * `index.json` and `files` in the index folder are links through `current`, for people and tools that
 * read the index by its documented names; our own reader resolves `current` once and stays in it.
 */
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { getSystemErrorName } from 'node:util';
import { SidecarError } from '../errors.js';
import type { Index } from '../sidecars/index.generated.js';
import { FILES_FOLDER, INDEX_FILE } from '../sidecars/layout.js';

const CURRENT = 'current';
const GENERATION = /^g(\d+)$/;

/** Name of the system's error, undefined where it is none. LMDB gives the number. */
function systemError(error: unknown): string | undefined {
  const { code } = error as { readonly code?: unknown };
  if (typeof code === 'number' && code > 0) return getSystemErrorName(-code);
  return typeof code === 'string' && /^E[A-Z]+$/.test(code) ? code : undefined;
}

/** Runs a step that writes into the index folder, and says in one line what a failure means. */
export function writing<T>(folder: string, step: () => T): T {
  try {
    return step();
  } catch (error) {
    throw explained(folder, error);
  }
}

/** The same of a step that ends later. */
export async function writingInTime<T>(folder: string, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    throw explained(folder, error);
  }
}

function explained(folder: string, error: unknown): unknown {
  const { message } = error as Error;
  const code = systemError(error);
  if (code === undefined) return error;
  const why =
    code === 'ENOSPC' || code === 'EIO'
      ? code === 'EIO'
        ? 'the disk is full or fails'
        : 'the disk is full'
      : ['EACCES', 'EPERM', 'EROFS'].includes(code)
        ? 'it is not writable'
        : message;
  return new SidecarError(
    `cannot write the index at ${folder}`,
    why,
    'free some space or choose another folder with --index-dir or SIDECAR_INDEX_DIR',
  );
}

/** The folder of the published generation, undefined where there is none. */
export function currentGeneration(folder: string): string | undefined {
  try {
    const name = readlinkSync(join(folder, CURRENT));
    return GENERATION.test(name) && existsSync(join(folder, name, INDEX_FILE)) ? join(folder, name) : undefined;
  } catch {
    return undefined;
  }
}

/** What the published index says about itself; undefined where there is none or it is of another schema. */
export const readIndex = (folder: string): Index | undefined => indexOf(join(folder, CURRENT));

/** The same of one generation, published or not. */
export function indexOf(generation: string): Index | undefined {
  try {
    const index = JSON.parse(readFileSync(join(generation, INDEX_FILE), 'utf8')) as Index;
    return index.schemaVersion === 1 ? index : undefined;
  } catch {
    return undefined;
  }
}

/** Text of a file below a generation, by its index-relative path; undefined where there is none. */
export function readPublished(generation: string, path: string): string | undefined {
  try {
    return readFileSync(join(generation, path), 'utf8');
  } catch {
    return undefined;
  }
}

/** Points a link somewhere else in one step. */
function moveLink(path: string, target: string): void {
  try {
    if (readlinkSync(path) === target) return;
  } catch {
    // Not there yet, or something else in its place: renaming over it settles both, but for a folder.
    if (existsSync(path) && !lstatSync(path).isSymbolicLink()) rmSync(path, { recursive: true });
  }
  const temporary = `${path}.${process.pid}`;
  rmSync(temporary, { force: true });
  symlinkSync(target, temporary);
  renameSync(temporary, path);
}

/** A new, empty generation. Whatever a killed build left behind is removed. Call with the lock held. */
export function startGeneration(folder: string): string {
  return writing(folder, () => {
    mkdirSync(folder, { recursive: true });
    const current = currentGeneration(folder);
    let last = 0;
    for (const name of readdirSync(folder)) {
      const number = GENERATION.exec(name)?.[1];
      if (number === undefined) continue;
      last = Math.max(last, Number(number));
      if (join(folder, name) !== current) rmSync(join(folder, name), { recursive: true, force: true });
    }
    const generation = join(folder, `g${last + 1}`);
    mkdirSync(join(generation, FILES_FOLDER), { recursive: true });
    return generation;
  });
}

/** Makes a finished generation the one that readers see, and removes the one before. */
export function publishGeneration(folder: string, generation: string): void {
  writing(folder, () => {
    const before = currentGeneration(folder);
    moveLink(join(folder, CURRENT), generation.slice(dirname(generation).length + 1));
    moveLink(join(folder, INDEX_FILE), join(CURRENT, INDEX_FILE));
    moveLink(join(folder, FILES_FOLDER), join(CURRENT, FILES_FOLDER));
    if (before !== undefined && before !== generation) rmSync(before, { recursive: true, force: true });
  });
}
