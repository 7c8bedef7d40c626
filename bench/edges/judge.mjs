/**
 * Compares our edges with what an oracle resolved. Pure.
 *
 * An edge is *correct* where the oracle has a reference from the same container (or file) to the same
 * target, *wrong* where the oracle resolves that name on that line, but never to this target, and
 * *unjudged* where the oracle is silent.
 */
import { sameName, writtenName } from './places.mjs';

/** Kinds that are not definitions of their own: left out at symbol level. */
const NO_SYMBOL = new Set(['parameter', 'module']);
/** Evidence that no compiler has an opinion on: such edges are not judged at all. */
const BEYOND_COMPILERS = new Set(['fixture', 'string', 'cython', 'test-import', 'test-name']);

const key = (...parts) => parts.join('\0');

/** Reads an oracle's references into look-ups; files that git does not list or we do not read are left out. */
export function readOracle(lines, files, places) {
  const oracle = {
    filePairs: new Set(),
    /** (file, container, target file, target symbol) -> first reference, cross-file definitions only */
    wanted: new Map(),
    targets: new Set(),
    /** (file, line) -> references there */
    sites: new Map(),
    seen: new Set(),
  };
  for (const line of lines) {
    const ref = JSON.parse(line);
    if (!files.has(ref.from)) continue;
    oracle.seen.add(ref.from);
    const site = key(ref.from, ref.line);
    const at = oracle.sites.get(site);
    if (at) at.push(ref);
    else oracle.sites.set(site, [ref]);
    if (ref.to === null) continue;
    if (ref.to !== ref.from && ref.kind !== 'parameter') oracle.filePairs.add(key(ref.from, ref.to));
    if (NO_SYMBOL.has(ref.kind)) continue;
    const container = places.containerAt(ref.from, ref.line);
    const definitions = [[ref.to, ref.toLine], ...(ref.also ?? [])];
    definitions.forEach(([path, toLine], index) => {
      const { symbol, exact } = places.definitionAt(path, toLine, ref.symbol ?? ref.name);
      const unit = key(ref.from, container, path, symbol);
      oracle.targets.add(unit);
      if (index > 0 || path === ref.from || !files.has(path) || oracle.wanted.has(unit)) return;
      oracle.wanted.set(unit, { ...ref, container, toSymbol: symbol, exact });
    });
  }
  return oracle;
}

/** Whether a file-only edge is right: any reference of the file to the target file, or a module that is another. */
function judgeFileEdge(path, edge, oracle) {
  if (oracle.filePairs.has(key(path, edge.to.path))) return 'correct';
  const modules = (oracle.sites.get(key(path, edge.line)) ?? []).filter(({ kind }) => kind === 'module');
  return modules.length > 0 ? 'wrong' : 'unjudged';
}

function judgeSymbolEdge(path, edge, oracle, places) {
  const reaches = (container) => oracle.targets.has(key(path, container, edge.to.path, sameName(edge.to.symbol)));
  if (places.containersOf(path, edge).some(reaches)) return 'correct';
  const name = writtenName(edge.to.symbol);
  const rivals = (oracle.sites.get(key(path, edge.line)) ?? []).filter(
    (ref) => ref.name === name || ref.symbol === name,
  );
  return rivals.length > 0 ? 'wrong' : 'unjudged';
}

/** Every edge with its verdict, those beyond compilers left out. */
export function judge(files, oracle, places) {
  const judged = [];
  for (const [path, { language, edges }] of files) {
    for (const edge of edges) {
      if (BEYOND_COMPILERS.has(edge.provenance)) continue;
      const verdict =
        edge.to.symbol === undefined ? judgeFileEdge(path, edge, oracle) : judgeSymbolEdge(path, edge, oracle, places);
      judged.push({ path, language, edge, verdict, containers: places.containersOf(path, edge) });
    }
  }
  return judged;
}
