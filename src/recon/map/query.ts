/** What a query says: its words, and what it names outright (paths, modules, symbols, frames of a traceback). */
import { wordCounts } from './words.js';

/** Longer queries are read to here: the rest of a huge log says nothing new. */
const LONGEST_QUERY = 64_000;

export interface Frame {
  /** As written: may be absolute, or below site-packages. */
  readonly path: string;
  readonly line: number;
  readonly name?: string;
}

export interface Query {
  /** Words with their weight. */
  readonly words: ReadonlyMap<string, number>;
  /** Anything with a slash or a source suffix that looks like a path. */
  readonly paths: readonly string[];
  /** Dotted names of at least two segments: modules, qualified symbols. */
  readonly dotted: readonly string[];
  /** Words that are written like code (underscore, inner capital, call, back quotes), with how prominently. */
  readonly identifiers: ReadonlyMap<string, number>;
  readonly frames: readonly Frame[];
}

const PYTHON_FRAME = /File "([^"\n]+)", line (\d+)(?:, in ([\w<>.]+))?/g;
const NODE_FRAME =
  /at (?:(?:async |new )?([\w$.<>]+)(?: \[as [^\]]+\])? \()?(?:file:\/\/)?([^\s():]+\.[cm]?[jt]sx?):(\d+)/g;
const GO_FRAME = /^\s*(\S+\.go):(\d+)/gm;
const PATH = /(?:[\w@.~-]+\/)+[\w@.-]+|[\w-]+\.(?:pyx?|pyi|[cm]?[jt]sx?|go|vue|rs|java|rb|c|cc|h)\b/g;
const DOTTED = /[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+/g;
const CODE_WORD = /[A-Za-z_$][\w$]*/g;
const CODE_SPAN = /`([^`\n]{1,120})`/g;

const looksLikeCode = (word: string): boolean => /[a-z][A-Z]|_\w|^[A-Z][a-z]+[A-Z]|^[A-Z]{2,}[a-z]/.test(word);

const TITLE_WEIGHT = 2;

function frames(text: string): Frame[] {
  const found: Frame[] = [];
  for (const [, path = '', line, name] of text.matchAll(PYTHON_FRAME)) {
    found.push({ path, line: Number(line), ...(name === undefined || name.startsWith('<') ? {} : { name }) });
  }
  for (const [, name, path = '', line] of text.matchAll(NODE_FRAME)) {
    found.push({ path, line: Number(line), ...(name === undefined ? {} : { name }) });
  }
  for (const [, path = '', line] of text.matchAll(GO_FRAME)) found.push({ path, line: Number(line) });
  return found;
}

/** Reads a query. Its first line counts as a title: what stands there weighs more. */
export function readQuery(whole: string): Query {
  const text = whole.slice(0, LONGEST_QUERY);
  const end = text.indexOf('\n');
  const title = end < 0 ? text : text.slice(0, end);
  const words = new Map<string, number>();
  for (const [word, count] of wordCounts(text)) words.set(word, 1 + Math.log(count));
  for (const word of wordCounts(title).keys()) words.set(word, (words.get(word) ?? 0) + TITLE_WEIGHT);
  const identifiers = new Map<string, number>();
  const note = (word: string, weight: number): void => {
    if (word.length >= 3) identifiers.set(word, Math.max(identifiers.get(word) ?? 0, weight));
  };
  for (const word of text.match(CODE_WORD) ?? []) if (looksLikeCode(word)) note(word, 1);
  for (const [word] of text.matchAll(/[A-Za-z_]\w*(?=\()/g)) note(word, 1);
  for (const dotted of text.match(DOTTED) ?? []) for (const word of dotted.split('.')) note(word, 1);
  for (const [, span = ''] of text.matchAll(CODE_SPAN)) for (const word of span.match(CODE_WORD) ?? []) note(word, 1.5);
  for (const word of title.match(CODE_WORD) ?? []) note(word, looksLikeCode(word) ? 2 : 0.5);
  return {
    words,
    paths: [...new Set(text.match(PATH) ?? [])],
    dotted: [...new Set(text.match(DOTTED) ?? [])],
    identifiers,
    frames: frames(text),
  };
}
