/** Text of files of a work tree, read when it is asked for. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { MAX_FILE_BYTES } from './listing.js';
import { decodeText, isBinary } from './text.js';

/**
 * A reader of the tree's files, each read once.
 * @returns undefined for what is no text, is too large or cannot be read
 */
export function treeText(root: string): (path: string) => string | undefined {
  const texts = new Map<string, string | undefined>();
  const read = (path: string): string | undefined => {
    try {
      const file = join(root, path);
      if (statSync(file).size > MAX_FILE_BYTES) return undefined;
      const bytes = readFileSync(file);
      return isBinary(bytes) ? undefined : decodeText(bytes).text;
    } catch {
      return undefined;
    }
  };
  return (path) => {
    if (!texts.has(path)) texts.set(path, read(path));
    return texts.get(path);
  };
}
