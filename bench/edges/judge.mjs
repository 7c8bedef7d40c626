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
/** A type that satisfies an interface need not name it: nothing in its file refers to it. */
const IMPLEMENTS = 'implements';
/** Evidence that no compiler has an opinion on: such edges are not judged at all. */
const BEYOND_COMPILERS = new Set([
  'fixture',
  'string',
  'cython',
  'declaration',
  'test-import',
  'test-name',
  'documentation',
  'configuration',
]);

const key = (...parts) => parts.join('\0');

/**
 * Whether an oracle's answer is known to be arbitrary. Such a reference counts as silence.
 * - scip-python resolves all names of a wildcard import to its first one, and slots to their class: `Client` becomes
 *   `AsyncClient`, though the repository defines a `Client` and no import gives that name to anything.
 * - scip-typescript names one of the declarations that merge, which may be the `declare module` block of some test.
 * - JSX tags of the platform (`<p>`) name nothing that a reader would follow to the table of all tags.
 */
function isArbitrary({ name, symbol, kind, from, line, to, toLine }, places) {
  if (kind === 'term' && to !== from && places.isIntrinsicTag(from, line, name)) return true;
  if (to !== from && places.isAugmentation(to, toLine)) return true;
  if (symbol === undefined || name === symbol || NO_SYMBOL.has(kind) || sameName(`.${symbol}`) === '') return false;
  return places.definitions.has(name) && !places.aliases.has(name);
}

/**
 * Reads an oracle's references into look-ups. Files that we do not read are left out.
 * - `sites`: (file, line) -> references there; `seen`: the files that have any
 * - `pairs`, `targets`: what counts as right: (file, file) and (file, container, file, symbol)
 * - `wantedPairs`, `wanted`: what has to be found, cross-file, with a reference that shows it
 * - `wantedImplementations`: (file, type, file, interface) that a type satisfies: no reference, so counted apart
 */
export function readOracle(lines, files, places) {
  const oracle = {
    sites: new Map(),
    seen: new Set(),
    pairs: new Set(),
    targets: new Set(),
    wantedPairs: new Map(),
    wanted: new Map(),
    wantedImplementations: new Map(),
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
    ref.arbitrary = isArbitrary(ref, places);
    const definitions = [[ref.to, ref.toLine], ...(ref.also ?? [])];
    const held = places.heldBy(ref);
    if (held?.isExport && !held.definition) ref.arbitrary = true;
    if (held?.definition) definitions.splice(held.isExport ? 0 : 1, held.isExport ? 1 : 0, held.definition);
    const implementation = places.implementationOf(ref);
    if (implementation) definitions.push(implementation);
    addDefinitions(oracle, ref, definitions, implementation, files, places);
  }
  return oracle;
}

function addDefinitions(oracle, ref, definitions, implementation, files, places) {
  const { from } = ref;
  const paths = [...new Set(definitions.map(([path]) => path))];
  const crossFile = !paths.includes(from);
  if (crossFile && ref.kind !== 'parameter' && !ref.arbitrary) {
    for (const path of paths) oracle.pairs.add(key(from, path));
    // Of a declaration that several files merge into, either file would do: nothing to be demanded. Of declarations
    // and the script that implements them, either is demanded.
    const pair = key(from, paths[0]);
    const demanded = ref.kind !== IMPLEMENTS && paths.length === (implementation ? 2 : 1);
    if (demanded && !oracle.wantedPairs.has(pair)) {
      oracle.wantedPairs.set(pair, { ...ref, anyOf: paths.map((path) => key(from, path)) });
    }
  }
  if (ref.arbitrary) return;
  const container = places.containerAt(from, ref.line);
  const units = [];
  for (const [path, toLine] of definitions) {
    const { symbol, exact, value } = places.definitionAt(path, toLine, ref.symbol ?? ref.name);
    // Namespaces and parameters that are fields are definitions of ours, other modules and parameters are not.
    if (NO_SYMBOL.has(ref.kind) && !exact) return;
    units.push({ unit: key(from, container, path, symbol), symbol, exact, value });
  }
  for (const { unit } of units) oracle.targets.add(unit);
  const [{ unit, symbol, exact, value }] = units;
  const wanted = ref.kind === IMPLEMENTS ? oracle.wantedImplementations : oracle.wanted;
  if (!crossFile || NO_SYMBOL.has(ref.kind) || !paths.some((path) => files.has(path)) || wanted.has(unit)) return;
  wanted.set(unit, { ...ref, container, toSymbol: symbol, exact, value, anyOf: units.map((each) => each.unit) });
}

/** Whether a file-only edge is right: any reference of the file to the target file, or a module that is another. */
function judgeFileEdge(path, edge, oracle) {
  if (oracle.pairs.has(key(path, edge.to.path))) return 'correct';
  const modules = (oracle.sites.get(key(path, edge.line)) ?? []).filter(
    ({ kind, arbitrary }) => kind === 'module' && !arbitrary,
  );
  return modules.length > 0 ? 'wrong' : 'unjudged';
}

function judgeSymbolEdge(path, edge, oracle, places) {
  const reaches = (container) => oracle.targets.has(key(path, container, edge.to.path, sameName(edge.to.symbol)));
  if (places.containersOf(path, edge).some(reaches)) return 'correct';
  const name = writtenName(edge.to.symbol);
  const refs = (oracle.sites.get(key(path, edge.line)) ?? []).filter((ref) => !ref.arbitrary);
  const written = refs.filter((ref) => ref.name === name).length;
  // `{ limit }`: scip-typescript resolves it to the variable alone.
  if (written > 0 && edge.type === 'references' && places.isShorthand(path, edge.line, name)) return 'unjudged';
  // `node.type`: scip-python resolves it to the builtin.
  const isOutside = written > 0 && refs.every((ref) => ref.name !== name || ref.to === null);
  if (isOutside && places.isBuiltinAttribute(path, edge.line, name)) return 'unjudged';
  // `const { click } = page; click()`: it resolves the call to the local, and says nothing of what that stands for.
  const isLocal = written > 0 && refs.every((ref) => ref.name !== name || ref.kind === 'local');
  if (isLocal && edge.type === 'calls' && edge.provenance.endsWith('-receiver')) return 'unjudged';
  // `dayjs.locale(locale)`: where the name is on the line more often than the oracle resolves it, ours may be the other.
  if (written > 0) return places.timesWritten(path, edge.line, name) > written ? 'unjudged' : 'wrong';
  return refs.some((ref) => ref.symbol === name) ? 'wrong' : 'unjudged';
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
