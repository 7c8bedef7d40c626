import type { BlockRequest, BlockResult } from './request.js';

/**
 * The block for one search: related files, why they are related and where to look, within the request's budget
 * of tokens; an empty text where the evidence is not worth its tokens. Pure: the same request gives the same block.
 */
export function blockFor(request: BlockRequest): BlockResult {
  const search = (request.session?.searches ?? 0) + 1;
  return {
    text: '',
    shown: [],
    session: request.session ?? { version: 1, searches: search, files: {}, trail: [], terms: [] },
    log: { decision: 'no-evidence', search, anchors: [], candidates: 0, best: 0, gate: 0, tokens: 0 },
  };
}
