/** What the reconnaissance commands read where there is no index: every file, parsed where it was never seen, and linked. */
import type { FileFacts } from '../facts/model.js';
import type { EdgeDraft } from '../graph/edge.js';
import { linkFile } from '../graph/link.js';
import { MemorySource } from '../graph/memory-source.js';
import { TrackedView } from '../graph/tracked-view.js';
import { type Content, factsOf, gatherContents, isLinked, roleAttributes } from '../indexing/contents.js';
import { listTarget, sourceOf } from '../indexing/target.js';
import { FactsStore } from '../io/facts-store.js';
import { treeText } from '../io/tree-text.js';
import { linkerOf } from '../languages/registry.js';
import { MemoryEvidence } from '../recon/evidence.js';
import { type CommonOptions, defaultWorkers, type Place, type Streams } from './context.js';
import { progressOn } from './progress.js';
import type { Reconnaissance } from './reconnaissance.js';

function linkedNow(
  contents: readonly Content[],
  facts: ReadonlyMap<string, FileFacts>,
): Map<string, readonly EdgeDraft[]> {
  const known = contents.map(({ path, surface, reader }) => {
    const own = facts.get(path);
    return {
      path,
      ...(surface ? { surface } : {}),
      ...(own ? { facts: own } : {}),
      ...(reader ? { language: reader.language } : {}),
    };
  });
  const view = new TrackedView(new MemorySource(known));
  const edges = new Map<string, readonly EdgeDraft[]>();
  for (const content of contents) {
    const { path, reader } = content;
    const own = facts.get(path);
    if (own && reader && isLinked(content)) edges.set(path, linkFile(path, own, linkerOf(reader), view).edges);
  }
  return edges;
}

/** Lists the target, parses what was never seen, and links everything. */
export async function surveyFiles(place: Place, streams: Streams, options: CommonOptions): Promise<Reconnaissance> {
  const { target, factsFolder } = place;
  const listing = await listTarget(target);
  const source = sourceOf(target);
  const store = new FactsStore(factsFolder);
  const progress = progressOn(streams, options.quiet ?? false);
  try {
    const attributes = await roleAttributes(source, listing.files);
    const onProgress = (done: number): void => progress.update('reading', done, listing.files.length);
    const { contents } = await gatherContents(source, listing.files, attributes, store, defaultWorkers(), onProgress);
    const facts = new Map<string, FileFacts>();
    for (const content of contents) {
      const own = factsOf(content);
      if (own) facts.set(content.path, own);
    }
    const files = contents.map(({ path, role }) => ({ path, role }));
    return {
      place,
      repository: { files, text: treeText(target.root) },
      evidence: new MemoryEvidence(facts, linkedNow(contents, facts)),
      factsOf: (path) => facts.get(path),
      close: async () => {},
    };
  } finally {
    progress.clear();
    await store.close();
  }
}
