/** Which questions of linking have other answers after some files changed. */
import type { FileFacts, Surface } from '../facts/model.js';
import { questions } from '../graph/tracked-view.js';
import type { Language } from '../languages/language.js';
import type { FolderOverlay } from './store-source.js';

/** What of a file others can ask about. */
export interface Visible {
  readonly surface?: Surface;
  readonly facts?: FileFacts;
  readonly language?: Language;
}

const same = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b);

function changedEntries(
  path: string,
  before: Surface | undefined,
  after: Surface | undefined,
  into: Set<string>,
): void {
  const old = before?.entries ?? {};
  const now = after?.entries ?? {};
  for (const key of new Set([...Object.keys(old), ...Object.keys(now)])) {
    if (!Object.hasOwn(old, key) || !Object.hasOwn(now, key) || !same(old[key], now[key])) {
      into.add(questions.entry(path, key));
    }
  }
}

/** Members of exactly one of two sets. */
export function symmetricDifference<T>(a: ReadonlySet<T>, b: ReadonlySet<T>): T[] {
  return [...[...a].filter((x) => !b.has(x)), ...[...b].filter((x) => !a.has(x))];
}

function scopeKeys(path: string, { facts, language }: Visible): Set<string> {
  const keys = new Set<string>();
  if (!facts || !language?.scopesOf) return keys;
  for (const { scope, names } of language.scopesOf(path, facts)) {
    for (const name of names) keys.add(questions.scope(scope, name));
  }
  return keys;
}

/**
 * Adds the questions whose answers differ because the file at `path` changed.
 * @param before undefined: there was no such file; likewise `after`
 */
export function changedQuestions(
  path: string,
  before: Visible | undefined,
  after: Visible | undefined,
  into: Set<string>,
): void {
  if ((before === undefined) !== (after === undefined)) into.add(questions.has(path));
  changedEntries(path, before?.surface, after?.surface, into);
  const defines = (visible: Visible | undefined): Set<string> => new Set(visible?.surface?.defines);
  for (const symbol of symmetricDifference(defines(before), defines(after))) {
    into.add(questions.definers(symbol.slice(symbol.lastIndexOf('.') + 1)));
  }
  for (const key of symmetricDifference(scopeKeys(path, before ?? {}), scopeKeys(path, after ?? {}))) into.add(key);
}

/** Adds the questions about folders whose answers differ. */
export function changedFolderQuestions(folders: FolderOverlay, into: Set<string>): void {
  for (const { dir, before, after } of folders.changes()) {
    into.add(questions.list(dir));
    if ((before === undefined) !== (after === undefined)) into.add(questions.hasDir(dir));
  }
}
