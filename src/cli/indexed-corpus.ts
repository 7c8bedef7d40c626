/** The corpus of the map: as it was kept for exactly this state of the repository, else made now and kept. */

import { keep, readKept } from '../io/kept-file.js';
import { type IndexedCorpus, indexCorpus } from '../recon/map/documents.js';
import { decodeSnapshot, encodeSnapshot } from '../recon/map/snapshot.js';
import type { CommonOptions, Place, Streams } from './context.js';
import { treeState } from './tree-state.js';

/** Beside the generations, since it is of one of them and of what differs from it. */
const KEPT = 'map.bin';

export async function indexedCorpus(place: Place, streams: Streams, options: CommonOptions): Promise<IndexedCorpus> {
  const { folder, target } = place;
  const state = await treeState(folder, target);
  const kept = state === undefined ? undefined : readKept(folder, KEPT);
  const known = state !== undefined && kept ? decodeSnapshot(kept, state) : undefined;
  if (known) return known;
  // Reading facts needs the parser and the linker, which take long to load.
  const { corpusFrom, linked, survey } = await import('./reconnaissance.js');
  const reconnaissance = await survey(streams, options, place);
  const index = indexCorpus(corpusFrom(reconnaissance, await linked(reconnaissance)));
  // Somebody may have edited files meanwhile: then it belongs to neither state.
  if (state !== undefined && (await treeState(folder, target)) === state) {
    keep(folder, KEPT, encodeSnapshot(index, state));
  }
  return index;
}
