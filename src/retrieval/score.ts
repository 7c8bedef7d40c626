/**
 * How related a file is to all anchors at once.
 *
 *   score(c) = ( sqrt(sum a co(a,c)) + s sqrt(sum a cos(a,c)) + t sqrt(sum a edge(a,c)) + m ln(1 + msg(c)) )
 *              x (1 + r recency(c))
 *
 * a: weight of the anchor; co: changed together; cos: shared rare identifiers; edge: confidence of typed edges
 * of the symbols that the match lines are in, and a tenth of those of the file; msg: sum of 1/log2(1+n) over
 * commits of n <= 20 files whose message has a searched term; recency: 1/(1 + i/100) where the file was last
 * touched i commits ago. The best candidates of this then are anchors too: what is related to several related
 * files goes before what is related to one match. What was tried beside it is in docs/retrieval.md.
 */
import type { Neighbours } from '../sidecars/sidecar.generated.js';
import type { Anchor, AnchorSymbol } from './anchors.js';
import type { StructuralKind } from './relations.js';
import type { CommitEvidence, SidecarReader } from './request.js';
import type { RetrievalSettings } from './settings.js';

/** What the score needs of an anchor. */
export type WeightedAnchor = Pick<Anchor, 'path' | 'weight' | 'sidecar' | 'symbols'>;

export interface Candidate {
  readonly path: string;
  readonly score: number;
}

const RECENCY_SCALE = 100;
const MESSAGE_FILES = 20;

/** What a typed edge says about where else a change goes. */
const KINDS: readonly (readonly [StructuralKind, number])[] = [
  ['callers', 1],
  ['subtypes', 1],
  ['bases', 0.8],
  ['referencedBy', 0.6],
  ['importedBy', 0.6],
  ['imports', 0.6],
  ['callees', 0.5],
  ['references', 0.4],
  ['documentedBy', 0.3],
  ['configuredBy', 0.3],
];

interface Sums {
  together: number;
  shared: number;
  structure: number;
  messages: number;
  /** What recency multiplies by, looked up once. */
  factor?: number;
}

/** Weight of each file in the commits whose message has one of the terms. */
export function messageEvidence(commits: readonly CommitEvidence[], terms: readonly string[]): Map<string, number> {
  const weights = new Map<string, number>();
  if (terms.length === 0) return weights;
  for (const { message, files } of commits) {
    if (files.length > MESSAGE_FILES || !terms.some((term) => message.includes(term))) continue;
    const weight = 1 / Math.log2(1 + files.length);
    for (const path of files) weights.set(path, (weights.get(path) ?? 0) + weight);
  }
  return weights;
}

/** By path, the sum over kinds of the best edge of the kind: many calls of one file are one relation. */
function addEdges(
  edges: Map<string, number>,
  lists: Neighbours | undefined,
  share: number,
  theta: number,
  byConfidence: boolean,
): void {
  if (!lists) return;
  for (const [kind, worth] of KINDS) {
    const list = lists[kind];
    if (!list) continue;
    const best = new Map<string, number>();
    for (const { path, confidence } of list.items) {
      if (confidence >= theta) best.set(path, Math.max(best.get(path) ?? 0, byConfidence ? confidence : 1));
    }
    for (const [path, confidence] of best) edges.set(path, (edges.get(path) ?? 0) + share * worth * confidence);
  }
}

/** Edges of the symbols that the match lines are in, and, for less, of the file as a whole. */
function edgesOf(
  { symbols, sidecar }: WeightedAnchor,
  theta: number,
  settings: RetrievalSettings,
): Map<string, number> {
  const edges = new Map<string, number>();
  const hitsOf = ({ hits, defines }: AnchorSymbol): number => hits * (defines ? 2 : 1);
  const total = symbols.reduce((sum, symbol) => sum + hitsOf(symbol), 0);
  for (const one of symbols) {
    addEdges(edges, one.symbol.neighbours, hitsOf(one) / total, theta, settings.confidence);
  }
  addEdges(edges, sidecar.neighbours, settings.fileEdges, theta, settings.confidence);
  return edges;
}

/** Candidates of the first pass that are anchors of the second. */
const SECOND_ANCHORS = 8;

/** Evidence by path, added up over anchors. */
class Evidence {
  private readonly sums = new Map<string, Sums>();

  constructor(
    private readonly reader: SidecarReader,
    private readonly theta: number,
    private readonly settings: RetrievalSettings,
  ) {}

  private of(path: string): Sums {
    let sum = this.sums.get(path);
    if (!sum) {
      sum = { together: 0, shared: 0, structure: 0, messages: 0 };
      this.sums.set(path, sum);
    }
    return sum;
  }

  /** History and shared words. */
  addNeighbours({ weight, sidecar: { neighbours } }: Pick<WeightedAnchor, 'weight' | 'sidecar'>): void {
    for (const { path, score } of neighbours.changedTogether?.items ?? []) this.of(path).together += weight * score;
    for (const { path, score } of neighbours.sharedIdentifiers?.items ?? []) this.of(path).shared += weight * score;
  }

  addEdges(anchor: WeightedAnchor): void {
    for (const [path, edge] of edgesOf(anchor, this.theta, this.settings)) {
      if (path !== anchor.path) this.of(path).structure += anchor.weight * edge;
    }
  }

  addMessages(messages: ReadonlyMap<string, number>): void {
    for (const [path, weight] of messages) this.of(path).messages += weight;
  }

  private factorOf(path: string): number {
    const ago = this.reader.recency(path);
    return ago === undefined ? 1 : 1 + this.settings.recency / (1 + ago / RECENCY_SCALE);
  }

  /** Best first, ties by path. */
  ranked(): Candidate[] {
    const { together, shared, structure, messages } = this.settings;
    return [...this.sums]
      .map(([path, sum]) => {
        const evidence =
          together * Math.sqrt(sum.together) +
          shared * Math.sqrt(sum.shared) +
          structure * Math.sqrt(sum.structure) +
          messages * Math.log(1 + sum.messages);
        sum.factor ??= this.factorOf(path);
        return { path, score: evidence * sum.factor };
      })
      .sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1));
  }
}

/** All files that any anchor, or any of the files most related to them, is related to, best first, ties by path. */
export function scoreCandidates(
  anchors: readonly WeightedAnchor[],
  reader: SidecarReader,
  messages: ReadonlyMap<string, number>,
  theta: number,
  settings: RetrievalSettings,
): Candidate[] {
  const evidence = new Evidence(reader, theta, settings);
  for (const anchor of anchors) {
    evidence.addNeighbours(anchor);
    evidence.addEdges(anchor);
  }
  evidence.addMessages(messages);
  const first = evidence.ranked();
  if (settings.second === 0) return first;
  // Without their typed edges, which measured the same and take as long as all the rest.
  const best = first.slice(0, SECOND_ANCHORS);
  const total = best.reduce((sum, { score }) => sum + score, 0);
  for (const { path, score } of best) {
    const sidecar = reader.sidecar(path);
    if (sidecar && total > 0) evidence.addNeighbours({ weight: (settings.second * score) / total, sidecar });
  }
  return evidence.ranked();
}
