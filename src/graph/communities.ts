/** Communities of files: Louvain on the undirected file graph, connected, labelled, deterministic. */
import { UndirectedGraph } from 'graphology';
import louvainModule from 'graphology-communities-louvain';
import { type LabelSubject, labelsOf } from './community-labels.js';
import { seededRandom } from './seeded-random.js';

/** An undirected pair of files with a positive weight; pairs that occur twice add up. */
export interface FilePair {
  readonly a: string;
  readonly b: string;
  readonly weight: number;
}

export interface CommunityOf {
  readonly label: string;
  /** Edge density inside the community, 0 to 1, two decimals. */
  readonly cohesion: number;
}

export interface Communities {
  /** Files without any edge to another file are in none. */
  readonly byFile: ReadonlyMap<string, CommunityOf>;
  /** Of the communities as returned. */
  readonly modularity: number;
  /** Of plain Louvain before components were split, for comparison. */
  readonly plainModularity: number;
  readonly count: number;
}

export interface CommunityInput {
  /** Sorted, unique paths. */
  readonly files: readonly string[];
  /** Any order: they are sorted here. */
  readonly pairs: readonly FilePair[];
  /** Names of symbols that a file defines, for labels. */
  readonly symbols?: (path: string) => readonly string[];
  /** Labels of the last time; a label stays where most members stay. */
  readonly previous?: ReadonlyMap<string, string>;
}

const SEED = 0x5eed;

/** Published as CommonJS whose export is the function; its types, read as ESM, say that it is under `default`. */
const louvain = louvainModule as unknown as typeof louvainModule.default;

/** Sums duplicates, drops loops and unknown files, sorts. */
function merged(files: readonly string[], pairs: readonly FilePair[]): FilePair[] {
  const known = new Set(files);
  const weights = new Map<string, FilePair>();
  for (const { a, b, weight } of pairs) {
    if (a === b || !(weight > 0) || !known.has(a) || !known.has(b)) continue;
    const [first, second] = a < b ? [a, b] : [b, a];
    const key = `${first}\0${second}`;
    weights.set(key, { a: first, b: second, weight: (weights.get(key)?.weight ?? 0) + weight });
  }
  return [...weights.entries()].sort(([x], [y]) => (x < y ? -1 : 1)).map(([, pair]) => pair);
}

/** Members that reach each other inside the community, for every community; each sorted by path. */
function connectedParts(communities: ReadonlyMap<string, number>, pairs: readonly FilePair[]): string[][] {
  const neighbours = new Map<string, string[]>();
  for (const { a, b } of pairs) {
    if (communities.get(a) !== communities.get(b)) continue;
    for (const [from, to] of [
      [a, b],
      [b, a],
    ] as const) {
      const list = neighbours.get(from);
      if (list) list.push(to);
      else neighbours.set(from, [to]);
    }
  }
  const seen = new Set<string>();
  const parts: string[][] = [];
  for (const start of [...communities.keys()].sort()) {
    if (seen.has(start)) continue;
    const part = [start];
    seen.add(start);
    for (let i = 0; i < part.length; i += 1) {
      for (const next of neighbours.get(part[i] ?? '') ?? []) {
        if (!seen.has(next)) {
          seen.add(next);
          part.push(next);
        }
      }
    }
    parts.push(part.sort());
  }
  return parts;
}

/** Newman's modularity of a partition, weighted. */
function modularityOf(part: ReadonlyMap<string, number>, pairs: readonly FilePair[]): number {
  let total = 0;
  const inside = new Map<number, number>();
  const degree = new Map<number, number>();
  for (const { a, b, weight } of pairs) {
    total += weight;
    const [x, y] = [part.get(a) ?? -1, part.get(b) ?? -1];
    degree.set(x, (degree.get(x) ?? 0) + weight);
    degree.set(y, (degree.get(y) ?? 0) + weight);
    if (x === y) inside.set(x, (inside.get(x) ?? 0) + weight);
  }
  if (total === 0) return 0;
  let sum = 0;
  for (const [community, weights] of degree) {
    sum += (inside.get(community) ?? 0) / total - (weights / (2 * total)) ** 2;
  }
  return Math.round(sum * 10_000) / 10_000;
}

/** Finds, splits and labels the communities of the file graph. Same input, same output. */
export function communitiesOf({ files, pairs, symbols = () => [], previous = new Map() }: CommunityInput): Communities {
  const edges = merged(files, pairs);
  const graph = new UndirectedGraph<object, { weight: number }>();
  const linked = new Set(edges.flatMap(({ a, b }) => [a, b]));
  for (const file of files) if (linked.has(file)) graph.addNode(file);
  for (const { a, b, weight } of edges) graph.addEdge(a, b, { weight });
  if (graph.size === 0) return { byFile: new Map(), modularity: 0, plainModularity: 0, count: 0 };

  const found = louvain(graph, { rng: seededRandom(SEED), getEdgeWeight: 'weight' });
  const plain = new Map(Object.entries(found));
  const parts = connectedParts(plain, edges);
  const split = new Map(parts.flatMap((part, id) => part.map((path): [string, number] => [path, id])));

  const edgesInside = new Map<number, number>();
  for (const { a, b } of edges) {
    const id = split.get(a) ?? -1;
    if (id === split.get(b)) edgesInside.set(id, (edgesInside.get(id) ?? 0) + 1);
  }
  const subjects: LabelSubject[] = parts.map((members) => ({ members, symbols: members.map(symbols) }));
  const labels = labelsOf(subjects, previous);
  const byFile = new Map<string, CommunityOf>();
  parts.forEach((members, id) => {
    const possible = (members.length * (members.length - 1)) / 2;
    const cohesion = possible === 0 ? 0 : Math.round(((edgesInside.get(id) ?? 0) / possible) * 100) / 100;
    for (const path of members) byFile.set(path, { label: labels[id] ?? '', cohesion });
  });
  return {
    byFile: new Map([...byFile].sort(([a], [b]) => (a < b ? -1 : 1))),
    modularity: modularityOf(split, edges),
    plainModularity: modularityOf(plain, edges),
    count: parts.length,
  };
}
