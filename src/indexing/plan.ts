/** What an align has to look at: the difference between what the index holds and what the target holds. */
import type { FileRecord, IndexStore, StoreMeta } from '../io/index-store.js';
import { type ListedFile, listChanges, type PathState, type Skipped } from '../io/listing.js';
import type { Index } from '../sidecars/index.generated.js';
import type { Settings } from './settings.js';
import { listTarget, type Target } from './target.js';

export interface Plan {
  /** Paths that really differ, sorted, with their present state. */
  readonly changes: ReadonlyMap<string, PathState>;
  readonly commit: string | null;
  readonly tree: Index['tree'];
  readonly differing: readonly string[] | null;
}

/** Why an index cannot be aligned and has to be built; undefined where it can. */
export function whyRebuild(
  meta: StoreMeta | undefined,
  published: Index | undefined,
  target: Target,
  settings: Settings,
): string | undefined {
  if (!meta) return 'there is no index that this version can read';
  if (JSON.stringify(published) !== JSON.stringify(meta.index)) return 'index.json is damaged or of another version';
  if (meta.root !== target.root) return 'the index is of another folder';
  if (JSON.stringify(meta.index.settings) !== JSON.stringify(settings)) return 'settings changed';
  return undefined;
}

const isFile = (state: PathState): state is ListedFile => state !== undefined && !('reason' in state);

/** Whether a path's present state is what the index has. A file that could not be used is known by what was listed. */
function isHeld(state: PathState, record: FileRecord | undefined, skip: Skipped | undefined): boolean {
  if (isFile(state)) {
    const known = record ?? skip;
    return known?.id === state.id && known.module === state.module;
  }
  if (record) return false;
  return state === undefined ? skip === undefined : skip?.reason === state.reason;
}

/** Works out the plan. Reads, changes nothing. */
export async function planAlign(
  target: Target,
  store: IndexStore,
  meta: StoreMeta,
  skipped: ReadonlyMap<string, Skipped>,
): Promise<Plan> {
  const { commit } = meta.index;
  const delta =
    target.repository && commit !== null && meta.differing !== null
      ? await listChanges(target.repository, target.commit, { commit, differing: meta.differing })
      : undefined;
  let states: Map<string, PathState>;
  let found: Omit<Plan, 'changes'>;
  if (delta) {
    states = new Map(delta.states);
    found = delta;
  } else {
    const listing = await listTarget(target);
    states = new Map<string, PathState>([...listing.files, ...listing.skipped].map((state) => [state.path, state]));
    for (const { path } of store.allFiles()) if (!states.has(path)) states.set(path, undefined);
    for (const path of skipped.keys()) if (!states.has(path)) states.set(path, undefined);
    found = listing;
  }
  const changes = [...states]
    .filter(([path, state]) => !isHeld(state, store.file(path), skipped.get(path)))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return { changes: new Map(changes), commit: found.commit, tree: found.tree, differing: found.differing };
}

/** Skipped files by path, of those that are not part of the index. */
export const skippedByPath = (skipped: readonly Skipped[]): Map<string, Skipped> =>
  new Map(skipped.map((skip) => [skip.path, skip]));
