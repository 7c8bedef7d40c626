/**
 * What an instance needs besides the index, made once and kept: its searches with their results, the searches
 * of the completion benchmark, the paths of the tree, and the evidence of history and shared words that needs
 * no parser (so that ranking can be studied without building an index for every instance).
 */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { History } from '../../src/graph/history.js';
import { roleOf } from '../../src/graph/roles.js';
import { RARE, type SharedWord, sharedIdentifiers } from '../../src/graph/shared-identifiers.js';
import { wordsOf } from '../../src/graph/words.js';
import { findRepository, listCommits, listTree, type Repository, readCommits } from '../../src/io/git.js';
import { decodeText, isBinary } from '../../src/io/text.js';
import type { CommitEvidence, Match } from '../../src/retrieval/request.js';
import type { Neighbours, Sidecar } from '../../src/sidecars/sidecar.generated.js';
import type { Instance } from './instances.js';
import { enclosingDefinition, search, termsOf } from './search-stream.js';

export interface Search {
  readonly term: string;
  readonly matchedFiles: number;
  readonly matches: readonly Match[];
}

export interface CompletionSearch extends Search {
  /** The gold file that the agent has found. */
  readonly anchor: string;
  /** The other gold files of the fix that are not tests. */
  readonly others: readonly string[];
}

export interface Prepared {
  readonly id: string;
  /** Role by path, of every file of the tree that is text. */
  readonly roles: Readonly<Record<string, Sidecar['role']>>;
  readonly searches: readonly Search[];
  readonly completions: readonly CompletionSearch[];
  readonly signals: Readonly<Record<string, Pick<Neighbours, 'changedTogether' | 'sharedIdentifiers'>>>;
  /** Commits ago by path. */
  readonly ages: Readonly<Record<string, number>>;
  /** The commits of the window whose message has a term, newest first. */
  readonly commits: readonly CommitEvidence[];
}

const HISTORY_COMMITS = 5000;
const LARGEST = 1 << 20;
const MATCHES_KEPT = 100;

interface Contents {
  readonly roles: Record<string, Sidecar['role']>;
  readonly words: ReadonlyMap<string, readonly string[]>;
  readonly filesOf: ReadonlyMap<string, readonly string[]>;
}

function readTree(tree: string, paths: readonly string[]): Contents {
  const roles: Record<string, Sidecar['role']> = {};
  const words = new Map<string, readonly string[]>();
  const filesOf = new Map<string, string[]>();
  for (const path of paths) {
    let bytes: Buffer;
    try {
      if (statSync(join(tree, path)).size > LARGEST) continue;
      bytes = readFileSync(join(tree, path));
    } catch {
      continue;
    }
    if (isBinary(bytes)) continue;
    const { text } = decodeText(bytes);
    const { role } = roleOf(path, text.slice(0, 8192), bytes.length);
    roles[path] = role;
    if (role === 'vendored' || role === 'generated' || role === 'minified' || role === 'data') continue;
    const own = wordsOf(text);
    words.set(path, own);
    for (const word of own) {
      const files = filesOf.get(word);
      if (files) files.push(path);
      else filesOf.set(word, [path]);
    }
  }
  return { roles, words, filesOf };
}

function kept(term: string, matches: readonly Match[]): Search {
  const strongest = [...matches].sort((a, b) => (b.count ?? 0) - (a.count ?? 0) || (a.path < b.path ? -1 : 1));
  const keep = new Set(strongest.slice(0, MATCHES_KEPT).map(({ path }) => path));
  const defines = new RegExp(
    `\\b(def|class|func|function|type|interface|enum|const|let|var)\\s+(\\([^)]*\\)\\s*)?${term}\\b`,
  );
  for (const { path, texts } of matches) if (texts?.some((text) => defines.test(text))) keep.add(path);
  return { term, matchedFiles: matches.length, matches: matches.filter(({ path }) => keep.has(path)) };
}

function completionsOf(instance: Instance, tree: string): CompletionSearch[] {
  const gold = instance.gold_nontest_files;
  if (gold.length < 2) return [];
  const completions: CompletionSearch[] = [];
  for (const anchor of gold) {
    const first = instance.gold_lines[anchor]?.[0]?.[0];
    if (first === undefined) continue;
    let text: string;
    try {
      text = readFileSync(join(tree, anchor), 'utf8');
    } catch {
      continue;
    }
    const term = enclosingDefinition(text, first);
    if (term === undefined) continue;
    completions.push({ anchor, others: gold.filter((path) => path !== anchor), ...kept(term, search(term, tree)) });
  }
  return completions;
}

async function repositoryOf(gitDir: string): Promise<Repository> {
  const repository = await findRepository(gitDir);
  if (!repository) throw new Error(`no git repository at ${gitDir}`);
  return repository;
}

/** Prepares one instance whose tree is checked out at `tree`. */
export async function prepare(instance: Instance, gitDir: string, tree: string): Promise<Prepared> {
  const repository = await repositoryOf(gitDir);
  const entries = await listTree(repository, instance.base_commit);
  const paths = entries.filter(({ mode }) => mode.startsWith('100')).map(({ path }) => path);
  const { roles, words, filesOf } = readTree(tree, paths);
  const counts = (word: string): number =>
    (filesOf.get(word) ?? []).filter((path) => roles[path] === 'source' || roles[path] === 'test').length;
  const searches = termsOf(instance.title, instance.body, counts).map((term) => kept(term, search(term, tree)));
  const completions = completionsOf(instance, tree);

  const exists = new Set(paths);
  const commits = await readCommits(repository, await listCommits(repository, instance.base_commit, HISTORY_COMMITS));
  const history = new History(commits, (path) => exists.has(path));
  const needed = new Set([...searches, ...completions].flatMap(({ matches }) => matches.map(({ path }) => path)));
  for (const path of instance.gold_files) needed.add(path);
  const signals: Record<string, Pick<Neighbours, 'changedTogether' | 'sharedIdentifiers'>> = {};
  for (const path of [...needed].sort()) {
    const rare: SharedWord[] = (words.get(path) ?? []).flatMap((word) => {
      const files = filesOf.get(word) ?? [];
      return files.length >= RARE.fewest && files.length <= RARE.most ? [{ word, files }] : [];
    });
    const together = history.changedTogether(path);
    const shared = sharedIdentifiers(path, rare, (other) => words.get(other)?.length ?? 0, words.size);
    signals[path] = {
      changedTogether: { total: together.total, items: together.items.map((item) => ({ ...item })) },
      sharedIdentifiers: {
        total: shared.total,
        items: shared.items.map((item) => ({ ...item, words: [...item.words] })),
      },
    };
  }
  const terms = [...new Set([...searches, ...completions].map(({ term }) => term))];
  return {
    id: instance.id,
    roles,
    searches,
    completions,
    signals,
    ages: Object.fromEntries([...history.ages()].filter(([path]) => exists.has(path))),
    commits: commits
      .filter(({ message, files }) => files.length <= 60 && terms.some((term) => message.includes(term)))
      .map(({ message, files }) => ({ message: message.slice(0, 2000), files })),
  };
}
