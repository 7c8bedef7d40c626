/** The rankings that the block is compared with: each names new files for one search, best first. */

import { seededRandom } from '../../src/graph/seeded-random.js';
import { type Anchor, anchorsOf } from '../../src/retrieval/anchors.js';
import type { SidecarReader } from '../../src/retrieval/request.js';
import { messageEvidence, scoreCandidates } from '../../src/retrieval/score.js';
import { type RetrievalSettings, SETTINGS } from '../../src/retrieval/settings.js';
import { pathHash } from '../../src/sidecars/recency.js';
import type { Structural } from '../../src/sidecars/sidecar.generated.js';
import type { Prepared, Search } from './prepare.js';

export interface RankingInput {
  readonly prepared: Prepared;
  readonly search: Search;
  readonly reader: SidecarReader;
  /** What grep shows of the search and what was shown before. */
  readonly seen: ReadonlySet<string>;
}

export type Ranking = (input: RankingInput) => string[];

const LISTED = new Set(['source', 'documentation', 'configuration']);
export const THETA = 0.5;

export const isListed = ({ prepared }: Pick<RankingInput, 'prepared'>, path: string): boolean =>
  LISTED.has(prepared.roles[path] ?? '');

const anchors = ({ search, reader }: RankingInput, settings: RetrievalSettings): Anchor[] =>
  anchorsOf(search.matches, [search.term], reader, settings);

/** The score of src/retrieval with other weights. */
export function scored(changes: Partial<RetrievalSettings>): Ranking {
  const settings = { ...SETTINGS, ...changes };
  return (input) => {
    const messages =
      settings.messages > 0 ? messageEvidence(input.reader.commits?.() ?? [], [input.search.term]) : new Map();
    return scoreCandidates(anchors(input, settings), input.reader, messages, THETA, settings)
      .map(({ path }) => path)
      .filter((path) => !input.seen.has(path) && isListed(input, path));
  };
}

/** S3 as studied before there was an index. */
export const S3: Partial<RetrievalSettings> = { structure: 0, messages: 0, recency: 1, definers: 0.2, second: 0 };
/** History or words or typed edges alone. */
export const HISTORY: Partial<RetrievalSettings> = { ...S3, shared: 0 };
export const WORDS: Partial<RetrievalSettings> = { ...S3, together: 0 };
export const STRUCTURE: Partial<RetrievalSettings> = { ...S3, together: 0, shared: 0, structure: 1 };

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);

function shuffled(paths: readonly string[], seed: string): string[] {
  const random = seededRandom(pathHash(seed));
  return paths
    .map((path) => ({ path, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ path }) => path);
}

/** Random files of the folders of the anchors. */
export const siblings: Ranking = (input) => {
  const folders = new Set(anchors(input, SETTINGS).map(({ path }) => folderOf(path)));
  const pool = Object.keys(input.prepared.roles).filter(
    (path) => folders.has(folderOf(path)) && !input.seen.has(path) && isListed(input, path),
  );
  return shuffled(pool, `${input.prepared.id} ${input.search.term}`);
};

/** Random files of the pool that the score chooses from. */
export const random: Ranking = (input) => shuffled(scored({})(input), `${input.search.term} ${input.prepared.id}`);

const COMMUNITY_PRIOR = 1.25;

/** LARGER (arXiv 2605.16352): best edge confidence times community prior, over all edges of the anchors. */
export const paper: Ranking = (input) => {
  const best = new Map<string, number>();
  for (const { path: own, sidecar, symbols } of anchors(input, SETTINGS)) {
    const lists = [sidecar.neighbours, ...symbols.map(({ symbol }) => symbol.neighbours ?? {})];
    for (const neighbours of lists) {
      for (const [kind, list] of Object.entries(neighbours)) {
        if (kind === 'changedTogether' || kind === 'sharedIdentifiers') continue;
        for (const { path, confidence } of (list as Structural).items) {
          if (path === own || confidence < THETA) continue;
          const label = input.reader.sidecar(path)?.community?.label;
          const same = label !== undefined && label === sidecar.community?.label;
          best.set(path, Math.max(best.get(path) ?? 0, confidence * (same ? COMMUNITY_PRIOR : 1)));
        }
      }
    }
  }
  return [...best]
    .filter(([path]) => !input.seen.has(path) && isListed(input, path))
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .map(([path]) => path);
};
