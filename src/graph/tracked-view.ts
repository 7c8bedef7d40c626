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

/** A question with its answer: both are the same for every file that asks. */
interface Question<T = unknown> {
  readonly text: string;
  readonly answer: T;
  /** The last recording that has it. */
  recording: number;
}

/** What was asked while something was worked out: directly, and by derived questions. */
interface Recording {
  readonly id: number;
  /** May name a question twice, where a derived one asked it in between. */
  readonly own: Question[];
  readonly derived: Derived[];
}

interface Derived {
  readonly value: unknown;
  readonly own: readonly Question[];
  readonly derived: readonly Derived[];
  recording: number;
}

type ByText<T> = Map<string, Question<T>>;

/**
 * Questions are kept as objects that know their last asker, since a build asks millions of times: to ask again costs
 * one comparison, and what a derived question asked is listed once per file, however often the file needs it.
 */
export class TrackedView implements LinkView {
  private recordings = 0;
  private current: Recording = { id: 0, own: [], derived: [] };
  private readonly derived = new Map<string, Derived>();
  private readonly inProgress = new Set<string>();
  private readonly paths: ByText<boolean> = new Map();
  private readonly dirs: ByText<boolean> = new Map();
  private readonly lists: ByText<readonly string[]> = new Map();
  private readonly entries = new Map<string, ByText<Json | undefined>>();
  private readonly names: ByText<Definers> = new Map();
  private readonly scopes = new Map<string, ByText<readonly string[]>>();

  constructor(private readonly source: AnswerSource) {}

  private open(): Recording {
    this.recordings += 1;
    return { id: this.recordings, own: [], derived: [] };
  }

  /** Runs `body` and returns its result with the questions it asked, each once. */
  record<T>(body: () => T): { readonly value: T; readonly asked: readonly string[] } {
    const outer = this.current;
    const recording = this.open();
    this.current = recording;
    try {
      return { value: body(), asked: this.expanded(recording) };
    } finally {
      this.current = outer;
    }
  }

  private expanded(recording: Recording): string[] {
    const asked: string[] = [];
    const { id } = this.open();
    const visit = ({ own, derived }: Pick<Recording, 'own' | 'derived'> | Derived): void => {
      for (const question of own) {
        if (question.recording === id) continue;
        question.recording = id;
        asked.push(question.text);
      }
      for (const other of derived) {
        if (other.recording === id) continue;
        other.recording = id;
        visit(other);
      }
    };
    visit(recording);
    return asked;
  }

  private ask<T>(known: ByText<T>, key: string, text: (key: string) => string, answer: (key: string) => T): T {
    let question = known.get(key);
    if (!question) {
      question = { text: text(key), answer: answer(key), recording: 0 };
      known.set(key, question);
    }
    if (question.recording !== this.current.id) {
      question.recording = this.current.id;
      this.current.own.push(question);
    }
    return question.answer;
  }

  has(path: string): boolean {
    return this.ask(this.paths, path, questions.has, (path) => this.source.has(path));
  }

  hasDir(dir: string): boolean {
    return this.ask(this.dirs, dir, questions.hasDir, (dir) => this.source.hasDir(dir));
  }

  list(dir: string): readonly string[] {
    return this.ask(this.lists, dir, questions.list, (dir) => this.source.list(dir));
  }

  entry(path: string, key: string): Json | undefined {
    return this.ask(
      within(this.entries, path),
      key,
      (key) => questions.entry(path, key),
      (key) => {
        const entries = this.source.surface(path)?.entries;
        return entries !== undefined && Object.hasOwn(entries, key) ? entries[key] : undefined;
      },
    );
  }

  definers(name: string): Definers {
    return this.ask(this.names, name, questions.definers, (name) => {
      const all = this.source.definers(name);
      return all.length === 0 ? NOBODY : { total: all.length, first: all.slice(0, DEFINERS_SHOWN) };
    });
  }

  scope(scope: string, name: string): readonly string[] {
    return this.ask(
      within(this.scopes, scope),
      name,
      (name) => questions.scope(scope, name),
      (name) => this.source.scope(scope, name),
    );
  }

  derive<T>(id: string, compute: () => T): T {
    const known = this.derived.get(id) ?? this.work(id, compute);
    if (known.recording !== this.current.id) {
      known.recording = this.current.id;
      this.current.derived.push(known);
    }
    return known.value as T;
  }

  private work(id: string, compute: () => unknown): Derived {
    // A cached half-result would depend on which file happened to ask first.
    if (this.inProgress.has(id)) throw new Error(`derived question asks for itself: ${id}`);
    const outer = this.current;
    const recording = this.open();
    this.current = recording;
    this.inProgress.add(id);
    try {
      const known: Derived = { value: compute(), own: recording.own, derived: recording.derived, recording: 0 };
      this.derived.set(id, known);
      return known;
    } finally {
      this.inProgress.delete(id);
      this.current = outer;
    }
  }
}

function within<T>(maps: Map<string, ByText<T>>, key: string): ByText<T> {
  let map = maps.get(key);
  if (!map) {
    map = new Map();
    maps.set(key, map);
  }
  return map;
}
