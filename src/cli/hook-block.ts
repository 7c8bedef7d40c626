/** The block for a tool call of an agent: loaded only where the call has a search in it. */
import { appendFileSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import type { Agent, ToolCall } from '../agents/agent.js';
import { numbersOf, readSearchOutput } from '../agents/search-output.js';
import type { Search } from '../agents/searches.js';
import { cacheRoot } from '../io/index-location.js';
import { HEADER } from '../retrieval/render.js';
import type { Match } from '../retrieval/request.js';
import { alignInBackground } from '../shim/background-align.js';
import { type IndexedTree, indexedTreeAbove } from '../shim/locate.js';
import { blockOfSearch, repositoryPath } from '../shim/search-block.js';
import { readSession, sessionFile, writeSession } from '../shim/session-store.js';
import { mainScript } from './environment.js';

/** More is not a result that a model reads. */
const LARGEST_RESULT = 8 << 20;

/** Files that are read to find the numbers of lines that were shown without. */
const MOST_NUMBERED = 20;
const LARGEST_NUMBERED = 1 << 20;

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Line numbers of texts that were shown without; none where the file cannot say. */
function numbersIn(path: string, texts: readonly string[]): readonly number[] {
  try {
    return statSync(path).size > LARGEST_NUMBERED ? [] : numbersOf(readFileSync(path, 'utf8'), texts);
  } catch {
    return [];
  }
}

/** The matches of one search as seen from `base`: paths resolved, missing line numbers found. */
function matchesFrom(tree: IndexedTree, base: string, search: Search, output: string, alone: boolean): Match[] {
  const answers = new Map<string, boolean>();
  const known = (path: string): boolean => {
    let answer = answers.get(path);
    if (answer === undefined) {
      answer = path.length < 1024 && repositoryPath(tree, base, path) !== undefined && isFile(resolve(base, path));
      answers.set(path, answer);
    }
    return answer;
  };
  const { single, lists } = search;
  const seen = readSearchOutput(output, { known, lists, ...(alone && single !== undefined ? { single } : {}) });
  return seen.map(({ match, unnumbered }, index) => {
    const path = resolve(base, match.path);
    if (match.lines.length > 0 || unnumbered.length === 0) return { ...match, path };
    const lines = index < MOST_NUMBERED ? numbersIn(path, unnumbered) : [];
    return { path, lines, ...(lines.length === unnumbered.length ? { texts: unnumbered } : {}) };
  });
}

/**
 * What the calls' searches show, by absolute path. Agents report the folder from before or after a `cd` of the
 * command: the one from which the result names more files is right.
 */
function shownMatches(tree: IndexedTree, folder: string, searches: readonly Search[], output: string): Match[] {
  const found = new Map<string, Match>();
  for (const search of searches) {
    const bases = new Set([resolve(folder, ...search.folders), folder, tree.root]);
    let best: Match[] = [];
    for (const base of bases) {
      const matches = matchesFrom(tree, base, search, output, searches.length === 1);
      if (matches.length > best.length) best = matches;
    }
    for (const match of best) if (!found.has(match.path)) found.set(match.path, match);
  }
  return [...found.values()];
}

/** Where the launchers keep what sessions were shown. */
function runFolder(env: NodeJS.ProcessEnv): string {
  const runtime = env.XDG_RUNTIME_DIR;
  return runtime?.startsWith('/') ? join(runtime, 'sidecar') : join(cacheRoot(env) ?? '', 'run');
}

function log(env: NodeJS.ProcessEnv, entry: object): void {
  if (env.SIDECAR_LOG) appendFileSync(env.SIDECAR_LOG, `${JSON.stringify(entry)}\n`);
}

/** The block for a call that holds these searches, empty for none. */
export async function blockForCall(
  agent: Agent,
  call: ToolCall,
  searches: readonly Search[],
  env: NodeJS.ProcessEnv,
): Promise<string> {
  const say = (decision: 'block' | 'none', why: string, more: object = {}): void =>
    log(env, { tool: `hook:${agent.name}`, decision, why, ...more });
  if (call.output.includes(HEADER)) {
    say('none', 'repeated');
    return '';
  }
  if (call.output.length > LARGEST_RESULT) return '';
  const folder = realpathSync(call.folder);
  const tree = indexedTreeAbove(folder, env);
  if (!tree) {
    say('none', 'no-index');
    return '';
  }
  const shown = shownMatches(tree, folder, searches, call.output);
  // As the result writes them, so that the block's paths can be used in the same way.
  const absolute = call.output.includes(`${tree.root}/`);
  const matches = absolute ? shown : shown.map((match) => ({ ...match, path: relative(folder, match.path) }));
  const sessionPath = sessionFile(runFolder(env), tree.index, env.SIDECAR_SESSION || call.session, process.ppid);
  const session = sessionPath === undefined ? undefined : readSession(sessionPath);
  const result = await blockOfSearch({
    tree,
    folder,
    matches,
    patterns: searches.flatMap(({ patterns }) => patterns),
    env,
    ...(session === undefined ? {} : { session }),
  });
  if (!result) {
    say('none', 'no-anchor');
    return '';
  }
  if (sessionPath !== undefined) writeSession(sessionPath, result.session);
  if (result.described) await alignInBackground({ tree, ...result.described, main: mainScript(), env });
  const { decision, ...numbers } = result.log;
  say(result.text === '' ? 'none' : 'block', decision, { ...numbers, shown: result.shown });
  return result.text;
}
