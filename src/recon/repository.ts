/** The repository as reconnaissance reads it: the listed files with their roles, and text on demand. */
import type { Role } from '../graph/roles.js';

export interface ListedFile {
  /** Repository path, `/` between folders. */
  readonly path: string;
  readonly role: Role;
}

export interface RepositoryText {
  /** Sorted by path. */
  readonly files: readonly ListedFile[];
  /** Decoded text, undefined where the file cannot be read or is no text. */
  text(path: string): string | undefined;
}

/** The folder of a path, '' for the root. */
export function folderOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? '' : path.slice(0, slash);
}

/** The last part of a path. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** A path written relative to `folder` (`../b`, `./x`) as a repository path; undefined where it leaves the repository. */
export function joinPath(folder: string, relative: string): string | undefined {
  const parts = folder === '' ? [] : folder.split('/');
  for (const part of relative.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join('/');
}

/** Order of strings by code unit, the same on every machine. */
export function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
