/**
 * The gate in front of any context: does the task need more than the module that it names? Deterministic;
 * each signal says what it saw (after "Deterministic repository reconnaissance", level 0).
 */
import type { Knowledge } from '../knowledge.js';
import type { Entities } from './entities.js';

export type SignalKind =
  | 'nothing-named'
  | 'unresolved-symbol'
  | 'cross-file'
  | 'failing-test'
  | 'dependency-edge'
  | 'configuration'
  | 'other-component';

export interface Signal {
  readonly kind: SignalKind;
  /** What was seen, with its place: `Foo is defined in src/b.py:12`. */
  readonly why: string;
}

export interface Decision {
  readonly fires: boolean;
  readonly module?: string;
  readonly signals: readonly Signal[];
}

const MOST_SHOWN = 3;

/** A name this sure outside the module means that the task reaches beyond it. */
const SURE = 0.7;
/** A package is named by every import of something in it: a file alone counts where its path is written. */
const CERTAIN = 0.9;
/** What is outside counts where the task is about it by at least this share of what it is about the module. */
const RIVAL = 0.35;

export function decide(knowledge: Knowledge, entities: Entities, task: string): Decision {
  const { module, named, weights } = entities;
  if (module === undefined) {
    const unresolved = entities.unresolved.slice(0, MOST_SHOWN);
    const why =
      unresolved.length > 0 ? `no module is named; not defined here: ${unresolved.join(', ')}` : 'no module is named';
    return { fires: true, signals: [{ kind: 'nothing-named', why }] };
  }
  const signals: Signal[] = [];
  const own = weights.get(module) ?? 0;
  const outside = named.filter(
    ({ node, certainty }) =>
      node.path !== module &&
      certainty >= (node.symbol === undefined ? CERTAIN : SURE) &&
      (weights.get(node.path) ?? 0) >= RIVAL * own,
  );
  const inModule = named.some(({ node, certainty }) => node.path === module && certainty >= SURE);
  if (!inModule && entities.unresolved.length > 0) {
    signals.push({
      kind: 'unresolved-symbol',
      why: `not defined here: ${entities.unresolved.slice(0, MOST_SHOWN).join(', ')}`,
    });
  }
  for (const { node } of outside.slice(0, MOST_SHOWN)) {
    const linked = knowledge
      .withMembers({ path: module })
      .some((member) =>
        [...knowledge.from(member), ...knowledge.to(member)].some(
          ({ from, to }) => from.path === node.path || to.path === node.path,
        ),
      );
    const where = `${node.path}:${knowledge.lineOf(node)}`;
    signals.push({
      kind: linked ? 'dependency-edge' : 'cross-file',
      why: `${node.symbol ?? node.path} is at ${where}${linked ? `, which ${module} is linked with` : ''}`,
    });
  }
  for (const path of entities.tests.slice(0, MOST_SHOWN))
    signals.push({ kind: 'failing-test', why: `the task names ${path}` });
  for (const path of entities.configuration.slice(0, MOST_SHOWN))
    signals.push({ kind: 'configuration', why: `the task names ${path}` });
  const component = knowledge.componentOf(module);
  for (const other of knowledge.manifest.components) {
    const distinct =
      other.name.length >= 5 && other.kind !== 'example' && other.folder !== '.' && other.folder !== component?.folder;
    if (!distinct) continue;
    const escaped = other.name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    if (!new RegExp(`(^|[\\s\`'"(])${escaped}($|[\\s\`'",.)])`).test(task)) continue;
    signals.push({ kind: 'other-component', why: `the task names ${other.name} [${other.evidence}]` });
    if (signals.length > 10) break;
  }
  return { fires: signals.length > 0, module, signals };
}
