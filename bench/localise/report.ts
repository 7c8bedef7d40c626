/** Tables of a run: macro-averaged by repository, with intervals, and paired differences to the block. */
import { COMPLETION_NAMES, type Evaluation } from './evaluate.js';
import { halfOf, type Instance } from './instances.js';
import { interval, macroMean, type Scored } from './statistics.js';

export interface Evaluated {
  readonly instance: Instance;
  readonly evaluation: Evaluation;
}

const percent = (value: number): string => (100 * value).toFixed(1);

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line), ''].join('\n');
}

const language = (lang: string): string => (/script/.test(lang) ? 'typescript and javascript' : lang);

type Pick = (one: Evaluated) => number | undefined;

function collect(rows: readonly Evaluated[], pick: Pick): Scored[] {
  return rows.flatMap((one) => {
    const value = pick(one);
    return value === undefined ? [] : [{ repo: one.instance.repo, value }];
  });
}

const recallAfter =
  (arm: string, search: number): Pick =>
  ({ evaluation }) =>
    evaluation.arms[arm]?.recall[search];

const average = (values: readonly number[] | undefined): number | undefined =>
  values === undefined || values.length === 0 ? undefined : values.reduce((a, b) => a + b, 0) / values.length;

function contextTable(rows: readonly Evaluated[]): string {
  const arms = Object.keys(rows[0]?.evaluation.arms ?? {});
  return table(
    ['arm', '1 search', '2', '3', 'Acc@5', 'Recall@5', 'names', 'tokens', 'ms'],
    arms.map((arm) => {
      const at = (pick: (scores: Evaluation['arms'][string]) => number | undefined): Scored[] =>
        collect(rows, ({ evaluation }) => {
          const scores = evaluation.arms[arm];
          return scores && pick(scores);
        });
      return [
        arm,
        ...[0, 1, 2].map((n) => percent(macroMean(collect(rows, recallAfter(arm, n))))),
        percent(macroMean(at((scores) => scores.accuracyAt5))),
        percent(macroMean(at((scores) => scores.recallAt5))),
        macroMean(at((scores) => average(scores.names))).toFixed(1),
        macroMean(at((scores) => average(scores.tokens))).toFixed(0),
        arm.startsWith('full') ? macroMean(at((scores) => scores.milliseconds)).toFixed(1) : '',
      ];
    }),
  );
}

function differences(rows: readonly Evaluated[]): string {
  const others = Object.keys(rows[0]?.evaluation.arms ?? {}).filter((arm) => arm !== 'full');
  return table(
    ['full minus', '1 search', '2', '3'],
    others.map((arm) => [
      arm,
      ...[0, 1, 2].map((n) => {
        const paired = collect(rows, (one) => {
          const full = recallAfter('full', n)(one);
          const other = recallAfter(arm, n)(one);
          return full === undefined || other === undefined ? undefined : full - other;
        });
        const { mean, low, high } = interval(paired);
        return `${percent(mean)} [${percent(low)}, ${percent(high)}]`;
      }),
    ]),
  );
}

const COMPLETION_ARMS = ['siblings', 'paper', 'S3', 'score', 'full'] as const;
/** Names that are all files of the fix, as far as there are any: what no ranking can exceed. */
const COMPLETION_LIMITS = ['best order of the candidates', 'best order of all files'] as const;

function completionTable(
  title: string,
  rows: readonly Evaluated[],
  arms: readonly string[] = COMPLETION_ARMS,
  prefix = '',
): string {
  const scores = (key: string): Scored[] =>
    rows.flatMap(({ instance, evaluation }) =>
      evaluation.completions.flatMap((one) => {
        const value = one[`${prefix}${key}`];
        return value === undefined ? [] : [{ repo: instance.repo, value }];
      }),
    );
  const body = arms.map((arm) => [
    arm,
    ...COMPLETION_NAMES.map((k) => {
      const { mean, low, high } = interval(scores(`${arm} ${k}`));
      return `${percent(mean)} [${percent(low)}, ${percent(high)}]`;
    }),
  ]);
  const grep = scores('grep');
  const head = `${title}: ${grep.length} completion searches; grep alone ${percent(macroMean(grep))}`;
  return `${head}\n\n${table(['arm', '5 names', '10', '20'], body)}`;
}

function breakdown(rows: readonly Evaluated[], groupOf: (instance: Instance) => string): string {
  const groups = [...new Set(rows.map(({ instance }) => groupOf(instance)))].sort();
  return table(
    ['group', 'instances', 'lexical 1', 'full 1', 'gain 1', 'gain 2', 'gain 3'],
    groups.map((group) => {
      const own = rows.filter(({ instance }) => groupOf(instance) === group);
      const mean = (arm: string, n: number): number => macroMean(collect(own, recallAfter(arm, n)));
      return [
        group,
        String(own.length),
        percent(mean('lexical', 0)),
        percent(mean('full', 0)),
        ...[0, 1, 2].map((n) => percent(mean('full', n) - mean('lexical', n))),
      ];
    }),
  );
}

function costs(rows: readonly Evaluated[]): string {
  const tokens = [0, 1, 2].map((n) => rows.flatMap(({ evaluation }) => evaluation.arms.full?.tokens[n] ?? []));
  return table(
    ['search', 'silent %', 'tokens a block', 'most'],
    tokens.map((all, n) => {
      const spoken = all.filter((count) => count > 0);
      return [
        String(n + 1),
        percent(1 - spoken.length / Math.max(1, all.length)),
        (average(spoken) ?? 0).toFixed(0),
        String(Math.max(0, ...spoken)),
      ];
    }),
  );
}

const FEW_FILES = 6;

/** The whole report as Markdown. */
export function report(rows: readonly Evaluated[]): string {
  const repositories = new Set(rows.map(({ instance }) => instance.repo)).size;
  const regions = percent(macroMean(collect(rows, ({ evaluation }) => evaluation.arms.full?.regions)));
  const halves = (half: string): Evaluated[] => rows.filter(({ instance }) => halfOf(instance) === half);
  const few = rows.filter(({ instance }) => instance.gold_nontest_files.length <= FEW_FILES);
  const sections = [
    `${rows.length} instances, ${repositories} repositories; region recall of full ${regions}`,
    contextTable(rows),
    differences(rows),
    costs(rows),
    completionTable('other files of the fix', rows, [...COMPLETION_ARMS, ...COMPLETION_LIMITS]),
    completionTable(
      'other files in a programming language',
      rows,
      [...COMPLETION_ARMS, ...COMPLETION_LIMITS],
      'code: ',
    ),
    completionTable('half: tune', halves('tune'), ['S3', 'full']),
    completionTable('half: confirm', halves('confirm'), ['S3', 'full']),
    completionTable('fixes of at most six files', few, ['S3', 'full', ...COMPLETION_LIMITS]),
    breakdown(rows, ({ lang }) => `language: ${language(lang)}`),
    breakdown(rows, ({ source }) => `source: ${source}`),
    breakdown(rows, (instance) => `half: ${halfOf(instance)}`),
    breakdown(rows, ({ gold_path_in_text, gold_stem_mentioned }) =>
      gold_path_in_text ? 'text names a path' : gold_stem_mentioned ? 'text names a stem' : 'text names none',
    ),
  ];
  return sections.join('\n');
}
