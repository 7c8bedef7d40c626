/** Whether two published generations say the same, byte for byte. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Index } from '../sidecars/index.generated.js';
import { COMMITS_FILE, FILES_FOLDER, INDEX_FILE, RECENCY_FILE } from '../sidecars/layout.js';
import type { StoredSidecar } from '../sidecars/stored-sidecar.generated.js';

const filesOf = (generation: string): Set<string> =>
  new Set(
    readdirSync(join(generation, FILES_FOLDER), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(generation.length + 1)),
  );

function withoutGlobals(path: string, text: string): string {
  if (path === INDEX_FILE) {
    const { globals: _, ...rest } = JSON.parse(text) as Index;
    return JSON.stringify(rest);
  }
  const { community: _, flows: __, ...rest } = JSON.parse(text) as StoredSidecar;
  return JSON.stringify(rest);
}

/**
 * Index-relative paths at which two generations differ, sorted.
 * @param carried communities and flows of one of them are from an earlier state: leave them out
 */
export function differences(a: string, b: string, carried: boolean): string[] {
  const paths = new Set([...filesOf(a), ...filesOf(b), INDEX_FILE, RECENCY_FILE, COMMITS_FILE]);
  return [...paths].sort().filter((path) => {
    const [first, second] = [join(a, path), join(b, path)];
    if (!existsSync(first) || !existsSync(second)) return true;
    const [x, y] = [readFileSync(first), readFileSync(second)];
    if (x.equals(y)) return false;
    const comparable = carried && path !== RECENCY_FILE && path !== COMMITS_FILE;
    return !comparable || withoutGlobals(path, x.toString('utf8')) !== withoutGlobals(path, y.toString('utf8'));
  });
}
