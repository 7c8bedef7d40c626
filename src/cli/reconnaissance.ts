/** What the reconnaissance commands read: listing, roles, texts, facts and edges, from the index where it fits. */
import type { FileFacts } from '../facts/model.js';
import { currentGeneration, readIndex, readPublished } from '../io/index-folder.js';
import { treeText } from '../io/tree-text.js';
import { readerOf } from '../languages/registry.js';
import type { Evidence } from '../recon/evidence.js';
import type { Together } from '../recon/knowledge.js';
import { Knowledge } from '../recon/knowledge.js';
import type { Manifest } from '../recon/manifest/manifest.js';
import { type Corpus, corpusOf } from '../recon/map/corpus.js';
import type { RepositoryText } from '../recon/repository.js';
import { sidecarPath } from '../sidecars/layout.js';
import { parseSidecar } from '../sidecars/stored.js';
import { type CommonOptions, locate, type Place, type Streams, settingsFor } from './context.js';
import { StoredEvidence } from './stored-evidence.js';

export interface Reconnaissance {
  readonly place: Place;
  readonly repository: RepositoryText;
  readonly evidence: Evidence;
  /** Everything that one file says by itself. */
  readonly factsOf: (path: string) => FileFacts | undefined;
  readonly close: () => Promise<void>;
}

/** The index, brought up to date first where the tree moved on; undefined where there is none to bring. */
async function fromIndex(place: Place, streams: Streams, options: CommonOptions): Promise<StoredEvidence | undefined> {
  const present = readIndex(place.folder);
  if (!present) return undefined;
  const settings = { ...settingsFor(place, false), neighbours: present.settings.neighbours };
  const stored = await StoredEvidence.open(place, settings);
  if (stored !== 'stale') return stored;
  if (streams.env.SIDECAR_ALIGN === 'off') return undefined;
  try {
    const { runAlign } = await import('./align.js');
    await runAlign({ ...options, json: false, quiet: true }, streams);
  } catch {
    // A folder that cannot be written, or a build that holds the lock: what is asked can be worked out without.
    return undefined;
  }
  const aligned = await StoredEvidence.open(place, settings);
  return aligned === 'stale' ? undefined : aligned;
}

/** Close what this returns. An index that is of an older state of the work tree is aligned first. */
export async function survey(streams: Streams, options: CommonOptions, known?: Place): Promise<Reconnaissance> {
  const place = known ?? (await locate(streams, options));
  const stored = await fromIndex(place, streams, options);
  if (!stored) return (await import('./survey-files.js')).surveyFiles(place, streams, options);
  return {
    place,
    repository: { files: stored.files(), text: treeText(place.target.root) },
    evidence: stored,
    factsOf: (path) => stored.factsOf(path),
    close: () => stored.close(),
  };
}

/** The manifest of what was surveyed. Its parsers are loaded for those who ask. */
export async function manifestFrom({ repository }: Reconnaissance): Promise<Manifest> {
  const { manifestOf } = await import('../recon/manifest/manifest.js');
  return manifestOf(repository);
}

/** What gate, ladder and questions look up. */
export function knowledgeOf({ place, repository, evidence }: Reconnaissance, manifest?: Manifest): Knowledge {
  return new Knowledge({
    repository,
    ...(manifest ? { manifest } : {}),
    evidence,
    changedTogether: changedTogetherIn(place),
  });
}

/** The corpus of the map: source files only, since a map is of what is worked on. */
export function corpusFrom({ repository, evidence, factsOf: read }: Reconnaissance): Corpus {
  const facts = new Map<string, FileFacts>();
  for (const { path, role } of repository.files) {
    if (role !== 'source' || readerOf(path)?.dialect?.grammar === undefined) continue;
    const own = read(path);
    if (own) facts.set(path, own);
  }
  return corpusOf(facts, new Map([...facts.keys()].map((path) => [path, evidence.edges(path)])));
}

/** Changed together as the sidecars have it; undefined for a file without one that can be read. */
function changedTogetherIn({ folder }: Place): (path: string) => readonly Together[] | undefined {
  const generation = currentGeneration(folder);
  return (path) => {
    const text = generation === undefined ? undefined : readPublished(generation, sidecarPath(path));
    if (text === undefined) return undefined;
    const sidecar = parseSidecar(text);
    return sidecar && (sidecar.neighbours.changedTogether?.items ?? []);
  };
}
