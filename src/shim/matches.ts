/** Reads the evidence run: lines of `path NUL line number : text`. Pure. */
import type { Match } from '../retrieval/request.js';

const NEWLINE = 10;

/** Lines of a file that are kept with their text; all of them are counted. */
const LINES_KEPT = 200;

interface Collected {
  readonly path: string;
  readonly lines: number[];
  readonly texts: string[];
  count: number;
}

/**
 * Matches by file, in the order of paths (the order of the run is not deterministic), with lines ascending. Lines
 * that do not have the form are skipped: messages such as `binary file matches`, and the rest of a match that spans
 * several lines.
 */
export function readMatches(output: Buffer): readonly Match[] {
  const files = new Map<string, Collected>();
  let start = 0;
  while (start < output.length) {
    const newline = output.indexOf(NEWLINE, start);
    const end = newline < 0 ? output.length : newline;
    const nul = output.indexOf(0, start);
    if (nul > start && nul < end) {
      // GNU grep's -T pads the number with blanks; `-` in place of `:` marks a context line.
      const found = /^[ \t]*(\d+)[ \t]*:\t?/.exec(output.toString('latin1', nul + 1, Math.min(end, nul + 32)));
      if (found) {
        const path = output.toString('utf8', start, nul);
        let file = files.get(path);
        if (!file) {
          file = { path, lines: [], texts: [], count: 0 };
          files.set(path, file);
        }
        file.count += 1;
        if (file.lines.length < LINES_KEPT) {
          file.lines.push(Number(found[1]));
          file.texts.push(output.toString('utf8', nul + 1 + found[0].length, end));
        }
      }
    }
    start = end + 1;
  }
  return [...files.values()].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}
