/**
 * Search result to block: anchors, score, reasons, selection, text. Pure: the same request gives the same block.
 */
import { type Anchor, anchorsOf } from './anchors.js';
import { editAnchors, pendingFiles } from './edits.js';
import { otherReason, type Reason, structuralReasons } from './reasons.js';
import { type IsVisible, relationsOf } from './relations.js';
import { type ListedFile, type RenderOptions, renderBlock, shownFiles } from './render.js';
import type { BlockLog, BlockRequest, BlockResult, Match, SessionState, SidecarReader } from './request.js';
import { type Candidate, messageEvidence, scoreCandidates, type WeightedAnchor } from './score.js';
import { selectContent } from './select.js';
import { advance, NEW_SESSION, seen } from './session.js';
import { gateAt, namesAt, type RetrievalSettings, SETTINGS } from './settings.js';
import { termsOf } from './terms.js';
import { estimateTokens } from './tokens.js';

export const DEFAULT_BUDGET = 400;
export const DEFAULT_THETA = 0.5;

/** Share of the score that the working tree's changes take. */
const EDITS_SHARE = 0.4;
/** Anchors and symbols whose relations are spelled out. */
const SPELLED = { anchors: 2, symbols: 2 };
/** Messages are searched for terms that are long enough not to be part of any word. */
const SHORTEST_MESSAGE_TERM = 4;
/** Roles of files that a person would change by hand. Tests appear with what they test, not in the list. */
const LISTED_ROLES: ReadonlySet<string> = new Set(['source', 'documentation', 'configuration']);

function weightedAnchors(anchors: readonly Anchor[], edits: readonly WeightedAnchor[]): WeightedAnchor[] {
  if (edits.length === 0) return [...anchors];
  const share = anchors.length === 0 ? 1 : EDITS_SHARE;
  return [
    ...anchors.map((anchor) => ({ ...anchor, weight: anchor.weight * (1 - share) })),
    ...edits.map((edit) => ({ ...edit, weight: edit.weight * share })),
  ];
}

/** Which symbols of which files the result shows. */
function visibility(matches: readonly Match[], anchors: readonly Anchor[], visible: ReadonlySet<string>): IsVisible {
  const symbols = new Map(
    anchors.map(({ path, symbols }) => [path, new Set(symbols.map(({ symbol }) => symbol.name))]),
  );
  const unlined = new Set(matches.filter(({ lines }) => lines.length === 0).map(({ path }) => path));
  return (path, symbol) => {
    if (!visible.has(path)) return false;
    if (symbol === undefined || unlined.has(path)) return true;
    return symbols.get(path)?.has(symbol) ?? true;
  };
}

interface Listing {
  readonly names: ListedFile[];
  readonly more: number;
  readonly best: number;
}

function listing(
  candidates: readonly Candidate[],
  reader: SidecarReader,
  known: (path: string) => boolean,
  gate: number,
  most: number,
): Listing {
  const names: ListedFile[] = [];
  let more = 0;
  let best = 0;
  for (const { path, score } of candidates) {
    if (score < gate && best > 0) break;
    if (known(path)) continue;
    if (names.length < most) {
      if (!LISTED_ROLES.has(reader.sidecar(path)?.role ?? '')) continue;
      best = Math.max(best, score);
      if (score >= gate) names.push({ path, score });
    } else {
      more += 1;
    }
  }
  return { names, more, best };
}

function reasonsFor(
  names: readonly ListedFile[],
  anchors: readonly Anchor[],
  reader: SidecarReader,
  theta: number,
): Map<string, Reason> {
  const reasons = structuralReasons(anchors, reader, theta, new Set(names.map(({ path }) => path)));
  for (const { path } of names) {
    if (reasons.has(path)) continue;
    const reason = otherReason(anchors, path);
    if (reason) reasons.set(path, reason);
  }
  return reasons;
}

/**
 * The block for one search: related files, why they are related and where to look, within the request's budget
 * of tokens; an empty text where the evidence is not worth its tokens.
 */
