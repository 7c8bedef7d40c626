/** Verdicts to numbers. Pure. */
import { sameName } from './places.mjs';

const key = (...parts) => parts.join('\0');

/** `judged`: right among those that the oracle speaks about; `strict`: right among all. */
function share(verdicts) {
  const count = { correct: 0, wrong: 0, unjudged: 0 };
  for (const { verdict } of verdicts) count[verdict] += 1;
  const { correct, wrong, unjudged } = count;
  return {
    ...count,
    edges: verdicts.length,
    judged: correct + wrong > 0 ? correct / (correct + wrong) : undefined,
    strict: verdicts.length > 0 ? correct / (correct + wrong + unjudged) : undefined,
  };
}

function groupBy(items, keyOf) {
  const groups = new Map();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return new Map([...groups].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Edges that share their site with others are counted apart: they say less, and claim less. */
const rowOf = ({ edge }) =>
  `${edge.provenance}${(edge.among ?? 1) > 1 ? ' (one of several)' : ''}${edge.to.symbol === undefined ? ' -> file' : ''}`;

/** By provenance: precision and the mean confidence that is stated. */
export function precisionByProvenance(judged) {
  return [...groupBy(judged, rowOf)].map(([provenance, group]) => ({
    provenance,
    ...share(group),
    stated: group.reduce((sum, { edge }) => sum + edge.confidence, 0) / group.length,
  }));
}

/** Of the edges to symbols whose stated confidence is at least `from`. */
export const precisionOfSymbols = (judged, from) =>
  share(judged.filter(({ edge }) => edge.to.symbol !== undefined && edge.confidence >= from));

/** Pairs of files by the edges of at least that confidence: right where one of the pair's edges is, wrong where one is and none is right. */
export function precisionOfFiles(judged, from) {
  const rank = { unjudged: 0, wrong: 1, correct: 2 };
  const pairs = new Map();
  for (const { path, edge, verdict } of judged) {
    if (edge.to.path === path || edge.confidence < from) continue;
    const pair = key(path, edge.to.path);
    const known = pairs.get(pair);
    if (known === undefined || rank[verdict] > rank[known]) pairs.set(pair, verdict);
  }
  return share([...pairs.values()].map((verdict) => ({ verdict })));
}

/**
 * What of the oracle's references we have: `files` are pairs of files; `functions and types` and `values` (fields,
 * properties, variables, constants) those whose definition is a symbol of ours; `members` the others, found where
 * an edge reaches the class or function around them. `implementations` are no references: pairs of a type and an
 * interface that it satisfies by its methods alone.
 */
export function recall(judged, oracle, language, files) {
  const ours = new Set();
  const oursByFile = new Set();
  for (const { path, edge, containers } of judged) {
    oursByFile.add(key(path, edge.to.path));
    if (edge.to.symbol === undefined) continue;
    for (const container of containers) ours.add(key(path, container, edge.to.path, sameName(edge.to.symbol)));
  }
  const scores = {};
  const missed = [];
  const count = (name, found) => {
    scores[name] ??= { found: 0, of: 0 };
    scores[name].of += 1;
    if (found) scores[name].found += 1;
  };
  const missedPairs = [];
  for (const ref of oracle.wantedPairs.values()) {
    if (files.get(ref.from).language !== language) continue;
    const found = ref.anyOf.some((either) => oursByFile.has(either));
    count('files', found);
    if (!found) missedPairs.push(ref);
  }
  for (const ref of oracle.wanted.values()) {
    if (files.get(ref.from).language !== language) continue;
    const found =
      ref.toSymbol === '' ? oursByFile.has(key(ref.from, ref.to)) : ref.anyOf.some((unit) => ours.has(unit));
    count(ref.exact ? (ref.value ? 'values' : 'functions and types') : 'members', found);
    if (!found) missed.push(ref);
  }
  for (const ref of oracle.wantedImplementations.values()) {
    if (files.get(ref.from).language !== language) continue;
    const found = ref.anyOf.some((unit) => ours.has(unit));
    count('implementations', found);
    if (!found) missed.push(ref);
  }
  return { scores, missed, missedPairs };
}
