/**
 * Shape checks for what is read from an index. Its files may be truncated, of another version or made to hurt:
 * what does not have the shape of the schema counts as absent. By hand, since a schema validator would cost every
 * search more than the search itself.
 */
import type { Index } from '../sidecars/index.generated.js';
import type { Neighbours, Sidecar, SidecarSymbol } from '../sidecars/sidecar.generated.js';

/** More than any builder writes: a kind lists at most 20 neighbours. */
const MOST_ITEMS = 100;
const MOST_SYMBOLS = 50_000;
const MOST_FLOWS = 1000;

type Json = Record<string, unknown>;

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isOptional(value: unknown, check: (value: unknown) => boolean): boolean {
  return value === undefined || check(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= 4096;
}

/** A repository path: relative, inside the tree, in normal form. */
export function isRepositoryPath(value: unknown): value is string {
  if (!isText(value) || value === '' || value.includes('\0')) return false;
  return value.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
}

function isNeighbour(value: unknown): boolean {
  if (!isObject(value) || !isRepositoryPath(value.path) || !isOptional(value.symbol, isText)) return false;
  if (!isOptional(value.line, isCount) || !isOptional(value.commits, isCount)) return false;
  if (!isOptional(value.provenance, isText)) return false;
  if (!isOptional(value.words, (words) => Array.isArray(words) && words.length <= 20 && words.every(isText))) {
    return false;
  }
  const weight = value.confidence ?? value.score;
  return typeof weight === 'number' && Number.isFinite(weight) && weight >= 0;
}

function isNeighbours(value: unknown): value is Neighbours {
  if (!isObject(value)) return false;
  return Object.values(value).every(
    (kind) =>
      isObject(kind) &&
      isCount(kind.total) &&
      Array.isArray(kind.items) &&
      kind.items.length <= MOST_ITEMS &&
      kind.items.every(isNeighbour),
  );
}

function isSymbol(value: unknown): value is SidecarSymbol {
  if (!isObject(value) || !isText(value.name) || !isText(value.kind) || !isText(value.signature)) return false;
  return isCount(value.line) && isCount(value.endLine) && isOptional(value.neighbours, isNeighbours);
}

function isFlow(value: unknown): boolean {
  if (!isObject(value) || !isText(value.name) || !isOptional(value.symbol, isText)) return false;
  if (!isObject(value.entry) || !isRepositoryPath(value.entry.path)) return false;
  return isOptional(value.entry.symbol, isText) && isCount(value.step) && isCount(value.steps);
}

function isCommunity(value: unknown): boolean {
  return isObject(value) && isText(value.label) && typeof value.cohesion === 'number';
}

/** Whether parsed JSON is the sidecar of `path` in the schema version that this build knows. */
export function isSidecarOf(value: unknown, path: string): value is Sidecar {
  if (!isObject(value) || value.schemaVersion !== 1 || value.path !== path) return false;
  if (!isText(value.content) || !isText(value.role) || !isCount(value.lines)) return false;
  if (!isOptional(value.language, isText) || !isOptional(value.community, isCommunity)) return false;
  if (!Array.isArray(value.symbols) || value.symbols.length > MOST_SYMBOLS || !value.symbols.every(isSymbol)) {
    return false;
  }
  if (!Array.isArray(value.flows) || value.flows.length > MOST_FLOWS || !value.flows.every(isFlow)) return false;
  return isNeighbours(value.neighbours);
}

/** Whether parsed JSON is an index.json in the schema version that this build knows. */
export function isIndex(value: unknown): value is Index {
  return isObject(value) && value.schemaVersion === 1 && isObject(value.counts) && isText(value.tree);
}
