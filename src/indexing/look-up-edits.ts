/** Collected edits of one reverse look-up, written bucket by bucket at the end. */
import type { IndexStore, LookUp } from '../io/index-store.js';
import { changedBucket, type KeyHash } from './buckets.js';

type Pair = readonly [low: number, file: number];

export class LookUpEdits {
  private readonly edits = new Map<number, { readonly removed: Pair[]; readonly added: Pair[] }>();

  constructor(
    private readonly store: IndexStore,
    private readonly lookUp: LookUp,
  ) {}

  private at(high: number): { readonly removed: Pair[]; readonly added: Pair[] } {
    const bucket = this.store.bucketNumber(this.lookUp, high);
    let edit = this.edits.get(bucket);
    if (!edit) {
      edit = { removed: [], added: [] };
      this.edits.set(bucket, edit);
    }
    return edit;
  }

  add({ high, low }: KeyHash, file: number): void {
    this.at(high).added.push([low, file]);
  }

  remove({ high, low }: KeyHash, file: number): void {
    this.at(high).removed.push([low, file]);
  }

  /** Call inside the store's transaction. */
  write(): void {
    for (const [bucket, { removed, added }] of this.edits) {
      const pairs = changedBucket(this.store.bucket(this.lookUp, bucket), removed, added);
      this.store.putBucket(this.lookUp, bucket, pairs);
    }
  }
}
