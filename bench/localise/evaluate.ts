/** One instance through all arms: what was shown after each search, and what it cost. */
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { anchorsOf } from '../../src/retrieval/anchors.js';
import { blockFor } from '../../src/retrieval/block.js';
import type {
  BlockRequest,
  BlockResult,
  Match,
  SessionState,
  ShownFile,
  SidecarReader,
} from '../../src/retrieval/request.js';
import { type Candidate, scoreCandidates } from '../../src/retrieval/score.js';
import { type RetrievalSettings, SETTINGS } from '../../src/retrieval/settings.js';
import type { Instance } from './instances.js';
import type { CompletionSearch, Prepared, Search } from './prepare.js';
import {
  HISTORY,
  isListed,
  paper,
  type Ranking,
  random,
  S3,
  STRUCTURE,
  scored,
  siblings,
  THETA,
  WORDS,
} from './rankings.js';
import { SEARCHES } from './search-stream.js';

/** Files of a result that an agent sees. */
const VISIBLE = 15;
const PAPER_K = 10;
export const COMPLETION_NAMES = [5, 10, 20] as const;

/** Lists of names, as many as the block of `full` has at the same search. */
const LISTS: Readonly<Record<string, Ranking>> = {
  siblings,
  random,
  history: scored(HISTORY),
  words: scored(WORDS),
  structure: scored(STRUCTURE),
  S3: scored(S3),
  score: scored({}),
};

/** The block with one component changed. */
const ABLATIONS: Readonly<Record<string, Partial<RetrievalSettings>>> = {
  full: {},
  'full, no typed edges in score': { structure: 0 },
  'full, no shared words': { shared: 0 },
  'full, no history': { together: 0 },
  'full, no recency': { recency: 0 },
  'full, matches alone are anchors': { second: 0 },
  'full, definers count as others': { definers: 0.2 },
  'full, with community prior 1.25': { community: 1.25 },
  'full, no confidence': { confidence: false },
  'full, no session': { novelty: false },
  'full, gates half as high again': { gates: [0.3, 0.375, 0.45] },
  'full, no gate': { gates: [0] },
};

/** The paper's fixed pairs of k and theta, the same at every search of a session. */
const PAIRS: Readonly<Record<string, Limits>> = Object.fromEntries(
  [3, 5, 10, 20].flatMap((k) => [0, 0.5].map((theta) => [`full, k ${k}, theta ${theta}`, { k, theta }])),
);

/** Scores of one arm at one instance: context recall after 1, 2, 3 searches and so on. */
export interface ArmScores {
  readonly recall: readonly number[];
  /** Real tokens of the block or list, per search. */
  readonly tokens: readonly number[];
  readonly names: readonly number[];
  readonly accuracyAt5: number;
  readonly recallAt5: number;
  readonly regions?: number;
  readonly milliseconds?: number;
}

export interface Evaluation {
  readonly arms: Readonly<Record<string, ArmScores>>;
  /** Per completion search: share of the other gold files seen, by arm and number of names. */
  readonly completions: readonly Readonly<Record<string, number>>[];
}

type Limits = Pick<BlockRequest, 'k' | 'theta'>;

const countOf = (match: Match): number => match.count ?? match.lines.length;

/** The files of a result in the order of their matching lines. */
function strongest(matches: readonly Match[]): Match[] {
  return [...matches].sort((a, b) => countOf(b) - countOf(a) || (a.path < b.path ? -1 : 1));
}

const share = (gold: readonly string[], shown: ReadonlySet<string>): number =>
  gold.filter((path) => shown.has(path)).length / gold.length;

/**
 * The ranking that Acc@5 and Recall@5 are taken of: 1/(10 + rank) of result and names, summed over the searches.
 * For the block, the score of every shown file as a share of the search's best, over ten, instead of the rank in
 * the list of names: the score knows how the files of the result are related to each other.
 */
class Fusion {
  private readonly scores = new Map<string, number>();

  add(paths: readonly string[]): void {
    paths.forEach((path, rank) => {
      this.scores.set(path, (this.scores.get(path) ?? 0) + 1 / (10 + rank));
    });
  }

  addScores(candidates: readonly Candidate[]): void {
    const best = candidates[0]?.score ?? 1;
    for (const { path, score } of candidates) {
      this.scores.set(path, (this.scores.get(path) ?? 0) + score / best / 10);
    }
  }

