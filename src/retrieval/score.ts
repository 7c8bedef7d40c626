/**
 * How related a file is to all anchors at once.
 *
 *   S3(c) = ( sqrt(sum a co(a,c)) + 0.8 sqrt(sum a cos(a,c)) ) x (1 + recency(c))
 *   S4(c) = S3 with + 0.3 ln(1 + msg(c)) inside the bracket
 *
 * a: weight of the anchor; co: changed together; cos: shared rare identifiers; recency: 1/(1 + i/100) where the
 * file was last touched i commits ago; msg: sum of 1/log2(1+n) over commits of n <= 20 files whose message has
 * a searched term. What was tried beside it is in docs/retrieval.md.
 */
import type { Anchor } from './anchors.js';
import type { CommitEvidence, SidecarReader } from './request.js';

/** What an anchor's weight and evidence come from. */
export type WeightedAnchor = Pick<Anchor, 'path' | 'weight' | 'sidecar'>;

export interface Candidate {
  readonly path: string;
  readonly score: number;
  /** Weighted sums over the anchors. */
  readonly together: number;
  readonly shared: number;
  readonly messages: number;
}

export interface ScoreSettings {
  readonly together: number;
  readonly shared: number;
  readonly messages: number;
  readonly recency: number;
}

export const SCORE_SETTINGS: ScoreSettings = { together: 1, shared: 0.8, messages: 0.3, recency: 1 };

const RECENCY_SCALE = 100;
const MESSAGE_FILES = 20;

interface Sums {
  together: number;
  shared: number;
  messages: number;
}

/** Weight of each file in the commits whose message has one of the terms. */
export function messageEvidence(commits: readonly CommitEvidence[], terms: readonly string[]): Map<string, number> {
  const weights = new Map<string, number>();
  for (const { message, files } of commits) {
    if (files.length > MESSAGE_FILES || !terms.some((term) => message.includes(term))) continue;
    const weight = 1 / Math.log2(1 + files.length);
    for (const path of files) weights.set(path, (weights.get(path) ?? 0) + weight);
  }
  return weights;
}

/** All files that any anchor is related to, best first, ties by path. */
export function scoreCandidates(
  anchors: readonly WeightedAnchor[],
  reader: SidecarReader,
  messages: ReadonlyMap<string, number>,
  settings: ScoreSettings = SCORE_SETTINGS,
): Candidate[] {
  const sums = new Map<string, Sums>();
  const of = (path: string): Sums => {
    let sum = sums.get(path);
    if (!sum) {
      sum = { together: 0, shared: 0, messages: 0 };
      sums.set(path, sum);
    }
    return sum;
  };
  for (const { weight, sidecar } of anchors) {
    for (const item of sidecar.neighbours.changedTogether?.items ?? []) of(item.path).together += weight * item.score;
    for (const item of sidecar.neighbours.sharedIdentifiers?.items ?? []) of(item.path).shared += weight * item.score;
  }
  for (const [path, weight] of messages) of(path).messages += weight;
  return [...sums]
    .map(([path, sum]) => {
      const evidence =
        settings.together * Math.sqrt(sum.together) +
        settings.shared * Math.sqrt(sum.shared) +
        settings.messages * Math.log(1 + sum.messages);
      const ago = reader.recency(path);
      const recency = ago === undefined ? 0 : 1 / (1 + ago / RECENCY_SCALE);
      return { path, score: evidence * (1 + settings.recency * recency), ...sum };
    })
    .sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1));
}
