/**
 * The slice that a task earns, rung by rung (R0 to R4 of "Deterministic repository reconnaissance"): each rung
 * is climbed on the evidence of the one before. One hop only: flattening two was measured to hurt (RepoGraph).
 */
import { type Knowledge, keyOf, type Node, type Relation } from '../knowledge.js';
import type { Corpus } from '../map/corpus.js';
import type { Entities } from './entities.js';
import type { Decision } from './gate.js';

export const MOST_NODES = 12;
export const MOST_EDGES = 40;
/** The best ranked symbols stand beside the named entities. */
const RANKED_ENTITIES = 10;
const MEMBERS_SHOWN = 12;
/** Edges below this are not worth a place among forty. */
const THETA = 0.5;

export interface SliceNode {
  readonly node: Node;
  readonly why: string;
}

export interface Rung {
  readonly level: 'R0' | 'R1' | 'R2' | 'R3' | 'R4';
  /** Why this rung was climbed. */
  readonly why: string;
  readonly nodes: readonly SliceNode[];
  /** Lines that are no node: commands, components, entry points. */
  readonly facts: readonly string[];
}

export interface Slice {
  readonly decision: Decision;
  readonly rungs: readonly Rung[];
  /** Why the ladder ends where it does. */
  readonly stop: string;
}

const lastSegment = (name: string): string => name.slice(name.lastIndexOf('.') + 1);

type Score = (node: Node) => number;

/** The symbol that ranks first, undefined where no word of the task occurs. */
export function bestOf({ symbols, paths }: Corpus, scores: Float64Array): Node | undefined {
  let best = -1;
  for (let i = 0; i < scores.length; i += 1) {
    if ((scores[i] ?? 0) > (best < 0 ? 0 : (scores[best] ?? 0))) best = i;
  }
  const symbol = symbols[best];
  return symbol && { path: paths[symbol.file] ?? '', symbol: symbol.name };
}

/** Score of a symbol for the task; of a file that of its best symbol. */
function scoring(corpus: Corpus, scores: Float64Array): Score {
  const best = new Map<string, number>();
  corpus.symbols.forEach(({ file, name }, i) => {
    const path = corpus.paths[file] ?? '';
    const score = scores[i] ?? 0;
    best.set(keyOf({ path, symbol: name }), score);
    best.set(path, Math.max(best.get(path) ?? 0, score));
  });
  return (node) => best.get(keyOf(node)) ?? 0;
}

/**
 * What the task names, and the best of what its words rank, in the order of their score: a name alone says less
 * than a name whose surroundings fit (docs/recon.md).
 */
function named(
  entities: Entities,
  corpus: Corpus,
  scores: Float64Array,
  score: Score,
): { nodes: SliceNode[]; ranked: boolean } {
  const nodes: SliceNode[] = entities.named.map(({ node, certainty }) => ({
    node,
    why: `named, ${certainty.toFixed(2)}`,
  }));
  const known = new Set(nodes.map(({ node }) => keyOf(node)));
  const order = [...scores.keys()].sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
  for (const [rank, i] of order.slice(0, RANKED_ENTITIES).entries()) {
    const symbol = corpus.symbols[i];
    if (!symbol || (scores[i] ?? 0) <= 0) break;
    const node: Node = { path: corpus.paths[symbol.file] ?? '', symbol: symbol.name };
    if (!known.has(keyOf(node))) nodes.push({ node, why: `rank ${rank + 1} by the words of the task` });
  }
  nodes.sort((a, b) => score(b.node) - score(a.node) || (keyOf(a.node) < keyOf(b.node) ? -1 : 1));
  return { nodes, ranked: entities.named.length === 0 };
}

/** The class around a method with its other members, or the members of a class or file. */
function scopeOf(knowledge: Knowledge, { path, symbol }: Node, score: Score): SliceNode[] {
  const holder =
    symbol === undefined ? undefined : symbol.includes('.') ? symbol.slice(0, symbol.lastIndexOf('.')) : symbol;
  const scope: Node = holder === undefined ? { path } : { path, symbol: holder };
  const depth = holder === undefined ? 1 : holder.split('.').length + 1;
  const members = knowledge
    .withMembers(scope)
    .filter((node) => {
      const kind = knowledge.symbolOf(node)?.kind;
      const callable =
        kind === 'method' ||
        kind === 'function' ||
        kind === 'class' ||
        kind === 'property' ||
        kind === 'interface' ||
        kind === 'struct';
      return node.symbol !== undefined && callable && node.symbol.split('.').length <= depth;
    })
    .sort((a, b) => score(b) - score(a) || knowledge.lineOf(a) - knowledge.lineOf(b))
    .slice(0, MEMBERS_SHOWN);
  return members.map((node) => ({
    node,
    why: node.symbol === holder ? 'encloses it' : `member of ${holder === undefined ? path : lastSegment(holder)}`,
  }));
}

/** Fields and what is defined inside a function are part of a body, and no place to go to. */
function isStop(knowledge: Knowledge, node: Node): boolean {
  const symbol = knowledge.symbolOf(node);
  if (!symbol) return node.symbol === undefined;
  return (
    symbol.kind !== 'field' &&
    symbol.kind !== 'variable' &&
    symbol.kind !== 'constant' &&
    symbol.name.split('.').length <= 2
  );
}

