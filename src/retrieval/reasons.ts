/** The one reason that a listed file is given: its strongest typed relation to an anchor, else history or words. */
import type { Structural } from '../sidecars/sidecar.generated.js';
import type { Anchor } from './anchors.js';
import { type Place, placeOf, type StructuralKind } from './relations.js';
import type { SidecarReader } from './request.js';
import { lastName } from './terms.js';

export interface Reason {
  /** What the list says, a fact about the file: `calls register`, `changed together 0.62`. */
  readonly text: string;
  /** Where in the listed file, for structural reasons. */
  readonly place?: Place;
}

type Phrase = readonly [kind: StructuralKind, worth: number, text: (of: string) => string];

/**
 * How a relation of the anchor reads as a fact about the listed file, and what it is worth: a caller or an
 * implementer usually has to change with what it uses, an import says little.
 */
const PHRASES: readonly Phrase[] = [
  ['subtypes', 1, (of) => `extends ${of}`],
  ['callers', 0.95, (of) => `calls ${of}`],
  ['bases', 0.85, (of) => `base of ${of}`],
  ['callees', 0.8, (of) => `called by ${of}`],
  ['referencedBy', 0.75, (of) => `uses ${of}`],
  ['documentedBy', 0.7, (of) => `documents ${of}`],
  ['configuredBy', 0.7, (of) => `configures ${of}`],
  ['testOf', 0.7, (of) => `tested by ${of}`],
  ['importedBy', 0.6, (of) => `imports ${of}`],
  ['references', 0.6, (of) => `used by ${of}`],
  ['imports', 0.5, (of) => `imported by ${of}`],
  ['documents', 0.5, (of) => `documented by ${of}`],
  ['configures', 0.5, (of) => `configured by ${of}`],
];
/** Changed together this strongly says more than an import does. */
const STRONG_HISTORY = 0.3;
const WEAK_PHRASE = 0.65;
/** From here on history goes before shared words, and below it is not worth saying. */
const TOLD_HISTORY = 0.1;
const LEAST_HISTORY = 0.03;
/** Relations of the symbol that the match is in say more than those of its file. */
const SYMBOL_FACTOR = 1.3;

/** A word of prose that two files share by chance convinces nobody. */
const WRITTEN_LIKE_CODE = /[A-Za-z0-9]_[A-Za-z0-9]|[a-z][A-Z]|[A-Z]{2}[a-z]/;

const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** For every file related to an anchor by a typed edge of at least `theta`, the best one. */
export function structuralReasons(
  anchors: readonly Anchor[],
  reader: SidecarReader,
  theta: number,
  wanted: ReadonlySet<string>,
): Map<string, Reason> {
  const best = new Map<string, { value: number; text: string; worth: number; item: Structural['items'][number] }>();
  const consider = (list: Structural | undefined, [, worth, words]: Phrase, of: string, factor: number): void => {
    for (const item of list?.items ?? []) {
      if (!wanted.has(item.path) || item.confidence < theta) continue;
      const value = item.confidence * worth * factor;
      const known = best.get(item.path);
      if (!known || value > known.value) best.set(item.path, { value, text: words(of), worth, item });
    }
  };
  for (const anchor of [...anchors].sort((a, b) => b.weight - a.weight || (a.path < b.path ? -1 : 1))) {
    for (const phrase of PHRASES) {
      const [kind] = phrase;
      for (const { symbol } of anchor.symbols) {
        consider(symbol.neighbours?.[kind], phrase, lastName(symbol.name), SYMBOL_FACTOR);
      }
      consider(anchor.sidecar.neighbours[kind], phrase, baseName(anchor.path), 1);
    }
  }
  const reasons = new Map<string, Reason>();
  for (const [path, { text, worth, item }] of best) {
    const together = strongestHistory(anchors, path);
    if (together !== undefined && together >= STRONG_HISTORY && worth < WEAK_PHRASE) continue;
    reasons.set(path, item.symbol === undefined ? { text } : { text, place: placeOf(item, reader) });
  }
  return reasons;
}

function strongestHistory(anchors: readonly Anchor[], path: string): number | undefined {
  let best: number | undefined;
  for (const { sidecar } of anchors) {
    const item = sidecar.neighbours.changedTogether?.items.find((other) => other.path === path);
    if (item && (best === undefined || item.score > best)) best = item.score;
  }
  return best;
}

/** What history or shared words say about a listed file, undefined where only commit messages name it. */
export function otherReason(anchors: readonly Anchor[], path: string): Reason | undefined {
  const together = strongestHistory(anchors, path);
  let word: string | undefined;
  let strongest = 0;
  for (const { sidecar, weight } of anchors) {
    const item = sidecar.neighbours.sharedIdentifiers?.items.find((other) => other.path === path);
    if (item && item.score * weight > strongest) {
      strongest = item.score * weight;
      word = item.words.find((one) => WRITTEN_LIKE_CODE.test(one));
    }
  }
  if (together !== undefined && (together >= TOLD_HISTORY || (word === undefined && together >= LEAST_HISTORY))) {
    return { text: `changed together ${together.toFixed(2)}` };
  }
  return word === undefined ? undefined : { text: `shares ${word}` };
}
