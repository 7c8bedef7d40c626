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
  let skipped = 0;

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
      more: offer.more + skipped,
    };
  };
  const fits = (): boolean => estimateTokens(renderBlock(content(), options)) <= budget;
  const tryName = (file: ListedFile): void => {
    listed.push(file);
    if (!fits()) {
      listed.pop();
      skipped += 1;
    }
  };
  const tryLine = (line: Line): void => {
    lines.push(line);
    if (!fits()) lines.pop();
  };

  for (const file of offer.pending) {
    pending.push(file);
    if (!fits()) pending.pop();
  }
  const order = linesOf(offer.details);
  offer.names.slice(0, FIRST_NAMES).forEach(tryName);
  order.slice(0, FIRST_RELATIONS).forEach(tryLine);
  offer.names.slice(FIRST_NAMES).forEach(tryName);
  for (const { path } of [...listed]) {
    if (!offer.reasons.has(path)) continue;
    reasoned.add(path);
    if (!fits()) reasoned.delete(path);
  }
  order.slice(FIRST_RELATIONS).forEach(tryLine);
  return content();
}
