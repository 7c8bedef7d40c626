/**
 * Why and where: the typed neighbours of the symbols that the matching lines fall into. What the result itself
 * shows is left out, and so is what the session has seen spelled out.
 */
import type { Neighbours, Sidecar, Structural } from '../sidecars/sidecar.generated.js';
import type { Anchor, AnchorSymbol } from './anchors.js';
import type { SidecarReader } from './request.js';
import { symbolNamed } from './symbols.js';

export type StructuralKind = Exclude<keyof Neighbours, 'changedTogether' | 'sharedIdentifiers'>;

/** One neighbour as it is shown; line numbers come from the neighbour's own sidecar. */
export interface Place {
  readonly path: string;
  readonly symbol?: string;
  readonly line?: number;
  readonly endLine?: number;
  readonly confidence: number;
}

/** One line under an anchor's symbol: `Callers: a.py:f:3 [0.9], +4 more`. */
export interface Relation {
  readonly kind: StructuralKind;
  readonly places: readonly Place[];
  /** Known neighbours of this kind that are not named. */
  readonly more: number;
}

export interface SymbolDetail {
  /** Absent: the file as a whole. */
  readonly symbol?: AnchorSymbol['symbol'];
  readonly relations: readonly Relation[];
}

export interface AnchorDetail {
  readonly anchor: Anchor;
  readonly symbols: readonly SymbolDetail[];
  readonly flow?: { readonly name: string; readonly step: number; readonly steps: number };
}

export interface RelationSettings {
  readonly theta: number;
  /** Anchors whose relations are spelled out. */
  readonly anchors: number;
  /** Symbols per anchor. */
  readonly symbols: number;
  /** An edge inside the anchor's own community counts this much more when places compete. */
  readonly community: number;
  /** Places compete by confidence; false: all alike. */
  readonly confidence: boolean;
  /** Callers and subtypes of what was searched for are named whatever the list holds. */
  readonly allUsers: boolean;
}

/** Tests have a line of their own. */
const WITHOUT_TESTS: ReadonlySet<StructuralKind> = new Set(['callers', 'referencedBy', 'subtypes']);

const placeKey = (path: string, symbol: string | undefined): string => `${path}\0${symbol ?? ''}`;

/** What is asked about a symbol and about a file, most useful to an agent first, with the most to name. */
const OF_SYMBOL: readonly (readonly [StructuralKind, number])[] = [
  ['callers', 3],
  ['subtypes', 3],
  ['tests', 2],
  ['bases', 2],
  ['callees', 2],
  ['referencedBy', 2],
  ['documentedBy', 1],
  ['configuredBy', 1],
];
const OF_FILE: readonly (readonly [StructuralKind, number])[] = [
  ['tests', 2],
  ['documentedBy', 1],
  ['configuredBy', 1],
];

/** Whether the reader of the result has this place before his eyes. */
export type IsVisible = (path: string, symbol: string | undefined) => boolean;

/** Whether naming this file would go beyond the files that the block may name. */
export type IsBeyond = (path: string) => boolean;

/**
 * Who uses what was searched for is named whatever the list holds, unless the caller has set a number: an agent that
 * changes it has to visit all of them, and the budget of tokens limits them well enough.
 */
const UNLIMITED: ReadonlySet<StructuralKind> = new Set(['callers', 'subtypes']);

function placesOf(
  kind: StructuralKind,
  list: Structural | undefined,
  most: number,
  from: Sidecar,
  reader: SidecarReader,
  settings: RelationSettings,
  visible: IsVisible,
  beyond: IsBeyond,
  named: Set<string>,
): Relation | undefined {
  if (!list) return undefined;
  const fresh = list.items.filter(
    ({ path, symbol, confidence }) =>
      confidence >= settings.theta &&
      path !== from.path &&
      !visible(path, symbol) &&
      !beyond(path) &&
      !named.has(placeKey(path, symbol)) &&
      !(WITHOUT_TESTS.has(kind) && reader.sidecar(path)?.role === 'test'),
  );
  const hidden = list.items.length - fresh.length;
  const own = from.community?.label;
  const ranked = fresh
    .map((item, order) => {
      // To learn a file's community, its sidecar has to be unpacked: only where it makes a difference.
      const same = settings.community !== 1 && own !== undefined && reader.sidecar(item.path)?.community?.label === own;
      return { item, order, value: (settings.confidence ? item.confidence : 1) * (same ? settings.community : 1) };
    })
    .sort((a, b) => b.value - a.value || a.order - b.order);
  const files = new Set<string>();
  const chosen = ranked.filter(({ item }) => !files.has(item.path) && files.add(item.path)).slice(0, most);
  if (chosen.length === 0) return undefined;
  for (const { path, symbol } of fresh) named.add(placeKey(path, symbol));
  const places = chosen.map(({ item }) => placeOf(item, reader));
  return { kind, places, more: Math.max(0, list.total - hidden - places.length) };
}

