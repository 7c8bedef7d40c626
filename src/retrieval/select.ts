/** Fills the budget: what a block says, in the order of what it is worth, measured on the final text. */
import type { PendingFile } from './edits.js';
import type { Reason } from './reasons.js';
import type { AnchorDetail, SymbolDetail } from './relations.js';
import { type BlockContent, type ListedFile, type RenderOptions, renderBlock } from './render.js';
import { estimateTokens } from './tokens.js';

export interface Offer {
  readonly pending: readonly PendingFile[];
  readonly details: readonly AnchorDetail[];
  /** Best first. */
  readonly names: readonly ListedFile[];
  readonly reasons: ReadonlyMap<string, Reason>;
  /** Related files beyond `names`. */
  readonly more: number;
}

/** Names that come before any relation, and relations that come before the other names. */
const FIRST_NAMES = 8;
const FIRST_RELATIONS = 4;

/** One relation of a detail, as a unit that fits or does not. */
interface Line {
  readonly detail: number;
  readonly symbol: number;
  readonly relation: number;
}

function linesOf(details: readonly AnchorDetail[]): Line[] {
  return details.flatMap(({ symbols }, detail) =>
    symbols.flatMap(({ relations }, symbol) => relations.map((_, relation) => ({ detail, symbol, relation }))),
  );
}

/** The details with only the chosen relations. */
function withLines(details: readonly AnchorDetail[], lines: readonly Line[]): AnchorDetail[] {
  return details.flatMap((one, detail) => {
    const symbols: SymbolDetail[] = one.symbols.flatMap((part, symbol) => {
      const relations = part.relations.filter((_, relation) =>
        lines.some((line) => line.detail === detail && line.symbol === symbol && line.relation === relation),
      );
      return relations.length > 0 ? [{ ...part, relations }] : [];
    });
    return symbols.length > 0 ? [{ ...one, symbols }] : [];
  });
}

/** The most valuable content whose text stays within `budget` tokens. */
export function selectContent(offer: Offer, budget: number, options: RenderOptions): BlockContent {
  const lines: Line[] = [];
  const pending: PendingFile[] = [];
  const listed: ListedFile[] = [];
  const reasoned = new Set<string>();

  const content = (): BlockContent => {
    const details = withLines(offer.details, lines);
    const named = new Set(
      details.flatMap(({ symbols }) =>
        symbols.flatMap(({ relations }) => relations.flatMap(({ places }) => places.map(({ path }) => path))),
      ),
    );
    return {
      details,
      pending,
      listed: listed
        .filter(({ path }) => !named.has(path))
        .map((file) => {
          const reason = reasoned.has(file.path) ? offer.reasons.get(file.path) : undefined;
          return reason ? { ...file, reason } : file;
        }),
      // Also those that are still to be tried: the text never grows by what is left out.
      more: offer.more + offer.names.length - listed.length,
    };
  };
  // Line by line, each with the line end before it, since most are the same from one try to the next.
  const tokensOfLine = new Map<string, number>();
  const fits = (): boolean => {
    let tokens = 0;
    for (const line of renderBlock(content(), options).split(/(?=\n)/)) {
      let ofLine = tokensOfLine.get(line);
      if (ofLine === undefined) {
        ofLine = estimateTokens(line);
        tokensOfLine.set(line, ofLine);
      }
      tokens += ofLine;
      if (tokens > budget) return false;
    }
    return true;
  };
  /** Takes what fits, in order. Halves: most of the time all of it fits, and every try renders the text. */
  const take = <T>(items: readonly T[], add: (item: T) => void, remove: (item: T) => void): void => {
    if (items.length === 0) return;
    for (const item of items) add(item);
    if (fits()) return;
    for (const item of [...items].reverse()) remove(item);
    if (items.length === 1) return;
    const half = items.length >> 1;
    take(items.slice(0, half), add, remove);
    take(items.slice(half), add, remove);
  };
  const takeLines = (some: readonly Line[]): void => {
    take(
      some,
      (line) => lines.push(line),
      () => lines.pop(),
    );
  };
  const takeNames = (some: readonly ListedFile[]): void => {
    take(
      some,
      (file) => listed.push(file),
      () => listed.pop(),
    );
  };

  const order = linesOf(offer.details);
  take(
    offer.pending,
    (file) => pending.push(file),
    () => pending.pop(),
  );
  takeNames(offer.names.slice(0, FIRST_NAMES));
  takeLines(order.slice(0, FIRST_RELATIONS));
  takeNames(offer.names.slice(FIRST_NAMES));
  take(
    listed.map(({ path }) => path).filter((path) => offer.reasons.has(path)),
    (path) => reasoned.add(path),
    (path) => reasoned.delete(path),
  );
  takeLines(order.slice(FIRST_RELATIONS));
  return content();
}
