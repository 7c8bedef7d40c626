/** A word of the indexed code that has evidence to show, for `sidecar doctor` to search for. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readPublished } from '../io/index-folder.js';
import { FILES_FOLDER } from '../sidecars/layout.js';
import { parseSidecar } from '../sidecars/stored.js';

/** Files that are looked at before giving up. */
const MOST_FILES = 400;
/** Short names are words of everything; this one has to be a word that a shell takes as it is. */
const GOOD_NAME = /^[A-Za-z_]\w{5,40}$/;

/** The name of a symbol that others call; undefined where the first files have none. */
export function searchableTerm(generation: string): string | undefined {
  const files = readdirSync(join(generation, FILES_FOLDER), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.json'))
    .sort()
    .slice(0, MOST_FILES);
  let fallback: string | undefined;
  for (const file of files) {
    const sidecar = parseSidecar(readPublished(generation, `${FILES_FOLDER}/${file}`) ?? '');
    if (sidecar?.role !== 'source') continue;
    for (const { name, neighbours } of sidecar.symbols) {
      const term = name.split('.').at(-1) ?? '';
      if (!GOOD_NAME.test(term)) continue;
      if (neighbours?.callers) return term;
      fallback ??= term;
    }
  }
  return fallback;
}
