/** Edges of one file as they are found: one for each pair and type, on its best evidence. */
import type { EdgeDraft, Provenance } from '../../graph/edge.js';

/** Evidence from the most direct to the most derived. */
const DIRECTNESS: readonly Provenance[] = [
  'same-file',
  'imported-name',
  'package-scope',
  'self-receiver',
  'constructed-receiver',
  'declared-receiver',
  'field-receiver',
  'returned-receiver',
];

export class Drafts {
  private readonly byKey = new Map<string, EdgeDraft>();

  add(draft: EdgeDraft): void {
    const key = `${draft.from} ${draft.type} ${draft.to.path} ${draft.to.symbol ?? ''}`;
    const known = this.byKey.get(key);
    if (known === undefined) {
      this.byKey.set(key, draft);
      return;
    }
    const line = Math.min(known.line, draft.line);
    const best = isBetter(draft, known) ? draft : known;
    if (best !== known || line !== known.line) this.byKey.set(key, { ...best, line });
  }

  all(): EdgeDraft[] {
    return [...this.byKey.values()];
  }
}

function isBetter(a: EdgeDraft, b: EdgeDraft): boolean {
  const shares = (a.among ?? 1) - (b.among ?? 1);
  if (shares !== 0) return shares < 0;
  return DIRECTNESS.indexOf(a.provenance) < DIRECTNESS.indexOf(b.provenance);
}
