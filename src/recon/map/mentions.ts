/** Which files and symbols of the corpus a query names outright. */
import { nameOf } from '../repository.js';
import type { Corpus, CorpusSymbol } from './corpus.js';
import type { Frame, Query } from './query.js';

export interface Mentions {
  /** Per file, 0 to 1: how surely the query names it. */
  readonly files: Float64Array;
  /** Per symbol, 0 to 1. */
  readonly symbols: Float64Array;
}

/** A name that many symbols share points at none of them. */
const SHARED_BY = 40;

const CERTAIN = 1;
const MODULE = 0.7;
const BASENAME = 0.5;

class PathIndex {
  private readonly byName = new Map<string, number[]>();

  constructor(private readonly paths: readonly string[]) {
    paths.forEach((path, i) => {
      const name = nameOf(path);
      this.byName.set(name, [...(this.byName.get(name) ?? []), i]);
    });
  }

  /** Files whose path ends as the written one does, by most shared folders; none where several fit equally. */
  matching(written: string): { readonly files: readonly number[]; readonly shared: number } {
    const parts = written
      .replaceAll('\\', '/')
      .split('/')
      .filter((part) => part !== '' && part !== '.');
    const candidates = this.byName.get(parts.at(-1) ?? '') ?? [];
    let best: number[] = [];
    let shared = 0;
    for (const candidate of candidates) {
      const own = (this.paths[candidate] ?? '').split('/');
      let n = 0;
      while (n < own.length && n < parts.length && own.at(-1 - n) === parts.at(-1 - n)) n += 1;
      if (n > shared) {
        shared = n;
        best = [candidate];
      } else if (n === shared) best.push(candidate);
    }
    return { files: best, shared };
  }
}

function raise(scores: Float64Array, i: number, to: number): void {
  scores[i] = Math.max(scores[i] ?? 0, to);
}

/** Dotted module prefixes: `pkg.mod.Class.f` names `pkg/mod.py` and, in it, `Class.f`. */
function moduleFiles(paths: readonly string[]): Map<string, number[]> {
  const modules = new Map<string, number[]>();
  paths.forEach((path, i) => {
    const stem = path.replace(/(\/__init__|\/index)?\.[^./]+$/, '').split('/');
    for (let from = Math.max(0, stem.length - 6); from < stem.length; from += 1) {
      const key = stem.slice(from).join('.');
      const known = modules.get(key);
      if (known) known.push(i);
      else modules.set(key, [i]);
    }
  });
  return modules;
}

function symbolsByFile(corpus: Corpus): Map<number, number[]> {
  const byFile = new Map<number, number[]>();
  corpus.symbols.forEach(({ file }, i) => {
    const list = byFile.get(file);
    if (list) list.push(i);
    else byFile.set(file, [i]);
  });
  return byFile;
}

/** `a.b.c` and `b.c`: what is left of a dotted name when segments are taken from its front, two at least. */
function tails(dotted: string): string[] {
  const segments = dotted.split('.');
  return segments.slice(0, -1).map((_, i) => segments.slice(i).join('.'));
}

/** The symbols by name, of the wanted names only: a query names few of many. */
function symbolsCalled(
  { symbols }: Corpus,
  wanted: { has(name: string): boolean; readonly size: number },
  nameIn: (symbol: CorpusSymbol) => string,
): Map<string, number[]> {
  const found = new Map<string, number[]>();
  if (wanted.size === 0) return found;
  symbols.forEach((symbol, i) => {
    const name = nameIn(symbol);
    if (!wanted.has(name)) return;
    const list = found.get(name);
    if (list) list.push(i);
    else found.set(name, [i]);
  });
  return found;
}

/** Deeper frames are closer to the fault: the last of a Python traceback counts in full. */
function frameWeights(frames: readonly Frame[]): readonly number[] {
  return frames.map((_, i) => 0.5 + (0.5 * (i + 1)) / frames.length);
}

export function mentionsOf(corpus: Corpus, query: Query): Mentions {
  const files = new Float64Array(corpus.paths.length);
  const symbols = new Float64Array(corpus.symbols.length);
  const index = new PathIndex(corpus.paths);
  const own = query.frames.length + query.dotted.length === 0 ? new Map<number, number[]>() : symbolsByFile(corpus);
  const weights = frameWeights(query.frames);
  query.frames.forEach(({ path, line, name }, i) => {
    const { files: found, shared } = index.matching(path);
    if (found.length !== 1 || (shared < 2 && path.includes('/'))) return;
    const file = found[0] ?? 0;
    const weight = weights[i] ?? 0;
    raise(files, file, weight);
    for (const symbol of own.get(file) ?? []) {
      const { name: qualified, line: first, endLine } = corpus.symbols[symbol] as (typeof corpus.symbols)[number];
      const last = qualified.slice(qualified.lastIndexOf('.') + 1);
      // The lines are of another version than the index: the name decides, the line is a second best.
      const called = name === undefined ? undefined : name.slice(name.lastIndexOf('.') + 1);
      if (called !== undefined ? last === called : first <= line && line <= endLine) raise(symbols, symbol, weight);
    }
  });
  for (const path of query.paths) {
    const { files: found, shared } = index.matching(path);
    const whole = shared >= path.split('/').filter((part) => part !== '' && part !== '.').length;
    if (found.length === 0 || found.length > 3) continue;
    for (const file of found)
      raise(files, file, (shared >= 2 || (whole && found.length === 1) ? CERTAIN : BASENAME) / found.length);
  }
  const modules = query.dotted.length === 0 ? new Map<string, number[]>() : moduleFiles(corpus.paths);
  const byQualified = symbolsCalled(corpus, new Set(query.dotted.flatMap(tails)), ({ name }) => name);
  const byLast = symbolsCalled(corpus, query.identifiers, ({ name }) => name.slice(name.lastIndexOf('.') + 1));
  for (const dotted of query.dotted) {
    const segments = dotted.split('.');
    for (let n = segments.length; n >= 1; n -= 1) {
      const found = modules.get(segments.slice(0, n).join('.'));
      if (!found || found.length > 3 || (n === 1 && segments.length < 3)) continue;
      for (const file of found) {
        raise(files, file, MODULE / found.length);
        const rest = segments.slice(n).join('.');
        for (const symbol of rest === '' ? [] : (own.get(file) ?? [])) {
          const { name } = corpus.symbols[symbol] as (typeof corpus.symbols)[number];
          if (name === rest) raise(symbols, symbol, CERTAIN);
        }
      }
      break;
    }
    for (const tail of tails(dotted)) {
      const found = byQualified.get(tail) ?? [];
      for (const symbol of found) raise(symbols, symbol, CERTAIN / Math.sqrt(found.length));
    }
  }
  for (const [identifier, prominence] of query.identifiers) {
    const found = byLast.get(identifier);
    if (!found || found.length > SHARED_BY) continue;
    for (const symbol of found) raise(symbols, symbol, Math.min(1, prominence / 2) / Math.sqrt(found.length));
  }
  return { files, symbols };
}
