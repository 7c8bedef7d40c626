/** Communities and flows of a whole repository, from the edges of all files. */
import { communitiesOf, type FilePair } from '../graph/communities.js';
import { confidenceOf } from '../graph/confidence.js';
import type { EdgeDraft } from '../graph/edge.js';
import { type CallEdge, type EntryPoint, flowsOf } from '../graph/flows.js';
import type { GlobalRecord } from '../io/index-store.js';
import type { GlobalInput } from './global-input.js';

export interface Globals {
  readonly byFile: ReadonlyMap<string, GlobalRecord>;
  readonly communities: number;
  readonly flows: number;
  readonly modularity: number;
}

/** Edges that say that two files belong together. */
const SEMANTIC: ReadonlySet<EdgeDraft['type']> = new Set(['calls', 'inherits', 'references', 'imports']);

/** Pairs of files with the number of edges that say that they belong together. */
export function filePairs(files: readonly GlobalInput[]): FilePair[] {
  const weights = new Map<string, FilePair>();
  for (const { path, edges } of files) {
    for (const { to, type } of edges) {
      if (to.path === path || !SEMANTIC.has(type)) continue;
      const [a, b] = path < to.path ? [path, to.path] : [to.path, path];
      const key = `${a}\0${b}`;
      weights.set(key, { a, b, weight: (weights.get(key)?.weight ?? 0) + 1 });
    }
  }
  return [...weights.values()];
}

function callsAndEntries(files: readonly GlobalInput[]): { calls: CallEdge[]; entries: EntryPoint[] } {
  const calls: CallEdge[] = [];
  const called = new Set<string>();
  const sources = files.filter((file) => !file.isTest);
  for (const { path, language, symbols, edges } of sources) {
    for (const edge of edges) {
      const from = symbols[edge.from]?.name;
      if (edge.type !== 'calls' || edge.to.symbol === undefined) continue;
      called.add(`${edge.to.path}\0${edge.to.symbol}`);
      if (from === undefined) continue;
      const to = { path: edge.to.path, symbol: edge.to.symbol };
      calls.push({ from: { path, symbol: from }, to, confidence: confidenceOf(language, edge) });
    }
  }
  const entries: EntryPoint[] = [];
  for (const { path, symbols, entryPoints } of sources) {
    for (const { symbol, kind } of entryPoints) {
      const name = symbols[symbol]?.name;
      if (name !== undefined) entries.push({ path, symbol: name, kind });
    }
    for (const { name, kind } of symbols) {
      const isPublic = kind === 'function' && !name.startsWith('_') && !name.includes('.');
      if (isPublic && !called.has(`${path}\0${name}`)) entries.push({ path, symbol: name, kind: 'exported' });
    }
  }
  return { calls, entries };
}

/**
 * @param files sorted by path
 * @param previous label by file at the last time, so that labels stay where most members stay
 */
export function globalsOf(files: readonly GlobalInput[], previous?: ReadonlyMap<string, string>): Globals {
  const symbolsOf = new Map(files.map((file) => [file.path, file.symbols.map((symbol) => symbol.name)]));
  const communities = communitiesOf({
    files: files.map((file) => file.path),
    pairs: filePairs(files),
    symbols: (path) => symbolsOf.get(path) ?? [],
    ...(previous ? { previous } : {}),
  });
  const tests = new Set(files.filter((file) => file.isTest).map((file) => file.path));
  const flows = flowsOf({ ...callsAndEntries(files), isTest: (path) => tests.has(path) });
  const byFile = new Map<string, GlobalRecord>();
  const names = new Set<string>();
  for (const { path } of files) {
    const community = communities.byFile.get(path);
    const own = flows.get(path) ?? [];
    for (const { name } of own) names.add(name);
    if (community || own.length > 0) byFile.set(path, { ...(community ? { community } : {}), flows: [...own] });
  }
  return { byFile, communities: communities.count, flows: names.size, modularity: communities.modularity };
}
