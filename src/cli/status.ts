/** `sidecar status`: what the index describes, and what of it is stale. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { SidecarError } from '../errors.js';
import { planAlign, skippedByPath } from '../indexing/plan.js';
import { isFollowed } from '../indexing/summary.js';
import { currentGeneration, readIndex } from '../io/index-folder.js';
import { IndexStore } from '../io/index-store.js';
import { safe } from '../retrieval/escape.js';
import type { Index } from '../sidecars/index.generated.js';
import { STORE_FOLDER } from '../sidecars/layout.js';
import { type CommonOptions, type ExitCode, locate, type Place, plural, type Streams } from './context.js';

export interface StatusArguments extends CommonOptions {
  readonly check?: boolean;
}

const SHOWN = 10;

function bytesBelow(folder: string): number {
  let total = 0;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) total += statSync(join(entry.parentPath, entry.name)).size;
  }
  return total;
}

/** Paths that differ between the index and what it would describe now. */
export async function stalePaths({ target }: Place, index: Index, generation: string): Promise<string[]> {
  const store = new IndexStore(join(generation, STORE_FOLDER));
  try {
    const meta = store.meta();
    if (!meta) return [];
    const plan = await planAlign(target, store, meta, skippedByPath(store.skipped()));
    const paths = [...plan.changes.keys()];
    return paths.length === 0 && plan.commit !== index.commit ? ['(history)'] : paths;
  } finally {
    await store.close();
  }
}

const listing = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .sort(([, a], [, b]) => b - a)
    .map(([name, n]) => `${name} ${n}`)
    .join(', ');

function render(place: Place, index: Index, size: number, stale: readonly string[]): string {
  const { counts, globals, history } = index;
  const tree = {
    commit: 'its tree',
    clean: 'work tree without changes',
    dirty: 'work tree with changes',
    plain: 'folder without git',
  };
  const lines = [
    `index      ${place.folder} (${(size / 1e6).toFixed(1)} MB)`,
    `describes  ${index.commit ?? 'no commit'}, ${tree[index.tree]}`,
    `files      ${counts.files}: ${listing(counts.byRole)}`,
    `languages  ${listing(counts.byLanguage)}`,
    `graph      ${plural(counts.symbols, 'symbol')}, ${plural(counts.edges, 'edge')}`,
    `history    ${plural(history.commits, 'commit')}${history.complete ? '' : ' (cut short: shallow clone or missing objects)'}`,
    `clusters   ${globals.communities}, flows ${globals.flows}${
      globals.since === undefined ? '' : ` (of ${globals.since.slice(0, 10)}, ${globals.changedEdges} edges ago)`
    }`,
  ];
  for (const { reason, count, paths } of index.skipped) {
    lines.push(
      `${isFollowed(reason) ? 'read in part' : 'not followed'}: ${count} ${reason}: ${paths.slice(0, 3).map(safe).join(', ')}${count > 3 ? ', ...' : ''}`,
    );
  }
  if (stale.length === 0) lines.push('up to date');
  else {
    lines.push(`stale: ${plural(stale.length, 'path')} differ, run: sidecar align`);
    lines.push(...stale.slice(0, SHOWN).map((path) => `  ${safe(path)}`));
    if (stale.length > SHOWN) lines.push(`  +${stale.length - SHOWN} more`);
  }
  return `${lines.join('\n')}\n`;
}

export async function runStatus(args: StatusArguments, streams: Streams): Promise<ExitCode> {
  const place = await locate(streams, args);
  const index = readIndex(place.folder);
  const generation = currentGeneration(place.folder);
  if (!index || generation === undefined) {
    throw new SidecarError(
      'no index of this repository',
      'none was built, or by another version',
      'run: sidecar build',
    );
  }
  const stale = await stalePaths(place, index, generation);
  const size = bytesBelow(generation);
  if (args.json) {
    streams.out(`${JSON.stringify({ folder: place.folder, bytes: size, stale, index })}\n`);
  } else if (!args.quiet) streams.out(render(place, index, size, stale));
  return args.check && stale.length > 0 ? 1 : 0;
}
