/** The corpus of the map: as it was kept for exactly this state of the repository, else made now and kept. */

import { keep, readKept } from '../io/kept-file.js';
import { type IndexedCorpus, indexCorpus } from '../recon/map/documents.js';
import { decodeSnapshot, encodeSnapshot } from '../recon/map/snapshot.js';
import type { CommonOptions, Place, Streams } from './context.js';
import type { Reconnaissance } from './reconnaissance.js';
import { treeState } from './tree-state.js';

/** Beside the generations, since it is of one of them and of what differs from it. */
const KEPT = 'map.bin';

/** The corpus of a place that nothing else was read of: where it was kept, neither store nor parser is opened. */
export async function indexedCorpus(place: Place, streams: Streams, options: CommonOptions): Promise<IndexedCorpus> {
  const state = await treeState(place.folder, place.target);
  const known = kept(place, state);
  if (known) return known;
  // Reading facts needs the parser and the linker, which take long to load.
  const { survey } = await import('./reconnaissance.js');
  const reconnaissance = await survey(streams, options, place);
  try {
    return await corpusOfState(reconnaissance);
  } finally {
    await reconnaissance.close();
  }
}

/** The corpus of what was surveyed. */
export async function corpusOfState(reconnaissance: Reconnaissance): Promise<IndexedCorpus> {
  const { folder, target } = reconnaissance.place;
  const state = await treeState(folder, target);
  const known = kept(reconnaissance.place, state);
  if (known) return known;
  const { corpusFrom } = await import('./reconnaissance.js');
  const index = indexCorpus(corpusFrom(reconnaissance));
  // Somebody may have edited files meanwhile: then it belongs to neither state.
  if (state !== undefined && (await treeState(folder, target)) === state) {
    keep(folder, KEPT, encodeSnapshot(index, state));
  }
  return index;
}

function kept({ folder }: Place, state: string | undefined): IndexedCorpus | undefined {
  const bytes = state === undefined ? undefined : readKept(folder, KEPT);
  return state !== undefined && bytes ? decodeSnapshot(bytes, state) : undefined;
}
