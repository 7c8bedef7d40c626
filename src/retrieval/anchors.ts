/**
 * Which matches become anchors, and how much each counts. Many, averaged: one term cannot say which file is
 * meant, and the mean of 15 anchors ranks better than any one of them (docs/retrieval.md).
 */
import type { Sidecar, SidecarSymbol } from '../sidecars/sidecar.generated.js';
import type { Match, SidecarReader } from './request.js';
import type { RetrievalSettings } from './settings.js';
import { symbolAt } from './symbols.js';
import { definesInText, lastName } from './terms.js';

/** A symbol that encloses matching lines. */
export interface AnchorSymbol {
  readonly symbol: SidecarSymbol;
  /** Matching lines whose innermost symbol it is. */
  readonly hits: number;
  /** It is the definition of a searched term. */
  readonly defines: boolean;
}

export interface Anchor {
  readonly path: string;
  /** Share of this anchor in the score; all sum to 1. */
  readonly weight: number;
  readonly sidecar: Sidecar;
  readonly defines: boolean;
  /** Definitions of the term first, then by hits, then by line. */
  readonly symbols: readonly AnchorSymbol[];
}

export const MOST_MATCHES = 15;
export const MOST_DEFINERS = 10;
/** Anchors from this rank on (0-based) count half. */
const TAIL_FROM = 8;
const TAIL_FACTOR = 0.5;
/** Files without a text to judge are looked up in the index to find definitions, up to this many. */
const LOOKED_UP = 40;

const countOf = (match: Match): number => match.count ?? match.lines.length;

const byCount = (a: Match, b: Match): number => countOf(b) - countOf(a) || (a.path < b.path ? -1 : 1);

const sumOf = (anchors: readonly { readonly weight: number }[]): number =>
  anchors.reduce((total, { weight }) => total + weight, 0);

/** The symbols that the matching lines of a file fall into. */
export function enclosingSymbols(match: Match, sidecar: Sidecar, terms: ReadonlySet<string>): AnchorSymbol[] {
  const hits = new Map<SidecarSymbol, number>();
  for (const line of match.lines) {
    const symbol = symbolAt(sidecar, line);
    if (symbol) hits.set(symbol, (hits.get(symbol) ?? 0) + 1);
  }
  return [...hits]
    .map(([symbol, count]) => ({ symbol, hits: count, defines: terms.has(lastName(symbol.name)) }))
    .sort((a, b) => Number(b.defines) - Number(a.defines) || b.hits - a.hits || a.symbol.line - b.symbol.line);
}

/**
 * The anchors of a result: the files with most matching lines and those that define a searched term, with
 * weights that sum to 1. Files without a sidecar are no anchors.
 */
export function anchorsOf(
  matches: readonly Match[],
  terms: readonly string[],
  reader: SidecarReader,
  settings: RetrievalSettings,
): Anchor[] {
  const wanted = new Set(terms);
  const ranked = [...matches].sort(byCount);
  const chosen = ranked.slice(0, MOST_MATCHES);
  const rest = ranked.slice(MOST_MATCHES);
  let definers = 0;
  rest.forEach((match, i) => {
    if (definers >= MOST_DEFINERS) return;
    const defines = match.texts
      ? match.texts.some((text) => definesInText(text, wanted))
      : i < LOOKED_UP && reader.sidecar(match.path)?.symbols.some(({ name }) => wanted.has(lastName(name)));
    if (defines) {
      chosen.push(match);
      definers += 1;
    }
  });
  const anchors: (Omit<Anchor, 'weight'> & { weight: number })[] = [];
  for (const match of chosen) {
    const sidecar = reader.sidecar(match.path);
    if (!sidecar) continue;
    const symbols = enclosingSymbols(match, sidecar, wanted);
    const defines =
      symbols.some((symbol) => symbol.defines) || (match.texts?.some((text) => definesInText(text, wanted)) ?? false);
    const factor = sidecar.role === 'test' ? settings.test : 1;
    anchors.push({
      path: match.path,
      weight: factor * (anchors.length >= TAIL_FROM ? TAIL_FACTOR : 1),
      sidecar,
      defines,
      symbols,
    });
  }
  const defining = sumOf(anchors.filter(({ defines }) => defines));
  const using = sumOf(anchors.filter(({ defines }) => !defines));
  const share = defining === 0 ? 0 : using === 0 ? 1 : settings.definers;
  return anchors.map((anchor) => ({
    ...anchor,
    weight: anchor.defines ? (share * anchor.weight) / defining : ((1 - share) * anchor.weight) / using,
  }));
}
