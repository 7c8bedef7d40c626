/**
 * The gate in front of any context: does the task need more than the module that it names? Deterministic;
 * each signal says what it saw (after "Deterministic repository reconnaissance", level 0).
 */
import type { Knowledge, Node } from '../knowledge.js';
import type { Entities } from './entities.js';

export type SignalKind =
  | 'nothing-named'
  | 'elsewhere'
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

/** What stands in the module and is named this surely explains what is not defined anywhere. */
const SURE = 0.7;
/** A symbol this surely named outside the module means that the task reaches beyond it. */
const CERTAIN = 0.9;
/** Below this share of all that the task names, the module is one of many. */
const LEAST_SHARE = 0.3;

/** Why the named module is not what the task is about, as far as words tell. */
function elsewhere(knowledge: Knowledge, { weights }: Entities, module: string, best: Node | undefined): Signal[] {
  const signals: Signal[] = [];
  if (best && best.path !== module) {
    const what = `${best.symbol ?? 'the file'} at ${best.path}:${knowledge.lineOf(best)}`;
    signals.push({ kind: 'elsewhere', why: `the words of the task fit ${what} best` });
  }
  const all = [...weights.values()].reduce((a, b) => a + b, 0);
  const share = (weights.get(module) ?? 0) / all;
  if (share < LEAST_SHARE) {
    const files = `${weights.size} files`;
    signals.push({
      kind: 'elsewhere',
      why: `the task names parts of ${files}, ${module} is ${Math.round(share * 100)} % of it`,
    });
  }
  return signals;
}

/** @param best the symbol that the words of the task rank first */
export function decide(knowledge: Knowledge, entities: Entities, task: string, best: Node | undefined): Decision {
  const { module, named } = entities;
  if (module === undefined) {
    const unresolved = entities.unresolved.slice(0, MOST_SHOWN);
    const why =
      unresolved.length > 0 ? `no module is named; not defined here: ${unresolved.join(', ')}` : 'no module is named';
    return { fires: true, signals: [{ kind: 'nothing-named', why }] };
  }
  const signals = elsewhere(knowledge, entities, module, best);
  // A file is named by every import of something in it: symbols say more.
  const outside = named.filter(
    ({ node, certainty }) => node.path !== module && node.symbol !== undefined && certainty >= CERTAIN,
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