  top(n: number, shown: ReadonlySet<string>): Set<string> {
    const ranked = [...this.scores]
      .filter(([path]) => shown.has(path))
      .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
    return new Set(ranked.slice(0, n).map(([path]) => path));
  }
}

interface Step {
  readonly names: readonly string[];
  readonly tokens: number;
  /** Scores to rank by, where the arm has them for result and names alike. */
  readonly candidates?: readonly Candidate[];
}

class Run {
  readonly seen = new Set<string>();
  readonly recall: number[] = [];
  readonly tokens: number[] = [];
  readonly names: number[] = [];
  private readonly fusion = new Fusion();

  constructor(
    private readonly prepared: Prepared,
    private readonly gold: readonly string[],
  ) {}

  search(visible: readonly string[], step: () => Step): void {
    for (const path of visible) this.seen.add(path);
    this.fusion.add(visible.filter((path) => isListed({ prepared: this.prepared }, path)));
    const { names, tokens, candidates } = step();
    const listed = names.filter((path) => isListed({ prepared: this.prepared }, path) && !visible.includes(path));
    if (candidates) this.fusion.addScores(candidates);
    else this.fusion.add(listed);
    for (const path of names) this.seen.add(path);
    this.recall.push(share(this.gold, this.seen));
    this.tokens.push(tokens);
    this.names.push(listed.length);
  }

  scores(): ArmScores {
    const last = this.recall.at(-1) ?? 0;
    const recall = [...this.recall];
    while (recall.length < SEARCHES) recall.push(last);
    const top = this.fusion.top(5, this.seen);
    const found = share(this.gold, top);
    return { recall, tokens: this.tokens, names: this.names, accuracyAt5: Number(found === 1), recallAt5: found };
  }
}

const visibleOf = (search: Search): string[] =>
  strongest(search.matches)
    .slice(0, VISIBLE)
    .map(({ path }) => path);

function block(
  search: Search,
  reader: SidecarReader,
  session: SessionState | undefined,
  settings: RetrievalSettings,
  limits: Limits,
): BlockResult {
  return blockFor(
    {
      matches: search.matches,
      patterns: [search.term],
      reader,
      visible: new Set(visibleOf(search)),
      ...(session ? { session } : {}),
      ...limits,
    },
    settings,
  );
}

/** Share of the lines that the fix touched inside of a shown `path:symbol:line` range. */
function regionRecall(instance: Instance, shown: readonly ShownFile[]): number {
  let lines = 0;
  let covered = 0;
  for (const path of instance.gold_nontest_files) {
    const ranges = shown.filter((file) => file.path === path).flatMap(({ symbols }) => symbols);
    for (const [first, last] of instance.gold_lines[path] ?? []) {
      lines += 1;
      const inside = ranges.some(
        ({ line, endLine }) => line !== undefined && endLine !== undefined && line <= first && last <= endLine,
      );
      if (inside) covered += 1;
    }
  }
  return lines === 0 ? 0 : covered / lines;
}

function evaluateBlock(
  instance: Instance,
  prepared: Prepared,
  reader: SidecarReader,
  settings: RetrievalSettings,
  limits: Limits = {},
): { scores: ArmScores; texts: string[] } {
  const run = new Run(prepared, instance.gold_nontest_files);
  const texts: string[] = [];
  const shown: ShownFile[] = [];
  let session: SessionState | undefined;
  let milliseconds = 0;
  for (const search of prepared.searches) {
    run.search(visibleOf(search), () => {
      const start = performance.now();
      const result = block(search, reader, session, settings, limits);
      milliseconds += performance.now() - start;
      session = result.session;
      texts.push(result.text);
      shown.push(...result.shown);
      const anchors = anchorsOf(search.matches, [search.term], reader, settings);
      const candidates = scoreCandidates(anchors, reader, new Map(), THETA, settings).filter(({ path }) =>
        isListed({ prepared }, path),
      );
      return { names: result.shown.map(({ path }) => path), tokens: countTokens(result.text), candidates };
    });
  }
  return {
    scores: {
      ...run.scores(),
      regions: regionRecall(instance, shown),
      milliseconds: milliseconds / Math.max(1, prepared.searches.length),
    },
    texts,
  };
}