/** A listed neighbour with its position, read from its own sidecar. */
export function placeOf(item: Structural['items'][number], reader: SidecarReader): Place {
  const { path, symbol, confidence } = item;
  if (symbol === undefined) return { path, confidence };
  const sidecar = reader.sidecar(path);
  const found = sidecar && symbolNamed(sidecar, symbol);
  return found ? { path, symbol, line: found.line, endLine: found.endLine, confidence } : { path, symbol, confidence };
}

function detailOf(
  neighbours: Neighbours | undefined,
  kinds: readonly (readonly [StructuralKind, number])[],
  anchor: Anchor,
  reader: SidecarReader,
  settings: RelationSettings,
  visible: IsVisible,
  beyond: (kind: StructuralKind) => IsBeyond,
): Relation[] {
  if (!neighbours) return [];
  const named = new Set<string>();
  return kinds.flatMap(([kind, most]) => {
    const relation = placesOf(
      kind,
      neighbours[kind],
      most,
      anchor.sidecar,
      reader,
      settings,
      visible,
      beyond(kind),
      named,
    );
    return relation ? [relation] : [];
  });
}

function byUse(a: Anchor, b: Anchor): number {
  const tests = Number(a.sidecar.role === 'test') - Number(b.sidecar.role === 'test');
  return tests || Number(b.defines) - Number(a.defines) || b.weight - a.weight || (a.path < b.path ? -1 : 1);
}

/**
 * The relations of the most telling anchors, definitions of the term first.
 *
 * @param beyond files that are named only as callers or subtypes of a symbol with the searched name
 * @param repeated symbols that the session has already seen spelled out
 */
export function relationsOf(
  anchors: readonly Anchor[],
  reader: SidecarReader,
  settings: RelationSettings,
  visible: IsVisible,
  beyond: IsBeyond,
  repeated: (path: string, symbol: string) => boolean,
): AnchorDetail[] {
  const details: AnchorDetail[] = [];
  for (const anchor of [...anchors].sort(byUse)) {
    if (details.length >= settings.anchors) break;
    const symbols: SymbolDetail[] = [];
    const known = new Set<string>();
    for (const { symbol, defines } of anchor.symbols) {
      if (symbols.length >= settings.symbols) break;
      if (repeated(anchor.path, symbol.name)) continue;
      const relations = detailOf(symbol.neighbours, OF_SYMBOL, anchor, reader, settings, visible, (kind) =>
        settings.allUsers && defines && UNLIMITED.has(kind) ? () => false : beyond,
      );
      if (relations.length === 0) continue;
      symbols.push({ symbol, relations });
      for (const { places } of relations) for (const { path } of places) known.add(path);
    }
    const first = details.length === 0 || anchor.defines;
    const ofFile = first
      ? detailOf(
          anchor.sidecar.neighbours,
          OF_FILE,
          anchor,
          reader,
          settings,
          (path, symbol) => known.has(path) || visible(path, symbol),
          () => beyond,
        )
      : [];
    if (ofFile.length > 0 && !repeated(anchor.path, '')) symbols.push({ relations: ofFile });
    if (symbols.length === 0) continue;
    const names = new Set(symbols.map(({ symbol }) => symbol?.name));
    const flow = anchor.sidecar.flows.find((step) => step.symbol !== undefined && names.has(step.symbol));
    details.push(
      flow ? { anchor, symbols, flow: { name: flow.name, step: flow.step, steps: flow.steps } } : { anchor, symbols },
    );
  }
  return details;
}