export function blockFor(request: BlockRequest, settings: RetrievalSettings = SETTINGS): BlockResult {
  const { matches, reader } = request;
  const session = request.session ?? NEW_SESSION;
  const search = session.searches + 1;
  const theta = request.theta ?? DEFAULT_THETA;
  const gate = gateAt(settings, search);
  const terms = termsOf(request.patterns);
  const visible = request.visible ?? new Set(matches.map(({ path }) => path));
  const changed = new Set(request.changed ?? []);

  const anchors = anchorsOf(matches, terms, reader, settings);
  const edits = editAnchors([...changed], reader);
  const log = (decision: BlockLog['decision'], candidates: number, best: number, tokens: number): BlockLog => ({
    decision,
    search,
    anchors: anchors.map(({ path, weight, symbols }) => {
      const symbol = symbols[0]?.symbol.name;
      return { path, weight: Number(weight.toFixed(4)), ...(symbol === undefined ? {} : { symbol }) };
    }),
    candidates,
    best,
    gate,
    tokens,
  });
  const silent = (decision: BlockLog['decision'], candidates = 0, best = 0): BlockResult => ({
    text: '',
    shown: [],
    session: after(session, terms, anchors, visible),
    log: log(decision, candidates, best, 0),
  });
  if (anchors.length === 0) return silent('no-anchor');

  const messageTerms = terms.filter((term) => term.length >= SHORTEST_MESSAGE_TERM);
  const commits = messageTerms.length > 0 && settings.messages > 0 ? (reader.commits?.() ?? []) : [];
  const candidates = scoreCandidates(
    weightedAnchors(anchors, edits),
    reader,
    messageEvidence(commits, messageTerms),
    theta,
    settings,
  );

  const isSeen = (path: string): boolean =>
    visible.has(path) || (settings.novelty && seen(session, path) !== undefined);
  const pending = pendingFiles(edits, reader, (path) => changed.has(path) || isSeen(path), theta, settings);
  const known = new Set(pending.map(({ path }) => path));
  const most = request.k ?? namesAt(settings, search);
  const { names, more, best } = listing(
    candidates,
    reader,
    (path) => isSeen(path) || known.has(path) || changed.has(path),
    gate,
    most,
  );
  const listed = new Set(names.map(({ path }) => path));
  // What is spelled out explains the named files; past the limit it names no further ones but tests, and users of
  // what was searched for where the limit is the default.
  const full = names.length >= most;
  const details = relationsOf(
    anchors,
    reader,
    {
      theta,
      ...SPELLED,
      community: settings.community,
      confidence: settings.confidence,
      allUsers: request.k === undefined,
    },
    visibility(matches, anchors, visible),
    (path) => full && !visible.has(path) && !listed.has(path) && reader.sidecar(path)?.role !== 'test',
    (path, symbol) => seen(session, path)?.symbols?.includes(symbol) ?? false,
  );
  const offer = { pending, details, names, reasons: reasonsFor(names, anchors, reader, theta), more };
  const options: RenderOptions = {
    display: request.display ?? ((path) => path),
    edited: request.edited ?? (() => false),
  };
  const content = selectContent(offer, request.budget ?? DEFAULT_BUDGET, options);
  const text = renderBlock(content, options);
  if (text === '') {
    if (names.length + details.length + pending.length > 0) return silent('over-budget', candidates.length, best);
    return silent(best > 0 ? 'below-gate' : 'no-evidence', candidates.length, best);
  }
  const shown = shownFiles(content);
  return {
    text,
    shown,
    session: advance(session, terms, anchors, visible, shown),
    log: log('shown', candidates.length, best, estimateTokens(text)),
  };
}

function after(
  session: SessionState,
  terms: readonly string[],
  anchors: readonly Anchor[],
  visible: ReadonlySet<string>,
): SessionState {
  return advance(session, terms, anchors, visible, []);
}
