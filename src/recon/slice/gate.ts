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

export function decide(knowledge: Knowledge, entities: Entities, task: string): Decision {
  const { module, named } = entities;
  if (module === undefined) {
    const unresolved = entities.unresolved.slice(0, MOST_SHOWN);
    const why =
      unresolved.length > 0 ? `no module is named; not defined here: ${unresolved.join(', ')}` : 'no module is named';
    return { fires: true, signals: [{ kind: 'nothing-named', why }] };
  }
  const signals: Signal[] = [];
  const outside = named.filter(({ node, certainty }) => node.path !== module && certainty >= SURE);
  const inModule = named.some(
    ({ node, certainty }) => node.path === module && node.symbol !== undefined && certainty >= SURE,
  );
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
  const own = knowledge.componentOf(module);
  for (const component of knowledge.manifest.components) {
    const distinct =
      component.name.length >= 5 &&
      component.kind !== 'example' &&
      component.folder !== '.' &&
      component.folder !== own?.folder;
    if (!distinct) continue;
    const escaped = component.name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    if (!new RegExp(`(^|[\\s\`'"(])${escaped}($|[\\s\`'",.)])`).test(task)) continue;
    signals.push({ kind: 'other-component', why: `the task names ${component.name} [${component.evidence}]` });
    if (signals.length > 10) break;
  }
  return { fires: signals.length > 0, module, signals };
}
