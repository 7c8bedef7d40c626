/**
 * What one agent has seen, as a value: state in, state out. Old entries fade, since an agent's context is
 * compacted: a file that was shown long ago may be named again.
 */
import type { Anchor } from './anchors.js';
import type { SeenFile, SessionState, ShownFile } from './request.js';

/** A file shown this many searches ago counts as not seen. */
export const FADES_AFTER = 12;
/** Searches whose anchors are remembered as intent. */
const TRAIL = 6;
const TERMS = 40;
const FILES = 600;
const TRAIL_ANCHORS = 8;

export const NEW_SESSION: SessionState = { version: 1, searches: 0, files: {}, trail: [], terms: [] };

/** Whether the value, read from wherever the caller keeps it, is a state of this version. */
export function isSessionState(value: unknown): value is SessionState {
  const state = value as SessionState | null;
  return (
    typeof state === 'object' &&
    state !== null &&
    state.version === 1 &&
    Number.isInteger(state.searches) &&
    typeof state.files === 'object' &&
    state.files !== null &&
    Array.isArray(state.trail) &&
    Array.isArray(state.terms)
  );
}

/** What the session has seen of a file, undefined where it has not or where that was long ago. */
export function seen(state: SessionState, path: string): SeenFile | undefined {
  const file = Object.hasOwn(state.files, path) ? state.files[path] : undefined;
  return file && state.searches + 1 - file.search <= FADES_AFTER ? file : undefined;
}

/** The session after a search that showed `results` itself and `shown` in its block. */
export function advance(
  state: SessionState,
  terms: readonly string[],
  anchors: readonly Anchor[],
  results: Iterable<string>,
  shown: readonly ShownFile[],
): SessionState {
  const search = state.searches + 1;
  const files = new Map<string, SeenFile>(
    Object.entries(state.files).filter(([, file]) => search - file.search < FADES_AFTER),
  );
  const put = (path: string, by: SeenFile['by'], names: readonly string[]): void => {
    const symbols = [...new Set([...(files.get(path)?.symbols ?? []), ...names])];
    files.delete(path);
    files.set(path, symbols.length > 0 ? { search, by, symbols } : { search, by });
  };
  for (const path of results) put(path, 'result', []);
  for (const { path, symbols, as } of shown) {
    put(path, as === 'anchor' ? 'result' : 'block', as === 'anchor' ? symbols.map(({ name }) => name) : []);
  }
  const strongest = [...anchors].sort((a, b) => b.weight - a.weight).slice(0, TRAIL_ANCHORS);
  return {
    version: 1,
    searches: search,
    files: Object.fromEntries([...files].slice(-FILES)),
    trail: [
      ...state.trail,
      { search, anchors: Object.fromEntries(strongest.map(({ path, weight }) => [path, Number(weight.toFixed(4))])) },
    ].slice(-TRAIL),
    terms: [...state.terms.filter((term) => !terms.includes(term)), ...terms].slice(-TERMS),
  };
}
