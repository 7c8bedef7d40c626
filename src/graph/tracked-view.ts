/** `LinkView` over any source of answers, recording the questions that each file asks. */
import type { Json, Surface } from '../facts/model.js';
import { DEFINERS_SHOWN, type Definer, type Definers, type LinkView } from './view.js';

/** Where answers come from: memory while building, the store while aligning. All paths are repository paths. */
export interface AnswerSource {
  has(path: string): boolean;
  hasDir(dir: string): boolean;
  list(dir: string): readonly string[];
  surface(path: string): Surface | undefined;
  /** All definers of a last name segment, sorted by path, then symbol. */
  definers(name: string): readonly Definer[];
  scope(scope: string, name: string): readonly string[];
}

/** Questions as strings: a letter for the kind, then its arguments separated by NUL. */
export const questions = {
  has: (path: string) => `h${path}`,
  hasDir: (dir: string) => `d${dir}`,
  list: (dir: string) => `l${dir}`,
  entry: (path: string, key: string) => `e${path}\0${key}`,
  definers: (name: string) => `n${name}`,
  scope: (scope: string, name: string) => `s${scope}\0${name}`,
} as const;

const NOBODY: Definers = { total: 0, first: [] };

export class TrackedView implements LinkView {
  private asked = new Set<string>();
  private readonly derived = new Map<string, { readonly value: unknown; readonly asked: readonly string[] }>();
  private readonly inProgress = new Set<string>();

  constructor(private readonly source: AnswerSource) {}

  /** Runs `body` and returns its result with the questions it asked, in the order of first asking. */
  record<T>(body: () => T): { readonly value: T; readonly asked: readonly string[] } {
    const outer = this.asked;
    this.asked = new Set();
    try {
      const value = body();
      return { value, asked: [...this.asked] };
    } finally {
      this.asked = outer;
    }
  }

  has(path: string): boolean {
    this.asked.add(questions.has(path));
    return this.source.has(path);
  }

  hasDir(dir: string): boolean {
    this.asked.add(questions.hasDir(dir));
    return this.source.hasDir(dir);
  }

  list(dir: string): readonly string[] {
    this.asked.add(questions.list(dir));
    return this.source.list(dir);
  }

  entry(path: string, key: string): Json | undefined {
    this.asked.add(questions.entry(path, key));
    const entries = this.source.surface(path)?.entries;
    return entries !== undefined && Object.hasOwn(entries, key) ? entries[key] : undefined;
  }

  definers(name: string): Definers {
    this.asked.add(questions.definers(name));
    const all = this.source.definers(name);
    if (all.length === 0) return NOBODY;
    return { total: all.length, first: all.slice(0, DEFINERS_SHOWN) };
  }

  scope(scope: string, name: string): readonly string[] {
    this.asked.add(questions.scope(scope, name));
    return this.source.scope(scope, name);
  }

  derive<T>(id: string, compute: () => T): T {
    let known = this.derived.get(id);
    if (known === undefined) {
      // A cached half-result would depend on which file happened to ask first.
      if (this.inProgress.has(id)) throw new Error(`derived question asks for itself: ${id}`);
      this.inProgress.add(id);
      try {
        known = this.record(compute);
      } finally {
        this.inProgress.delete(id);
      }
      this.derived.set(id, known);
    }
    for (const question of known.asked) this.asked.add(question);
    return known.value as T;
  }
}
