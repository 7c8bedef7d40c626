/** What the reconnaissance commands read: listing, roles, texts, facts and edges, from the index where it fits. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { FileFacts } from '../facts/model.js';
import type { EdgeDraft } from '../graph/edge.js';
import { linkFile } from '../graph/link.js';
import { MemorySource } from '../graph/memory-source.js';
import { TrackedView } from '../graph/tracked-view.js';
import { type Content, factsOf, gatherContents, isLinked, roleAttributes } from '../indexing/contents.js';
import { listTarget, sourceOf } from '../indexing/target.js';
import { Examiner } from '../io/examine.js';
import { FactsStore } from '../io/facts-store.js';
import { currentGeneration, readPublished } from '../io/index-folder.js';
import { IndexStore } from '../io/index-store.js';
import { decodeText } from '../io/text.js';
import { linkerOf } from '../languages/registry.js';
import { ECOSYSTEMS } from '../recon/ecosystems/registry.js';
import type { Together } from '../recon/knowledge.js';
import { type Manifest, manifestOf } from '../recon/manifest/manifest.js';
import { type Corpus, corpusOf } from '../recon/map/corpus.js';
import type { RepositoryText } from '../recon/repository.js';
import { STORE_FOLDER, sidecarPath } from '../sidecars/layout.js';
import { parseSidecar } from '../sidecars/stored.js';
import { type CommonOptions, defaultWorkers, locate, type Place, type Streams } from './context.js';
import { progressOn } from './progress.js';

export interface Reconnaissance {
  readonly place: Place;
  readonly contents: readonly Content[];
  readonly repository: RepositoryText;
}

/** Lists the target and reads what manifests and configuration questions look at; parses what was never seen. */
export async function survey(streams: Streams, options: CommonOptions, known?: Place): Promise<Reconnaissance> {
  const place = known ?? (await locate(streams, options));
  const { target, factsFolder } = place;
  const listing = await listTarget(target);
  const source = sourceOf(target);
  const store = new FactsStore(factsFolder);
  const progress = progressOn(streams, options.quiet ?? false);
  try {
    const attributes = await roleAttributes(source, listing.files);
    const onProgress = (done: number): void => progress.update('reading', done, listing.files.length);
    const { contents } = await gatherContents(source, listing.files, attributes, store, defaultWorkers(), onProgress);
    const wanted = contents.filter(
      ({ path, role }) => role === 'configuration' || ECOSYSTEMS.some((ecosystem) => ecosystem.matches(path)),
    );
    const texts = new Map<string, string>();
    const examiner = new Examiner(source);
    for (const file of wanted) {
      const bytes = await examiner.bytes(file);
      if (bytes) texts.set(file.path, decodeText(bytes).text);
    }
    examiner.close();
    const files = contents.map(({ path, role }) => ({ path, role }));
    return { place, contents, repository: { files, text: (path) => texts.get(path) } };
  } finally {
    progress.clear();
    await store.close();
  }
}

export const manifestFrom = ({ repository }: Reconnaissance): Manifest => manifestOf(repository);

export interface Linked {
  readonly facts: ReadonlyMap<string, FileFacts>;
  readonly edges: ReadonlyMap<string, readonly EdgeDraft[]>;
}

/** Edges as the index holds them for exactly these contents; undefined where it is of another state or absent. */
async function storedEdges(
  { place, contents }: Reconnaissance,
  facts: ReadonlyMap<string, FileFacts>,
): Promise<Map<string, readonly EdgeDraft[]> | undefined> {
  const generation = currentGeneration(place.folder);
  const folder = join(generation ?? place.folder, STORE_FOLDER);
  if (generation === undefined || !existsSync(folder)) return undefined;
  const store = new IndexStore(folder);
  try {
    const edges = new Map<string, readonly EdgeDraft[]>();
    for (const content of contents) {
      const { path, id } = content;
      if (!facts.has(path) || !isLinked(content)) continue;
      const record = store.file(path);
      if (record?.id !== id) return undefined;
      edges.set(path, store.edgesOf(record.number));
    }
    return edges;
  } finally {
    await store.close();
  }
}

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

/** Facts and edges of all files; an index that fits saves the linking. */
export async function linked(reconnaissance: Reconnaissance): Promise<Linked> {
  const facts = new Map<string, FileFacts>();
  for (const content of reconnaissance.contents) {
    const own = factsOf(content);
    if (own) facts.set(content.path, own);
  }
  const edges = (await storedEdges(reconnaissance, facts)) ?? linkedNow(reconnaissance.contents, facts);
  return { facts, edges };
}

/** The corpus of the map: source files only, since a map is of what is worked on. */
export function corpusFrom({ contents }: Reconnaissance, { facts, edges }: Linked): Corpus {
  const sources = contents.filter(({ role, reader }) => role === 'source' && reader?.dialect?.grammar !== undefined);
  const own = new Map(
    sources.flatMap(({ path }) => (facts.has(path) ? [[path, facts.get(path) as FileFacts] as const] : [])),
  );
  return corpusOf(own, edges);
}

/** Changed together as the sidecars have it; undefined for a file without one that can be read. */
export function changedTogetherIn({ folder }: Place): (path: string) => readonly Together[] | undefined {
  const generation = currentGeneration(folder);
  return (path) => {
    const text = generation === undefined ? undefined : readPublished(generation, sidecarPath(path));
    if (text === undefined) return undefined;
    const sidecar = parseSidecar(text);
    return sidecar && (sidecar.neighbours.changedTogether?.items ?? []);
  };
}
