/** `sidecar export`: the whole graph, nothing capped. */
import { join } from 'node:path';
import { SidecarError } from '../errors.js';
import { type ExportFormat, exportGraph } from '../graph/export.js';
import { exportedEdges } from '../indexing/exported-edges.js';
import { FactsStore } from '../io/facts-store.js';
import { currentGeneration } from '../io/index-folder.js';
import { IndexStore } from '../io/index-store.js';
import { STORE_FOLDER } from '../sidecars/layout.js';
import { type CommonOptions, type ExitCode, locate, type Streams } from './context.js';

/** Pieces are joined up to this size before they are written. */
const CHUNK = 1 << 20;

export async function runExport(format: ExportFormat, options: CommonOptions, streams: Streams): Promise<ExitCode> {
  const { folder, factsFolder } = await locate(streams, options);
  const generation = currentGeneration(folder);
  if (generation === undefined) {
    throw new SidecarError('nothing to export', 'there is no index of this repository', 'run: sidecar build');
  }
  const store = new IndexStore(join(generation, STORE_FOLDER));
  const facts = new FactsStore(factsFolder);
  try {
    let pending = '';
    for (const piece of exportGraph(exportedEdges(generation, store, facts), format)) {
      pending += piece;
      if (pending.length > CHUNK) {
        streams.out(pending);
        pending = '';
      }
    }
    streams.out(pending);
  } finally {
    await store.close();
    await facts.close();
  }
  return 0;
}