/** The matches after the visible ones, each as its first line, while they fit into the tokens. */
function moreGrep(search: Search, tokens: number): Step {
  const names: string[] = [];
  let spent = 0;
  for (const match of strongest(search.matches).slice(VISIBLE)) {
    const line = `${match.path}:${match.lines[0]}:${match.texts?.[0] ?? ''}\n`;
    const cost = countTokens(line);
    if (spent + cost > tokens) break;
    spent += cost;
    names.push(match.path);
  }
  return { names, tokens: spent };
}

const listTokens = (names: readonly string[]): number =>
  names.length === 0 ? 0 : countTokens(`${names.join(', ')}\n`);

/** All arms over the searches of an instance. `texts` gets the blocks of `full`. */
export function evaluate(
  instance: Instance,
  prepared: Prepared,
  reader: SidecarReader,
  texts: string[] = [],
): Evaluation {
  const gold = instance.gold_nontest_files;
  const arms: Record<string, ArmScores> = {};
  for (const [arm, changes] of Object.entries(ABLATIONS)) {
    const result = evaluateBlock(instance, prepared, reader, { ...SETTINGS, ...changes });
    arms[arm] = result.scores;
    if (arm === 'full') texts.push(...result.texts);
  }
  for (const [arm, limits] of Object.entries(PAIRS)) {
    arms[arm] = evaluateBlock(instance, prepared, reader, SETTINGS, limits).scores;
  }
  const counts = arms.full?.names ?? [];
  const costs = arms.full?.tokens ?? [];
  const list = (step: (search: Search, i: number, seen: ReadonlySet<string>) => Step): ArmScores => {
    const run = new Run(prepared, gold);
    prepared.searches.forEach((search, i) => {
      run.search(visibleOf(search), () => step(search, i, run.seen));
    });
    return run.scores();
  };
  arms['lexical, 15 files'] = list(() => ({ names: [], tokens: 0 }));
  arms.lexical = list((search, i) => moreGrep(search, costs[i] ?? 0));
  for (const [arm, ranking] of Object.entries(LISTS)) {
    arms[arm] = list((search, i, seen) => {
      const names = ranking({ prepared, search, reader, seen }).slice(0, counts[i]);
      return { names, tokens: listTokens(names) };
    });
  }
  arms['paper, k 10'] = list((search, _, seen) => {
    const names = paper({ prepared, search, reader, seen }).slice(0, PAPER_K);
    return { names, tokens: listTokens(names) };
  });
  const completions = prepared.completions.map((search) => evaluateCompletion(instance, prepared, search, reader));
  return { arms, completions };
}

/** What the arms show of the other files of the fix, and of those of them that are code. */
function evaluateCompletion(
  instance: Instance,
  prepared: Prepared,
  search: CompletionSearch,
  reader: SidecarReader,
): Record<string, number> {
  const visible = new Set([...visibleOf(search), search.anchor]);
  const code = new Set(instance.gold_code_files);
  const otherCode = code.has(search.anchor) ? search.others.filter((path) => code.has(path)) : [];
  const scores: Record<string, number> = {};
  const put = (name: string, shown: ReadonlySet<string>): void => {
    scores[name] = share(search.others, shown);
    if (otherCode.length > 0) scores[`code: ${name}`] = share(otherCode, shown);
  };
  const score = (arm: string, names: readonly string[], k: number): void => {
    put(`${arm} ${k}`, new Set([...visible, ...names.slice(0, k)]));
  };
  put('grep', visible);
  const rankings: Record<string, Ranking> = { siblings, paper, S3: scored(S3), score: scored({}) };
  for (const [arm, ranking] of Object.entries(rankings)) {
    const names = ranking({ prepared, search, reader, seen: visible });
    for (const k of COMPLETION_NAMES) score(arm, names, k);
  }
  // As if each name were a file of the fix: among the candidates, and in the tree.
  const hidden = search.others.filter((path) => !visible.has(path));
  const candidates = new Set(scored({})({ prepared, search, reader, seen: visible }));
  for (const k of COMPLETION_NAMES) {
    const { shown } = block(search, reader, undefined, SETTINGS, { k });
    const names = shown.map(({ path }) => path).filter((path) => !visible.has(path) && isListed({ prepared }, path));
    score('full', names, k);
    const known = hidden.filter((path) => candidates.has(path));
    score('best order of the candidates', known, k);
    score('best order of all files', hidden, k);
  }
  return scores;
}
