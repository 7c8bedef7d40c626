/** One file that is linked again (or goes away), before and after. */
import type { FileFacts } from '../facts/model.js';
import type { EdgeDraft } from '../graph/edge.js';

export interface Linked {
  readonly language: string;
  readonly facts?: FileFacts;
  readonly edges: readonly EdgeDraft[];
  /** Hash halves of every question that linking asked, flat: high, low. */
  readonly asked: Uint32Array;
}

export interface Relinked {
  readonly path: string;
  readonly number: number;
  readonly before: Linked;
  readonly after: Linked;
}
