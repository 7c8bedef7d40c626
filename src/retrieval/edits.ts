/**
 * Files changed in the working tree are the strongest sign of what an agent is after: what usually changes
 * with them, or tests them, and is not changed yet.
 */
import type { SidecarReader } from './request.js';
import { scoreCandidates, type WeightedAnchor } from './score.js';
import type { RetrievalSettings } from './settings.js';

export interface PendingFile {
  readonly path: string;
  readonly score: number;
  /** A fact: `changed with a.py in 12 commits`, `tests a.py`. */
  readonly text: string;
}

const MOST_EDITS = 20;
const MOST_PENDING = 4;
const LEAST_SCORE = 0.4;
const LEAST_COMMITS = 2;
const NO_MESSAGES: ReadonlyMap<string, number> = new Map();

const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** The changed files as anchors of equal weight. Tests and documents tell less of what else is to change. */
export function editAnchors(changed: readonly string[], reader: SidecarReader): WeightedAnchor[] {
  const found: WeightedAnchor[] = [];
  for (const path of [...changed].sort()) {
    if (found.length >= MOST_EDITS) break;
    const sidecar = reader.sidecar(path);
    if (sidecar?.role === 'source') found.push({ path, weight: 1, sidecar, symbols: [] });
  }
  return found.map((anchor) => ({ ...anchor, weight: 1 / found.length }));
}

/** What is not changed yet and belongs to the edits, best first. `known` paths are left out. */
export function pendingFiles(
  edits: readonly WeightedAnchor[],
  reader: SidecarReader,
  known: (path: string) => boolean,
  theta: number,
  settings: RetrievalSettings,
): PendingFile[] {
  if (edits.length === 0) return [];
  const pending: PendingFile[] = [];
  for (const { path, score } of scoreCandidates(edits, reader, NO_MESSAGES, theta, settings)) {
    if (score < LEAST_SCORE || pending.length >= MOST_PENDING) break;
    if (known(path)) continue;
    const text = factOf(edits, path);
    const role = reader.sidecar(path)?.role;
    if (text !== undefined && (role === 'source' || role === 'test')) pending.push({ path, score, text });
  }
  return pending;
}

function factOf(edits: readonly WeightedAnchor[], path: string): string | undefined {
  let most = { commits: 0, of: '' };
  for (const { path: edited, sidecar } of edits) {
    if (sidecar.neighbours.tests?.items.some((item) => item.path === path)) return `tests ${baseName(edited)}`;
    const item = sidecar.neighbours.changedTogether?.items.find((other) => other.path === path);
    if (item && item.commits > most.commits) most = { commits: item.commits, of: edited };
  }
  return most.commits >= LEAST_COMMITS ? `changed with ${baseName(most.of)} in ${most.commits} commits` : undefined;
}
