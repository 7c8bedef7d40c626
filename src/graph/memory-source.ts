/** Answers for linking, from the facts of all files held in memory (a whole build). */
import { posix } from 'node:path';
import type { FileFacts, Surface } from '../facts/model.js';
import type { Language } from '../languages/language.js';
import type { AnswerSource } from './tracked-view.js';
import type { Definer } from './view.js';

export interface KnownFile {
  readonly path: string;
  readonly surface?: Surface;
  readonly facts?: FileFacts;
  readonly language?: Language;
}

const byPathThenSymbol = (a: Definer, b: Definer): number =>
  a.path < b.path ? -1 : a.path > b.path ? 1 : a.symbol < b.symbol ? -1 : a.symbol > b.symbol ? 1 : 0;

const lastSegment = (qualified: string): string => qualified.slice(qualified.lastIndexOf('.') + 1);

export class MemorySource implements AnswerSource {
  private readonly surfaces = new Map<string, Surface | undefined>();
  private readonly folders = new Map<string, string[]>();
  private readonly definersByName = new Map<string, Definer[]>();
  private readonly scopes = new Map<string, string[]>();

  constructor(files: Iterable<KnownFile>) {
    for (const file of files) this.add(file);
    for (const names of this.folders.values()) names.sort();
    for (const definers of this.definersByName.values()) definers.sort(byPathThenSymbol);
    for (const paths of this.scopes.values()) paths.sort();
  }

  private add({ path, surface, facts, language }: KnownFile): void {
    this.surfaces.set(path, surface);
    let dir = posix.dirname(path);
    if (dir === '.') dir = '';
    this.folder(dir).push(posix.basename(path));
    while (dir !== '') {
      const parent = posix.dirname(dir);
      dir = parent === '.' ? '' : parent;
      this.folder(dir);
    }
    for (const symbol of surface?.defines ?? []) {
      const name = lastSegment(symbol);
      const definers = this.definersByName.get(name);
      if (definers) definers.push({ path, symbol });
      else this.definersByName.set(name, [{ path, symbol }]);
    }
    if (facts && language?.scopesOf) {
      for (const { scope, names } of language.scopesOf(path, facts)) {
        for (const name of new Set(names)) {
          const key = `${scope}\0${name}`;
          const paths = this.scopes.get(key);
          if (paths) paths.push(path);
          else this.scopes.set(key, [path]);
        }
      }
    }
  }

  private folder(dir: string): string[] {
    let names = this.folders.get(dir);
    if (!names) {
      names = [];
      this.folders.set(dir, names);
    }
    return names;
  }

  has(path: string): boolean {
    return this.surfaces.has(path);
  }

  hasDir(dir: string): boolean {
    return this.folders.has(dir);
  }

  list(dir: string): readonly string[] {
    return this.folders.get(dir) ?? [];
  }

  surface(path: string): Surface | undefined {
    return this.surfaces.get(path);
  }

  definers(name: string): readonly Definer[] {
    return this.definersByName.get(name) ?? [];
  }

  scope(scope: string, name: string): readonly string[] {
    return this.scopes.get(`${scope}\0${name}`) ?? [];
  }
}
