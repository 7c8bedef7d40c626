/** What a task names, resolved against the repository: the entities that gate and ladder start from. */
import type { Knowledge, Node } from '../knowledge.js';
import { keyOf } from '../knowledge.js';
import type { Corpus } from '../map/corpus.js';
import { mentionsOf } from '../map/mentions.js';
import { readQuery } from '../map/query.js';

export interface Entity {
  readonly node: Node;
  /** 0 to 1: how surely the task names it. */
  readonly certainty: number;
}

export interface Entities {
  /** Named outright, surest first. */
  readonly named: readonly Entity[];
  /** The file that the task is about, where it names one. */
  readonly module?: string;
  /** Per file that holds something named, how much of the task is about it. */
  readonly weights: ReadonlyMap<string, number>;
  /** Files of the traceback and paths of tests that the task names. */
  readonly tests: readonly string[];
  /** Configuration files that the task names. */
  readonly configuration: readonly string[];
  /** Words written like code that nothing in the repository defines. */
  readonly unresolved: readonly string[];
}

/** Below this a name is too common to say what the task is about. */
const NAMED = 0.45;
const MOST_ENTITIES = 8;
/** Errors that are raised and special names come from the language more often than from a repository. */
const BUILT_IN = /(Error|Exception|Warning)$|^__\w+__$/;

export function entitiesOf(knowledge: Knowledge, corpus: Corpus, task: string): Entities {
  const query = readQuery(task);
  const mentions = mentionsOf(corpus, query);
  const named: Entity[] = [];
  corpus.symbols.forEach(({ file, name }, i) => {
    const certainty = mentions.symbols[i] ?? 0;
    if (certainty >= NAMED) named.push({ node: { path: corpus.paths[file] ?? '', symbol: name }, certainty });
  });
  corpus.paths.forEach((path, i) => {
    const certainty = mentions.files[i] ?? 0;
    if (certainty >= NAMED) named.push({ node: { path }, certainty });
  });
  named.sort((a, b) => b.certainty - a.certainty || (keyOf(a.node) < keyOf(b.node) ? -1 : 1));
  const weight = new Map<string, number>();
  for (const { node, certainty } of named) {
    weight.set(node.path, (weight.get(node.path) ?? 0) + certainty * (node.symbol === undefined ? 2 : 1));
  }
  const module = [...weight].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))[0]?.[0];
  const listed = [...query.paths, ...query.frames.map(({ path }) => path)].flatMap((path) =>
    knowledge.filesNamed(path),
  );
  const unresolved = [...query.identifiers]
    .filter(
      ([word, prominence]) =>
        prominence >= 1 &&
        /_|[a-z][A-Z]/.test(word) &&
        !BUILT_IN.test(word) &&
        knowledge.definitions(word).length === 0,
    )
    .map(([word]) => word);
  return {
    named: named.slice(0, MOST_ENTITIES),
    ...(module === undefined ? {} : { module }),
    weights: weight,
    tests: [...new Set(listed.filter((path) => knowledge.roleOf(path) === 'test'))],
    configuration: [...new Set(listed.filter((path) => knowledge.roleOf(path) === 'configuration'))],
    unresolved,
  };
}
