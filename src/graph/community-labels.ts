/**
 * Labels for communities: the folder or the name that sets its members apart from all other files.
 *
 * A candidate (a folder, a word of file names, a word of symbol names) is scored by how many members
 * have it and, counting a little more, how few others do (F-measure with beta below 1), so that the label is what
 * a maintainer would call the group and not what half the repository is called. Tests hardly count: they follow
 * their subject. A group without a majority is named after its two largest parts: `Query Builder & Error`.
 */
import { wordsInName } from './test-names.js';
import { isTestPath } from './test-paths.js';

export interface LabelSubject {
  /** Sorted paths. */
  readonly members: readonly string[];
  /** Per member, the names of its symbols. */
  readonly symbols: readonly (readonly string[])[];
}

/** Words that name no subject: layout, tests, kinds of files. */
const LAYOUT = new Set(
  `src source sources lib libs pkg pkgs package packages app apps main index init mod modules test tests testing testdata
   spec specs e2e fixtures mocks docs doc examples example cmd code js ts py go the and for with from get set new impl
   default _ . `.split(/\s+/),
);
/** Words worth as label only where nothing better is there. */
const WEAK = new Set(
  `util utils utilities helper helpers misc common shared internal base types type interfaces plugins components
   runtime contrib unit integration handlers`.split(/\s+/),
);
/** Written in capitals. */
const ACRONYMS = new Set(
  `api ast cli css csv db dom gui html http https io ip json jsx jwt orm os otlp pdf rpc sdk sql ssg ssh ssl tcp tls tsdb ui
   uri url utf wal xml yaml aws gcp`.split(/\s+/),
);

/** A candidate must be had by this share of the members. */
const LEAST_SHARE = 0.15;
/** A label that fewer of the members have is joined by a second one. */
const ALONE = 0.4;
/** A folder or word that more of the whole repository has names the repository and not a part. */
const MOST_OVERALL = 0.7;
const TEST_WEIGHT = 0.05;
/** Square of the F-measure's beta: precision counts a little more than recall. */
const BETA = 0.7;
/** In smaller communities words of symbols are chance. */
const SMALL = 6;

interface Candidate {
  readonly label: string;
  readonly score: number;
  /** The feature that it is made from, and the share of the members that have it. */
  readonly key: string;
  readonly recall: number;
}

function written(word: string): string {
  return ACRONYMS.has(word) ? word.toUpperCase() : word.charAt(0).toUpperCase() + word.slice(1);
}

/** `mantine-ui` as `Mantine UI`. */
function phrase(name: string): string {
  return wordsInName(name).map(written).join(' ');
}

const isTelling = (segment: string): boolean => !LAYOUT.has(segment.toLowerCase()) && !/^[_.\d]*$/.test(segment);

function stemWords(path: string): string[] {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\..*$/, '');
  return [...new Set(wordsInName(name))].filter((word) => word.length > 2 && isTelling(word) && !/\d/.test(word));
}

/** What words are counted under: `view` and `views` are one. */
const root = (word: string): string => (word.length > 3 ? word.replace(/(?<!s)s$/, '') : word);

/** Features of one file, as key and label: folders, words of its name, words of its symbols. */
function featuresOf(path: string, symbols: readonly string[]): Map<string, string> {
  const features = new Map<string, string>();
  const segments = path.split('/').slice(0, -1);
  segments.forEach((segment, depth) => {
    // What lies below a folder of tests is named after tests.
    if (!isTestPath(`${segments.slice(0, depth).join('/')}/x`) && isTelling(segment))
      features.set(`d${segments.slice(0, depth + 1).join('/')}`, segment);
  });
  for (const word of stemWords(path)) features.set(`w${root(word)}`, word);
  for (const symbol of symbols) {
    for (const word of wordsInName(symbol)) {
      if (word.length > 3 && isTelling(word) && !/\d/.test(word)) features.set(`s${root(word)}`, word);
    }
  }
  return features;
}

interface Tally {
  weight: number;
  /** How often the feature was written in which way. */
  readonly forms: Map<string, number>;
}

function tally(
  files: readonly { readonly features: ReadonlyMap<string, string>; readonly weight: number }[],
): Map<string, Tally> {
  const tallies = new Map<string, Tally>();
  for (const { features, weight } of files) {
    for (const [key, form] of features) {
      let known = tallies.get(key);
      if (!known) {
        known = { weight: 0, forms: new Map() };
        tallies.set(key, known);
      }
      known.weight += weight;
      known.forms.set(form, (known.forms.get(form) ?? 0) + 1);
    }
  }
  return tallies;
}

const KINDS: Readonly<Record<string, number>> = { d: 1.1, w: 1, s: 0.4 };

/** Two segments where one does not tell: `src/router/linear` as `Router Linear`. */
function longer(key: string): string {
  const segments = key.slice(1).split('/').filter(isTelling);
  return segments.slice(-2).map(phrase).join(' ');
}

