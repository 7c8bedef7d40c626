/** What the parser captured, in the order and shape in which tokens are read along it. */
import type { Capture, ParsedFile } from '../language.js';
import type { Ranges } from './tokens.js';

export interface Structure {
  /** Declarations, functions, type positions: by start, the outer before the inner. */
  readonly spans: readonly Capture[];
  /** What holds no tokens. */
  readonly skipped: Ranges;
  /** End offset of each function and class by its start. */
  readonly lambdas: ReadonlyMap<number, number>;
  /** End offset of each list of type arguments by its start. */
  readonly typeLists: ReadonlyMap<number, number>;
}

/** Sorts the captures of a file by what they are for. */
export function structureOf(parsed: ParsedFile): Structure {
  const spans: Capture[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  const lambdas = new Map<number, number>();
  const typeLists = new Map<number, number>();
  for (const match of parsed.matches) {
    for (const capture of match.captures) {
      if (capture.name === 'regex' || capture.name === 'text') {
        starts.push(capture.start);
        ends.push(capture.end);
        continue;
      }
      spans.push(capture);
      if (capture.name === 'function' || capture.name === 'lambda' || capture.name === 'class') {
        lambdas.set(capture.start, Math.max(capture.end, lambdas.get(capture.start) ?? 0));
      } else if (capture.name === 'type' && parsed.source.charCodeAt(capture.start) === 60) {
        typeLists.set(capture.start, capture.end);
      }
    }
  }
  spans.sort((a, b) => a.start - b.start || b.end - a.end);
  const order = starts.map((_, index) => index).sort((a, b) => (starts[a] ?? 0) - (starts[b] ?? 0));
  const skipped: Ranges = {
    starts: order.map((index) => starts[index] ?? 0),
    ends: order.map((index) => ends[index] ?? 0),
  };
  return { spans, skipped, lambdas, typeLists };
}
