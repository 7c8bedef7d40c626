/**
 * Reads the matches out of what a search has shown to a model: lines of ripgrep and grep, with or without headings
 * and numbers, lists of files, and the forms that agents give to the results of their own search tools. A line that
 * names no known file is not a match, whatever it looks like. Pure.
 */
import type { Match } from '../retrieval/request.js';

export interface ReadOptions {
  /** Whether the path, as the result writes it, is a file that the index knows. */
  readonly known: (path: string) => boolean;
  /** The file that lines without a name belong to. */
  readonly single?: string;
  /** Whether a line that is only a path is a match. */
  readonly lists: boolean;
}

/** A file of the result; `unnumbered` are texts of matching lines whose number was not shown. */
export interface SeenFile {
  readonly match: Match;
  readonly unnumbered: readonly string[];
}

interface Collected {
  readonly lines: Map<number, string>;
  readonly unnumbered: string[];
}

/** More lines than this are not what a model was shown. */
const MOST_LINES = 20_000;
const MOST_PER_FILE = 200;

/** `File: path`, `path:`, `/path:` before the matches of a file. */
const HEADING = /^(?:File: )?(.+?):?$/;
/** `L12: text`, `  Line 12: text`. */
const AGENT_LINE = /^\s*(?:L|Line )(\d+): ?(.*)$/;
const NUMBERED = /^(\d+):(.*)$/;

export function readSearchOutput(output: string, { known, single, lists }: ReadOptions): readonly SeenFile[] {
  const files = new Map<string, Collected>();
  const add = (path: string, line: number | undefined, text: string): void => {
    const clean = path.replace(/^\.\//, '');
    let file = files.get(clean);
    if (!file) {
      file = { lines: new Map(), unnumbered: [] };
      files.set(clean, file);
    }
    if (line === undefined) {
      if (text !== '' && file.unnumbered.length < MOST_PER_FILE) file.unnumbered.push(text);
    } else if (file.lines.size < MOST_PER_FILE) file.lines.set(line, text);
  };
  const only = single !== undefined && known(single) ? single : undefined;
  let heading: string | undefined;
  for (const raw of output.split('\n', MOST_LINES)) {
    const line = raw.replace(/\r$/, '').replace(/^Output: /, '');
    const ofHeading = AGENT_LINE.exec(line) ?? NUMBERED.exec(line);
    const owner = heading ?? only;
    if (ofHeading && owner !== undefined) {
      add(owner, Number(ofHeading[1]), ofHeading[2] ?? '');
      continue;
    }
    const named = namedLine(line, known);
    if (named) {
      heading = undefined;
      add(named.path, named.line, named.text);
      continue;
    }
    const path = HEADING.exec(line)?.[1];
    if (path !== undefined && known(path)) {
      heading = path;
      if (lists) add(path, undefined, '');
      continue;
    }
    if (line === '' || line === '---') heading = undefined;
    else if (only !== undefined && !lists) add(only, undefined, line);
  }
  return [...files]
    .map(([path, { lines, unnumbered }]) => {
      const numbers = [...lines.keys()].sort((a, b) => a - b);
      return { match: { path, lines: numbers, texts: numbers.map((number) => lines.get(number) ?? '') }, unnumbered };
    })
    .sort((a, b) => (a.match.path < b.match.path ? -1 : 1));
}

/** `path:12:text` or `path:text`, of a file that is known. */
function namedLine(
  line: string,
  known: (path: string) => boolean,
): { path: string; line?: number; text: string } | undefined {
  for (const colon of line.matchAll(/:/g)) {
    const path = line.slice(0, colon.index);
    if (path === '' || !known(path)) continue;
    const rest = line.slice(colon.index + 1);
    // A heading ends in a colon, too.
    if (rest === '') return undefined;
    const numbered = NUMBERED.exec(rest);
    return numbered ? { path, line: Number(numbered[1]), text: numbered[2] ?? '' } : { path, text: rest };
  }
  return undefined;
}

/** Lines of a file's text that are the given ones, counted from 1. Both ascending in the file, as a search is. */
export function numbersOf(content: string, texts: readonly string[]): readonly number[] {
  const wanted = new Set(texts);
  const numbers: number[] = [];
  for (const [index, line] of content.split('\n').entries()) {
    if (wanted.has(line) || wanted.has(line.replace(/\r$/, ''))) numbers.push(index + 1);
    if (numbers.length >= MOST_PER_FILE) break;
  }
  return numbers;
}
