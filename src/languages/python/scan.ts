/** Walks source text and reports every use of a name as an attribute chain. */
import type { ReferenceKind } from '../../facts/model.js';
import {
  endOfLine,
  endOfName,
  isDigit,
  isFormatted,
  isNamePart,
  isNameStart,
  isQuote,
  isStringPrefix,
  skipSpace,
  stringAt,
} from './lexical.js';

export type Range = readonly [start: number, end: number];

export interface Scanned<Place> {
  /** Statements that hold no uses: imports. Sorted. */
  readonly skip: readonly Range[];
  /** Annotations outside parameter lists. Sorted. */
  readonly types: readonly Range[];
  /** Where the name at `at` stands. Called with ascending offsets. */
  place(at: number): Place;
  /** `end` is after the last name of the chain. */
  use(kind: ReferenceKind, chain: readonly string[], at: number, end: number, place: Place): void;
  /** The content of a string literal without replacement fields. */
  text(start: number, end: number): void;
}

const KEYWORDS = new Set(
  'and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  ),
);
const CONSTANTS = new Set(['None', 'True', 'False']);

/** The root of a chain whose receiver is some other expression: `(a or b).c()`. */
export const UNKNOWN_ROOT = '?';

type FrameKind = 'plain' | 'call' | 'subscript' | 'parameters' | 'bases';

interface Frame<Place> {
  readonly kind: FrameKind;
  /** The chain that the bracket was opened on. */
  readonly chain: string[] | undefined;
  readonly at: number;
  readonly place: Place | undefined;
  readonly decorator: boolean;
  /** In parameters and bases: what the next name is. */
  expects: 'name' | 'type' | 'value';
  lambdas: number;
}

const MAX_STEPS = 12;