function neighbours(knowledge: Knowledge, seeds: readonly Node[], score: Score): { nodes: SliceNode[]; edges: number } {
  const seen = new Set(seeds.map(keyOf));
  const best = new Map<string, { node: Node; relation: Relation; outgoing: boolean; count: number }>();
  let edges = 0;
  for (const seed of seeds) {
    const around: [Relation, boolean][] = [
      ...knowledge.from(seed).map((relation): [Relation, boolean] => [relation, true]),
      ...knowledge.to(seed).map((relation): [Relation, boolean] => [relation, false]),
    ];
    for (const [relation, outgoing] of around) {
      const node = outgoing ? relation.to : relation.from;
      const key = keyOf(node);
      if (seen.has(key) || relation.confidence < THETA || !isStop(knowledge, node)) continue;
      edges += 1;
      const known = best.get(key);
      if (known) known.count += 1;
      if (!known) best.set(key, { node, relation, outgoing, count: 1 });
      else if (known.relation.confidence < relation.confidence) best.set(key, { ...known, relation, outgoing });
    }
  }
  const chosen = [...best.values()]
    .sort(
      (a, b) =>
        score(b.node) - score(a.node) ||
        b.count - a.count ||
        b.relation.confidence - a.relation.confidence ||
        (keyOf(a.node) < keyOf(b.node) ? -1 : 1),
    )
    .slice(0, MOST_NODES);
  const nodes = chosen.map(({ node, relation, outgoing }): SliceNode => {
    const other = outgoing ? relation.from : relation.to;
    const name = other.symbol === undefined ? other.path : lastSegment(other.symbol);
    const verb = outgoing ? `${relation.type} from ${name}` : `${relation.type} ${name}`;
    return { node, why: `${verb}, ${relation.confidence.toFixed(2)}` };
  });
  return { nodes, edges: Math.min(edges, MOST_EDGES) };
}

/** Climbs as far as the evidence goes. `scores`: of the corpus' symbols for the task. */
export function climb(
  knowledge: Knowledge,
  corpus: Corpus,
  scores: Float64Array,
  entities: Entities,
  decision: Decision,
): Slice {
  if (!decision.fires) return { decision, rungs: [], stop: `nothing points beyond ${decision.module ?? 'the module'}` };
  const rungs: Rung[] = [];
  const score = scoring(corpus, scores);
  const start = named(entities, corpus, scores, score);
  if (start.nodes.length === 0) return { decision, rungs, stop: 'no word of the task occurs in the repository' };
  rungs.push({
    level: 'R0',
    why: start.ranked ? 'the task names nothing of the repository: best matches of its words' : 'named by the task',
    nodes: start.nodes,
    facts: [],
  });
  const shown = new Set(start.nodes.map(({ node }) => keyOf(node)));
  const fresh = (nodes: readonly SliceNode[]): SliceNode[] =>
    nodes.filter(({ node }) => {
      const key = keyOf(node);
      if (shown.has(key)) return false;
      shown.add(key);
      return true;
    });
  const seeds = start.nodes.map(({ node }) => node);
  const scope = fresh(seeds.slice(0, 6).flatMap((node) => scopeOf(knowledge, node, score)));
  if (scope.length > 0) rungs.push({ level: 'R1', why: 'scope of the entities', nodes: scope, facts: [] });
  const hop = neighbours(knowledge, seeds, score);
  const around = fresh(hop.nodes);
  if (around.length === 0) return { decision, rungs, stop: 'no edge leaves the entities' };
  rungs.push({ level: 'R2', why: `${hop.edges} edges of the entities, one hop`, nodes: around, facts: [] });
  const folders = new Map<string, ReturnType<Knowledge['componentOf']>>();
  for (const { node } of [...start.nodes, ...around]) {
    const component = knowledge.componentOf(node.path);
    if (component) folders.set(component.folder, component);
  }
  const tests = around.some(({ node }) => knowledge.roleOf(node.path) === 'test') || entities.tests.length > 0;
  if (folders.size === 0 && !tests) return { decision, rungs, stop: 'no component is known around the entities' };
  const runners = (knowledge.manifest.commands.test ?? [])
    .filter(({ folder }) => folder === undefined || folders.has(folder))
    .slice(0, 2);
  rungs.push({
    level: 'R3',
    why: tests ? 'tests are among the neighbours' : 'the component that holds the entities',
    nodes: [],
    facts: [
      ...[...folders.values()].flatMap((component) =>
        component ? [`component ${component.name} in ${component.folder} [${component.evidence}]`] : [],
      ),
      ...runners.map(
        ({ command, folder, evidence }) => `test: ${command}${folder ? ` (in ${folder})` : ''} [${evidence[0]}]`,
      ),
    ],
  });
  const crosses = folders.size > 1 || decision.signals.some(({ kind }) => kind === 'other-component');
  if (!crosses) return { decision, rungs, stop: 'no evidence beyond this component' };
  rungs.push({
    level: 'R4',
    why: 'the neighbourhood crosses components',
    nodes: [],
    facts: [
      ...knowledge.manifest.components
        .slice(0, 8)
        .map(
          ({ name, folder, dependsOn }) => `${name} in ${folder}${dependsOn ? ` needs ${dependsOn.join(', ')}` : ''}`,
        ),
      ...knowledge.manifest.entryPoints
        .slice(0, 5)
        .map(({ name, target, evidence }) => `entry ${name}: ${target} [${evidence}]`),
    ],
  });
  return { decision, rungs, stop: 'two hops are not offered' };
}
