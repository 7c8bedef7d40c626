/**
 * Shape checks for what is read from an index. Its files may be truncated, of another version or made to hurt:
 * what does not have the shape of the schema counts as absent. By hand, since a schema validator would cost every
 * search more than the search itself.
 */
import type { Index } from '../sidecars/index.generated.js';
import type { Flow, Neighbours, Sidecar, SidecarSymbol } from '../sidecars/sidecar.generated.js';

/** More than any builder writes: a kind lists at most 20 neighbours. */
const MOST_ITEMS = 100;

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

/** What a path in normal form does not have: an empty, `.` or `..` part, or a NUL. */
const NOT_NORMAL = /^\/|\/$|\/\/|(?:^|\/)\.\.?(?:\/|$)|\0/;

/** The same paths come up in sidecar after sidecar. */
const checked = new Set<string>();

/** A repository path: relative, inside the tree, in normal form. */
export function isRepositoryPath(value: unknown): value is string {
  if (typeof value !== 'string' || value === '') return false;
  if (checked.has(value)) return true;
  if (value.length > 4096 || NOT_NORMAL.test(value)) return false;
  checked.add(value);
  return true;
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

export function isNeighbours(value: unknown): value is Neighbours {
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

/** A symbol but for its neighbours, which are checked when they are unpacked. */
export function isSymbol(value: unknown): value is SidecarSymbol {
  if (!isObject(value) || !isText(value.name) || !isText(value.kind) || !isText(value.signature)) return false;
  return isCount(value.line) && isCount(value.endLine);
}

export function isFlow(value: unknown): value is Flow {
  if (!isObject(value) || !isText(value.name) || !isOptional(value.symbol, isText)) return false;
  if (!isObject(value.entry) || !isRepositoryPath(value.entry.path)) return false;
  return isOptional(value.entry.symbol, isText) && isCount(value.step) && isCount(value.steps);
}

export function isCommunity(value: unknown): value is NonNullable<Sidecar['community']> {
  return isObject(value) && isText(value.label) && typeof value.cohesion === 'number';
}

/** The value where it is a list of at most `most` things that all pass the check. */
export function manyOf<T>(value: unknown, check: (value: unknown) => value is T, most: number): T[] | undefined {
  return Array.isArray(value) && value.length <= most && value.every(check) ? value : undefined;
}

/** Whether parsed JSON says of itself that it is the sidecar of `path`, in the schema version that this build knows. */
export function isHeadOf(value: unknown, path: string): value is Sidecar {
  if (!isObject(value) || value.schemaVersion !== 1 || value.path !== path) return false;
  return isText(value.content) && isText(value.role) && isCount(value.lines) && isOptional(value.language, isText);
}

/** Whether parsed JSON is an index.json in the schema version that this build knows. */
export function isIndex(value: unknown): value is Index {
  return isObject(value) && value.schemaVersion === 1 && isObject(value.counts) && isText(value.tree);
}
