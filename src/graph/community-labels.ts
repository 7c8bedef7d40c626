/**
 * Labels for communities: the folder or the name that sets its members apart from all other files.
 *
 * A candidate (a folder, a word of file names, a word of symbol names) is scored by how many members
 * have it and how few others do (F-measure), so that the label is what a maintainer would call the
 * group and not what half the repository is called.
 */
import { wordsInName } from './test-names.js';

export interface LabelSubject {
  /** Sorted paths. */
  readonly members: readonly string[];
  /** Per member, the names of its symbols. */
  readonly symbols: readonly (readonly string[])[];
}

/** Words that name no subject: layout, tests, file kinds. */
const LAYOUT = new Set(
  `src source sources lib libs pkg pkgs package packages app apps internal main index init mod common shared core base util utils
   utilities helper helpers misc test tests testing testdata spec specs e2e fixtures mocks docs doc examples example types type
   interfaces cmd code js ts py go the and for with from get set new impl default`.split(/\s+/),
);
/** Folders worth as label only where nothing better is there. */
const WEAK_FOLDERS = new Set(
  'core common shared base util utils helpers internal types testing tests test examples docs'.split(' '),
);

/** A candidate must be had by this share of the members. */
const LEAST_SHARE = 0.25;

interface Candidate {
  readonly label: string;
  readonly score: number;
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function foldersOf(path: string): string[] {
  const segments = path.split('/').slice(0, -1);
  return segments.map((_, depth) => segments.slice(0, depth + 1).join('/'));
}

function stemWords(path: string): string[] {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\..*$/, '');
  return [...new Set(wordsInName(name).map((word) => (word.length > 3 ? word.replace(/(?<!s)s$/, '') : word)))].filter(
    (word) => word.length > 2 && !LAYOUT.has(word) && !/^\d+$/.test(word),
  );
}

/** Features of one file: `d` a folder, `w` a word of its name, `s` a word of its symbols. */
function featuresOf(path: string, symbols: readonly string[]): Set<string> {
  const features = new Set<string>();
  for (const folder of foldersOf(path)) features.add(`d${folder}`);
  for (const word of stemWords(path)) features.add(`w${word}`);
  for (const symbol of symbols) {
    for (const word of wordsInName(symbol)) if (word.length > 3 && !LAYOUT.has(word)) features.add(`s${word}`);
  }
  return features;
}

/** How a feature reads as a label: a folder by its last telling segment. */
function labelOf(feature: string): string {
  const name = feature.slice(1);
  if (!feature.startsWith('d')) return capitalised(name);
  const segments = name.split('/');
  const telling = [...segments].reverse().find((segment) => !LAYOUT.has(segment.toLowerCase()));
  return wordsInName(telling ?? segments.at(-1) ?? name)
    .map(capitalised)
    .join(' ');
}

function candidatesOf(features: readonly ReadonlySet<string>[], overall: ReadonlyMap<string, number>): Candidate[] {
  const had = new Map<string, number>();
  for (const own of features) for (const feature of own) had.set(feature, (had.get(feature) ?? 0) + 1);
  const candidates: Candidate[] = [];
  for (const [feature, count] of had) {
    const recall = count / features.length;
    if (recall < LEAST_SHARE || (count < 2 && features.length > 2)) continue;
    const precision = count / (overall.get(feature) ?? count);
    const f = (2 * precision * recall) / (precision + recall);
    const last = feature.slice(feature.lastIndexOf('/') + 1).toLowerCase();
    const kind = feature.startsWith('d') ? (WEAK_FOLDERS.has(last) ? 0.6 : 1.1) : feature.startsWith('w') ? 1 : 0.75;
    const label = labelOf(feature);
    if (label !== '') candidates.push({ label, score: f * kind });
  }
  return candidates.sort((a, b) => b.score - a.score || (a.label < b.label ? -1 : 1));
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
  const features = subjects.map(({ members, symbols }) => members.map((path, i) => featuresOf(path, symbols[i] ?? [])));
  const overall = new Map<string, number>();
  for (const files of features) {
    for (const own of files) for (const feature of own) overall.set(feature, (overall.get(feature) ?? 0) + 1);
  }
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
    const candidates = candidatesOf(features[id] ?? [], overall);
    give(id, candidates.find(({ label }) => !taken.has(label))?.label ?? byPath(members, candidates[0]?.label, taken));
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