/** Scans `[start, end)`. */
export function scan<Place>(source: string, start: number, end: number, into: Scanned<Place>): void {
  let nextSkip = 0;
  let skipFrom = into.skip[0]?.[0] ?? Number.POSITIVE_INFINITY;
  let nextType = 0;

  const run = (from: number, to: number, annotation: boolean): void => {
    const frames: Frame<Place>[] = [];
    let frame: Frame<Place> | undefined;
    let chain: string[] | undefined;
    let chainAt = 0;
    let chainEnd = 0;
    let place: Place | undefined;
    let decorator = false;
    let afterDot = false;
    let defines: 'parameters' | 'bases' | undefined;
    let lineStart = true;
    let i = from;

    const typed = (at: number): boolean => {
      if (annotation) return true;
      while (nextType < into.types.length && (into.types[nextType] as Range)[1] <= at) nextType++;
      const range = into.types[nextType];
      if (range && range[0] <= at) return true;
      for (let depth = frames.length - 1; depth >= 0; depth--) {
        const outer = frames[depth] as Frame<Place>;
        if (outer.kind === 'parameters') return outer.expects === 'type';
        if (outer.kind === 'call') return false;
      }
      return false;
    };
    const kindOf = (at: number): ReferenceKind => {
      if (decorator) return 'decorator';
      if (frame?.kind === 'bases' && frame.expects === 'name') return 'inherit';
      return typed(at) ? 'type' : 'read';
    };
    const flush = (): void => {
      if (chain) {
        const last = chain[chain.length - 1] as string;
        if (!last.endsWith(')') && !last.endsWith(']'))
          into.use(kindOf(chainAt), chain, chainAt, chainEnd, place as Place);
        chain = undefined;
      }
      afterDot = false;
    };
    const push = (kind: FrameKind): void => {
      frame = { kind, chain, at: chainAt, place, decorator, expects: 'name', lambdas: 0 };
      frames.push(frame);
      chain = undefined;
      decorator = false;
      afterDot = false;
      defines = undefined;
    };

    while (i < to) {
      if (i >= skipFrom) {
        const skipped = into.skip[nextSkip] as Range;
        nextSkip++;
        skipFrom = into.skip[nextSkip]?.[0] ?? Number.POSITIVE_INFINITY;
        if (i < skipped[1]) {
          flush();
          i = skipped[1];
          continue;
        }
      }
      const code = source.charCodeAt(i);
      if (code === 32 || code === 9 || code === 13 || code === 12) {
        i++;
        continue;
      }
      if (code === 10) {
        if (frames.length === 0) {
          flush();
          decorator = false;
          lineStart = true;
        }
        i++;
        continue;
      }
      if (code === 35) {
        i = endOfLine(source, i, to);
        continue;
      }
      if (isNameStart(code)) {
        const nameEnd = endOfName(source, i, to);
        const name = source.slice(i, nameEnd);
        lineStart = false;
        if (afterDot) {
          afterDot = false;
          if (chain) {
            if (chain.length < MAX_STEPS) chain.push(name);
            else chain = undefined;
            chainEnd = nameEnd;
          }
          i = nameEnd;
          continue;
        }
        if (isQuote(source.charCodeAt(nameEnd)) && isStringPrefix(name)) {
          flush();
          const formatted = isFormatted(name);
          const string = stringAt(
            source,
            nameEnd,
            to,
            formatted ? (fieldStart, fieldEnd) => run(fieldStart, fieldEnd, false) : undefined,
          );
          if (!formatted) into.text(string.start, string.stop);
          i = string.end;
          continue;
        }
        flush();
        i = nameEnd;
        // Keywords are short and lower case: spares most names the look-up.
        if (code > 96 && code < 122 && name.length < 9 && KEYWORDS.has(name)) {
          if (name === 'def') defines = 'parameters';
          else if (name === 'class') defines = 'bases';
          else if (name === 'lambda' && frame) frame.lambdas++;
          continue;
        }
        if (code < 91 && CONSTANTS.has(name)) continue;
        if (defines) {
          // The name being defined; type parameters may follow it.
          chain = undefined;
          continue;
        }
        if (frame) {
          if (frame.kind === 'parameters' && frame.expects === 'name' && frame.lambdas === 0) continue;
          if (frame.kind === 'call' || frame.kind === 'bases') {
            const next = skipSpace(source, i, to);
            if (source.charCodeAt(next) === 61 && source.charCodeAt(next + 1) !== 61) {
              frame.expects = 'value';
              continue;
            }
          }
        }
        chain = [name];
        chainAt = nameEnd - name.length;
        chainEnd = nameEnd;
        place = into.place(chainAt);
        continue;
      }
      if (code === 46) {
        // `...` and numbers such as `.5` are no attribute access.
        if (source.charCodeAt(i + 1) === 46) {
          flush();
          i += 2;
        } else if (!isDigit(source.charCodeAt(i + 1))) afterDot = true;
        i++;
        continue;
      }
      if (code === 40) {
        if (defines) {
          flush();
          push(defines);
        } else if (chain) {
          const last = chain[chain.length - 1] as string;
          if (!last.endsWith(')') && !last.endsWith(']')) {
            into.use(
              decorator ? 'decorator' : 'call',
              [...chain.slice(0, -1), `${last}()`],
              chainAt,
              chainEnd,
              place as Place,
            );
          }
          push('call');
        } else push('plain');
        i++;
        continue;
      }
      if (code === 91) {
        if (chain && !defines) {
          const last = chain[chain.length - 1] as string;
          if (!last.endsWith(')') && !last.endsWith(']'))
            into.use(kindOf(chainAt), chain, chainAt, chainEnd, place as Place);
        }
        push(chain ? 'subscript' : 'plain');
        i++;
        continue;
      }
      if (code === 123) {
        flush();
        push('plain');
        i++;
        continue;
      }
      if (code === 41 || code === 93 || code === 125) {
        flush();
        const closed = frames.pop();
        frame = frames[frames.length - 1];
        i++;
        if (!closed) continue;
        if (closed.chain) {
          const last = closed.chain[closed.chain.length - 1] as string;
          if (closed.kind === 'call') {
            chain =
              last.endsWith(')') || last.endsWith(']')
                ? [...closed.chain, '()']
                : [...closed.chain.slice(0, -1), `${last}()`];
          } else chain = [...closed.chain, '[]'];
          chainAt = closed.at;
          chainEnd = i;
          place = closed.place;
          decorator = closed.decorator;
        } else if (closed.kind === 'plain' && code === 41 && source.charCodeAt(i) === 46) {
          chain = [UNKNOWN_ROOT];
          chainAt = i;
          chainEnd = i;
          place = into.place(i);
        }
        continue;
      }
      if (isQuote(code)) {
        flush();
        const string = stringAt(source, i, to);
        if (typed(i) && !literalType(frame)) run(string.start, string.stop, true);
        else into.text(string.start, string.stop);
        i = string.end;
        lineStart = false;
        continue;
      }
      if (isDigit(code)) {
        flush();
        while (i < to && (isNamePart(source.charCodeAt(i)) || source.charCodeAt(i) === 46)) i++;
        continue;
      }
      flush();
      if (code === 64 && lineStart && frames.length === 0) decorator = true;
      else if (code === 58) {
        if (frame && frame.lambdas > 0) frame.lambdas--;
        else if (frame?.kind === 'parameters') frame.expects = 'type';
        else if (!frame) defines = undefined;
      } else if (code === 44) {
        if (frame && frame.lambdas === 0) frame.expects = 'name';
      } else if (code === 61 && frame?.kind === 'parameters') frame.expects = 'value';
      lineStart = false;
      i++;
    }
    flush();
  };

  run(start, end, false);
}

/** Whether the strings in this frame are values: `Literal['a']`. */
function literalType<Place>(frame: Frame<Place> | undefined): boolean {
  return frame?.kind === 'subscript' && frame.chain?.at(-1) === 'Literal';
}
