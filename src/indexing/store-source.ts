/** Answers for linking from the store, with the changed files laid over it: the cost is what is asked. */
import { posix } from 'node:path';
import { decodeSurface } from '../facts/codec.js';
import type { Surface } from '../facts/model.js';
import type { AnswerSource } from '../graph/tracked-view.js';
import type { Definer } from '../graph/view.js';
import type { FactsStore } from '../io/facts-store.js';
import type { FileRecord, IndexStore } from '../io/index-store.js';
import { readerOf } from '../languages/registry.js';
import { hashKey } from './buckets.js';
import { type Content, factsOf } from './contents.js';

/** Thrown where the index has to be built anew: the store lacks what its records promise, or is of too little use. */
export class StoreIncomplete extends Error {}

export const folderOf = (path: string): string => {
  const dir = posix.dirname(path);
  return dir === '.' ? '' : dir;
};

export const lastSegment = (qualified: string): string => qualified.slice(qualified.lastIndexOf('.') + 1);

/** The parsed content of a record as the facts store keeps it; without facts where the file was not parsed. */
export function storedContent(facts: FactsStore, path: string, record: FileRecord): Content {
  const { number: _, words: __, ...rest } = record;
  const base: Content = { path, ...rest, words: '' };
  const reader = record.language === undefined ? undefined : readerOf(path);
  if (!reader) return base;
  const surface = facts.surface(record.id, reader);
  const body = facts.body(record.id, reader);
  if (!surface || !body) throw new StoreIncomplete(`facts of ${path} are gone`);
  return { ...base, reader, surface: decodeSurface(surface), body };
}

/** Names of a folder after additions and removals; undefined once nothing is left below it. */
export class FolderOverlay {
  private readonly names = new Map<string, Set<string> | undefined>();

  constructor(private readonly store: IndexStore) {}

  private load(dir: string): Set<string> | undefined {
    if (!this.names.has(dir)) {
      const stored = this.store.folder(dir);
      this.names.set(dir, stored && new Set(stored));
    }
    return this.names.get(dir);
  }

  add(path: string): void {
    let dir = folderOf(path);
    const names = this.load(dir) ?? new Set<string>();
    names.add(posix.basename(path));
    this.names.set(dir, names);
    while (dir !== '') {
      dir = folderOf(dir);
      if (!this.load(dir)) this.names.set(dir, new Set());
    }
  }

  remove(path: string): void {
    this.load(folderOf(path))?.delete(posix.basename(path));
  }

  /** Drops folders that nothing is left below. Call after the last change. */
  settle(): void {
    const empty = [...this.names].filter(([dir, names]) => dir !== '' && names?.size === 0).map(([dir]) => dir);
    for (let dir = empty.pop(); dir !== undefined; dir = empty.pop()) {
      if ((this.load(dir)?.size ?? 1) > 0 || this.hasFolderBelow(dir)) continue;
      this.names.set(dir, undefined);
      const parent = folderOf(dir);
      if (parent !== '') empty.push(parent);
    }
  }

  private hasFolderBelow(dir: string): boolean {
    for (const [other, names] of this.names) if (names && other.startsWith(`${dir}/`)) return true;
    for (const other of this.store.foldersBelow(dir)) if (!this.names.has(other)) return true;
    return false;
  }

  has(dir: string): boolean {
    return this.load(dir) !== undefined;
  }

  list(dir: string): readonly string[] {
    return [...(this.load(dir) ?? [])].sort();
  }

  /** Folders whose names or existence changed, with what the store had. */
  *changes(): Generator<{
    readonly dir: string;
    readonly before: readonly string[] | undefined;
    readonly after: readonly string[] | undefined;
  }> {
    for (const dir of this.names.keys()) {
      const before = this.store.folder(dir);
      const after = this.has(dir) ? this.list(dir) : undefined;
      if (before?.join('/') !== after?.join('/') || (before === undefined) !== (after === undefined)) {
        yield { dir, before, after };
      }
    }
  }
}

function append<T>(lists: Map<string, T[]>, key: string, item: T): void {
  const list = lists.get(key);
  if (list) list.push(item);
  else lists.set(key, [item]);
}

const byPathThenSymbol = (a: Definer, b: Definer): number =>
  a.path < b.path ? -1 : a.path > b.path ? 1 : a.symbol < b.symbol ? -1 : a.symbol > b.symbol ? 1 : 0;

export class StoreSource implements AnswerSource {
  private readonly surfaces = new Map<string, Surface | undefined>();
  private readonly definersByName = new Map<string, readonly Definer[]>();
  private readonly definersAdded = new Map<string, Definer[]>();
  private readonly scopesAdded = new Map<string, string[]>();

  /** @param changed new contents of changed paths; undefined: deleted */
  constructor(
    private readonly store: IndexStore,
    private readonly facts: FactsStore,
    private readonly changed: ReadonlyMap<string, Content | undefined>,
    private readonly folders: FolderOverlay,
  ) {
    for (const [path, content] of changed) {
      for (const symbol of content?.surface?.defines ?? []) {
        append(this.definersAdded, lastSegment(symbol), { path, symbol });
      }
      const scopesOf = content?.reader?.language.scopesOf;
      const facts = content && scopesOf && factsOf(content);
      if (!facts || !scopesOf) continue;
      for (const { scope, names } of scopesOf(path, facts)) {
        for (const name of new Set(names)) {
          append(this.scopesAdded, `${scope}\0${name}`, path);
        }
      }
    }
  }

  has(path: string): boolean {
    return this.changed.has(path) ? this.changed.get(path) !== undefined : this.store.file(path) !== undefined;
  }

  hasDir(dir: string): boolean {
    return this.folders.has(dir);
  }

  list(dir: string): readonly string[] {
    return this.folders.list(dir);
  }

  surface(path: string): Surface | undefined {
    if (this.changed.has(path)) return this.changed.get(path)?.surface;
    if (!this.surfaces.has(path)) this.surfaces.set(path, this.load(path));
    return this.surfaces.get(path);
  }

  private load(path: string): Surface | undefined {
    const record = this.store.file(path);
    const reader = record?.language === undefined ? undefined : readerOf(path);
    if (!record || !reader) return undefined;
    const bytes = this.facts.surface(record.id, reader);
    if (!bytes) throw new StoreIncomplete(`facts of ${path} are gone`);
    return decodeSurface(bytes);
  }

  /** Unchanged files under a key of a look-up. */
  private unchanged(lookUp: 'definers' | 'scopes', key: string): string[] {
    const { high, low } = hashKey(key);
    return this.store
      .lookUp(lookUp, high, low)
      .flatMap((number) => this.store.path(number) ?? [])
      .filter((path) => !this.changed.has(path));
  }

  definers(name: string): readonly Definer[] {
    let known = this.definersByName.get(name);
    if (!known) {
      known = this.unchanged('definers', name)
        .flatMap((path) =>
          (this.surface(path)?.defines ?? [])
            .filter((symbol) => lastSegment(symbol) === name)
            .map((symbol) => ({ path, symbol })),
        )
        .concat(this.definersAdded.get(name) ?? [])
        .sort(byPathThenSymbol);
      this.definersByName.set(name, known);
    }
    return known;
  }

  scope(scope: string, name: string): readonly string[] {
    const key = `${scope}\0${name}`;
    return [...this.unchanged('scopes', key), ...(this.scopesAdded.get(key) ?? [])].sort();
  }
}