function candidatesOf(
  members: ReadonlyMap<string, Tally>,
  weight: number,
  overall: ReadonlyMap<string, Tally>,
  total: number,
): Candidate[] {
  const candidates: Candidate[] = [];
  for (const [key, had] of members) {
    const everywhere = overall.get(key)?.weight ?? had.weight;
    const recall = had.weight / weight;
    if (
      recall < LEAST_SHARE ||
      (weight < SMALL && key.startsWith('s')) ||
      (everywhere / total > MOST_OVERALL && weight < total)
    )
      continue;
    const precision = had.weight / everywhere;
    const [[form]] = [...had.forms].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)) as [[string, number]];
    const weak = WEAK.has(form.toLowerCase()) ? 0.4 : 1;
    const score =
      (((1 + BETA) * precision * recall) / (BETA * precision + recall)) * (KINDS[key.charAt(0)] ?? 1) * weak;
    const label = phrase(form);
    if (label === '') continue;
    candidates.push({ label, score, key, recall });
    if (key.startsWith('d')) candidates.push({ label: longer(key), score: score * 0.8, key, recall });
  }
  return candidates.sort((a, b) => b.score - a.score || (a.label < b.label ? -1 : 1));
}

/** A candidate with, where most members lack it, the folder that most of those others share. */
function joined(
  best: Candidate,
  candidates: readonly Candidate[],
  members: readonly { readonly features: ReadonlyMap<string, string>; readonly weight: number }[],
): string {
  if (best.recall >= ALONE) return best.label;
  const others = members.filter(({ features }) => !features.has(best.key));
  const total = members.reduce((sum, { weight }) => sum + weight, 0);
  let second: { label: string; weight: number } | undefined;
  for (const { key, label } of candidates) {
    if (!key.startsWith('d') || label === best.label) continue;
    const weight = others.reduce((sum, member) => sum + (member.features.has(key) ? member.weight : 0), 0);
    if (weight >= LEAST_SHARE * total && weight > (second?.weight ?? 0)) second = { label, weight };
  }
  return second ? `${best.label} & ${second.label}` : best.label;
}

/** The most frequent previous label of the members, where it was most of them. */
function kept(
  members: readonly string[],
  previous: ReadonlyMap<string, string>,
): { label: string; count: number } | undefined {
  const counts = new Map<string, number>();
  for (const path of members) {
    const label = previous.get(path);
    if (label !== undefined) counts.set(label, (counts.get(label) ?? 0) + 1);
  }
  const [best] = [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  return best && best[1] * 2 > members.length ? { label: best[0], count: best[1] } : undefined;
}

/**
 * One unique label per community, in the order given. Larger communities choose first. Where most
 * members had one label before, it stays (`previous`: path to label).
 */
export function labelsOf(subjects: readonly LabelSubject[], previous: ReadonlyMap<string, string>): string[] {
  const files = subjects.map(({ members, symbols }) =>
    members.map((path, i) => ({
      features: featuresOf(path, symbols[i] ?? []),
      weight: isTestPath(path) ? TEST_WEIGHT : 1,
    })),
  );
  const overall = tally(files.flat());
  const weightOf = (of: readonly { readonly weight: number }[]): number =>
    of.reduce((sum, { weight }) => sum + weight, 0);
  const total = weightOf(files.flat());
  const labels: string[] = subjects.map(() => '');
  const taken = new Set<string>();
  const bySize = subjects.map((_, id) => id).sort((a, b) => size(b) - size(a) || (first(a) < first(b) ? -1 : 1));
  const give = (id: number, label: string): void => {
    labels[id] = label;
    taken.add(label);
  };
  function size(id: number): number {
    return subjects[id]?.members.length ?? 0;
  }
  function first(id: number): string {
    return subjects[id]?.members[0] ?? '';
  }

  const claims = bySize
    .map((id) => ({ id, claim: kept(subjects[id]?.members ?? [], previous) }))
    .sort((a, b) => (b.claim?.count ?? 0) - (a.claim?.count ?? 0));
  for (const { id, claim } of claims) if (claim && !taken.has(claim.label)) give(id, claim.label);

  for (const id of bySize) {
    if (labels[id] !== '') continue;
    const members = subjects[id]?.members ?? [];
    const own = files[id] ?? [];
    const candidates = candidatesOf(tally(own), weightOf(own), overall, total);
    const label = candidates.map((best) => joined(best, candidates, own)).find((text) => !taken.has(text));
    give(id, label ?? byPath(members, candidates[0]?.label, taken));
  }
  return labels;
}

/** A label from the first member that tells it apart: `Parser (src/a/parser)`. */
function byPath(members: readonly string[], best: string | undefined, taken: ReadonlySet<string>): string {
  for (const path of members) {
    const stem = path.replace(/\.[^/]*$/, '');
    const label = best === undefined ? stem : `${best} (${stem})`;
    if (!taken.has(label)) return label;
  }
  return members[0] ?? '';
}
