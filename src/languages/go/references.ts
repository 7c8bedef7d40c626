/** The references of one file, deduplicated, with the locals' types that they start from. */
import type { ReferenceFact, ReferenceKind } from '../../facts/model.js';

interface Pending {
  readonly kind: ReferenceKind;
  readonly from: number;
  readonly chain: readonly string[];
  readonly rootType: number | undefined;
  readonly line: number;
  count: number;
}

/** An attribute chain being read: `root` is the index of the type that its first segment has. */
export interface Chain {
  /** Owned by whoever got the chain last: `extended` adds to it in place. */
  readonly segments: string[];
  readonly root: number | undefined;
  readonly row: number;
}

export class References {
  private readonly byKey = new Map<string, Pending>();

  add(kind: ReferenceKind, from: number, { segments, root, row }: Chain): void {
    const key = `${kind} ${from} ${root ?? ''} ${segments.join('.')}`;
    const known = this.byKey.get(key);
    if (known) known.count++;
    else this.byKey.set(key, { kind, from, chain: segments, rootType: root, line: row, count: 1 });
  }

  facts(): ReferenceFact[] {
    return [...this.byKey.values()].map(({ rootType, ...reference }) =>
      rootType === undefined ? reference : { ...reference, rootType },
    );
  }
}
