/** Builds an index from scratch: everything is held in memory once, linked, projected and written in bulk. */
import { join } from 'node:path';
import type { FileFacts } from '../facts/model.js';
import type { EdgeDraft } from '../graph/edge.js';
import { type CommitFact, History } from '../graph/history.js';
import { linkFile } from '../graph/link.js';
import { MemorySource } from '../graph/memory-source.js';
import { RARE, type SharedWord, sharedIdentifiers } from '../graph/shared-identifiers.js';
import { TrackedView } from '../graph/tracked-view.js';
import { BackgroundWriter } from '../io/background-writer.js';
import { FactsStore } from '../io/facts-store.js';
import { FolderWriter } from '../io/folder-writer.js';
import { publishGeneration, startGeneration, writing, writingInTime } from '../io/index-folder.js';
import { IndexStore, type LookUp, STORE_VERSION } from '../io/index-store.js';
import type { Skipped } from '../io/listing.js';
import { linkerOf } from '../languages/registry.js';
import type { Index } from '../sidecars/index.generated.js';
import { COMMITS_FILE, INDEX_FILE, RECENCY_FILE, STORE_FOLDER, sidecarPath } from '../sidecars/layout.js';
import { encodeSidecar, projectSidecar } from '../sidecars/project.js';
import { encodeRecency } from '../sidecars/recency.js';
import { bucketBits, hashKey, PairCollector } from './buckets.js';
import { encodeCommits, readHistory } from './commits.js';
import { type Content, factsOf, gatherContents, isAside, isLinked, roleAttributes } from './contents.js';
import { globalInput } from './global-input.js';
import { type Globals, globalsOf } from './globals.js';
import { incomingEdges, incomingRecords } from './incoming.js';
import { definedNames, recordOf, wordCount } from './record.js';
import type { Settings } from './settings.js';
import { Counts, skippedByReason, skipReason, troubleOf } from './summary.js';
import { changedMeanwhile, listTarget, sourceOf, type Target, withPaths } from './target.js';

export interface BuildOptions {
  /** The index folder. */
  readonly folder: string;
  /** Where facts by content are kept. */
  readonly factsFolder: string;
  readonly settings: Settings;
  readonly workers: number;
  readonly onProgress: (phase: string, done: number, total: number) => void;
}

export interface BuildReport {
  readonly index: Index;
  /** Files that were parsed now, and not known from before. */
  readonly parsed: number;
  /** Milliseconds by phase, in order. */
  readonly phases: Readonly<Record<string, number>>;
  /** The same in processor time, all threads. */
  readonly cpu: Readonly<Record<string, number>>;
}

interface LinkedContent {
  readonly content: Content;
  readonly facts: FileFacts | undefined;
  readonly edges: readonly EdgeDraft[];
  readonly asked: Uint32Array;
}

class Clock {
  readonly phases: Record<string, number> = {};
  readonly cpu: Record<string, number> = {};
  private since = performance.now();
  private used = process.cpuUsage();

  lap(phase: string): void {
    const now = performance.now();
    const { user, system } = process.cpuUsage(this.used);
    this.phases[phase] = Math.round(now - this.since);
    this.cpu[phase] = Math.round((user + system) / 1000);
    this.since = now;
    this.used = process.cpuUsage();
  }
}

/** Links all contents. References are dropped as soon as a file is linked: they are most of the memory. */
function linkAll(contents: readonly Content[], onProgress: BuildOptions['onProgress']): LinkedContent[] {
  const parsed = contents.map((content) => {
    const language = content.reader?.language;
    return {
      path: content.path,
      ...(content.surface ? { surface: content.surface } : {}),
      // Only languages with scopes need the body of other files; decode it for them alone.
      ...(language?.scopesOf ? { language, facts: factsOf(content) as FileFacts } : {}),
    };
  });
  const view = new TrackedView(new MemorySource(parsed));
  const hashes = new Map<string, { readonly high: number; readonly low: number }>();
  return contents.map((content, i) => {
    if (i % 64 === 0) onProgress('linking', i, contents.length);
    const facts = factsOf(content);
    const language = content.reader && linkerOf(content.reader);
    if (!facts || !language || !isLinked(content)) {
      return { content, facts: facts && withoutReferences(facts), edges: [], asked: new Uint32Array() };
    }
    const { edges, asked } = linkFile(content.path, facts, language, view);
    const flat = new Uint32Array(asked.length * 2);
    asked.forEach((question, q) => {
      let hash = hashes.get(question);
      if (!hash) {
        hash = hashKey(question);
        hashes.set(question, hash);
      }
      flat[q * 2] = hash.high;
      flat[q * 2 + 1] = hash.low;
    });
    return { content, facts: withoutReferences(facts), edges, asked: flat };
  });
}

const withoutReferences = (facts: FileFacts): FileFacts => ({ ...facts, references: [], strings: [] });

/** Words that few files share, by word, each with its files in order. */
function rareWords(contents: readonly Content[]): { byFile: Map<string, SharedWord[]>; pairs: PairCollector } {
  const files = new Map<string, number[] | undefined>();
  const pairs = new PairCollector();
  contents.forEach(({ words }, number) => {
    if (words === '') return;
    for (const word of words.split(' ')) {
      const hash = hashKey(word);
      pairs.add(hash.high, hash.low, number);
      const known = files.get(word);
      if (known) {
        if (known.length > RARE.most) continue;
        known.push(number);
      } else if (!files.has(word)) files.set(word, [number]);
    }
  });
  const byFile = new Map<string, SharedWord[]>();
  for (const [word, numbers] of files) {
    if (!numbers || numbers.length < RARE.fewest || numbers.length > RARE.most) continue;
    const shared: SharedWord = { word, files: numbers.map((number) => contents[number]?.path ?? '') };
    for (const path of shared.files) {
      const own = byFile.get(path);
      if (own) own.push(shared);
      else byFile.set(path, [shared]);
    }
  }
  return { byFile, pairs };
}

const folderNames = (paths: readonly string[]): Map<string, string[]> => {
  const folders = new Map<string, string[]>([['', []]]);
  for (const path of paths) {
    const parts = path.split('/');
    for (let depth = 1; depth < parts.length; depth += 1) {
      const dir = parts.slice(0, depth).join('/');
      if (!folders.has(dir)) folders.set(dir, []);
    }
    folders.get(parts.slice(0, -1).join('/'))?.push(parts.at(-1) ?? '');
  }
  for (const names of folders.values()) names.sort();
  return folders;
};

/**
 * Builds and publishes the index of `target`. The published index of before stays readable until the last step.
 * Call with the index's lock held.
 */
export async function build(target: Target, options: BuildOptions): Promise<BuildReport> {
  const clock = new Clock();
  const { folder, settings, onProgress } = options;
  const listing = await listTarget(target);
  const source = sourceOf(target);
  const attributes = await roleAttributes(source, listing.files);
  clock.lap('listing');
  const history = readHistory(target.repository, listing.commit, settings.historyCommits);
  history.catch(() => undefined);
  const factsStore = writing(folder, () => new FactsStore(options.factsFolder));
  try {
    const gathered = await gatherContents(source, listing.files, attributes, factsStore, options.workers, (done) =>
      onProgress('parsing', done, listing.files.length),
    );
    clock.lap('parsing');
    const differing = withPaths(listing.differing, await changedMeanwhile(target, gathered.unsettled));
    const { commits, complete } = await history;
    clock.lap('history');
    const linked = linkAll(gathered.contents, onProgress);
    clock.lap('linking');
    const aside = asidePredicate(linked);
    const globals = globalsOf(linked.flatMap(({ content, facts, edges }) => globalInput(content, facts, edges) ?? []));
    clock.lap('globals');
    const written = await writeGeneration({
      folder,
      workers: options.workers,
      target,
      settings,
      linked,
      commits,
      complete,
      globals,
      aside,
      skipped: [...listing.skipped, ...gathered.skipped],
      commit: listing.commit,
      tree: listing.tree,
      differing,
      onProgress,
      clock,
    });
    await written.store.close();
    publishGeneration(folder, written.generation);
    clock.lap('publishing');
    return { index: written.index, parsed: gathered.examined, phases: clock.phases, cpu: clock.cpu };
  } finally {
    await factsStore.close();
  }
}

/** Whether a path is listed after others, by the role that its file has. */
function asidePredicate(linked: readonly LinkedContent[]): (path: string) => boolean {
  const aside = new Set(linked.filter(({ content }) => isAside(content.role)).map(({ content }) => content.path));
  return (path) => aside.has(path);
}

interface Generation {
  readonly folder: string;
  readonly workers: number;
  readonly target: Target;
  readonly settings: Settings;
  readonly linked: readonly LinkedContent[];
  readonly commits: readonly CommitFact[];
  readonly complete: boolean;
  readonly globals: Globals;
  readonly aside: (path: string) => boolean;
  readonly skipped: readonly Skipped[];
  readonly commit: string | null;
  readonly tree: Index['tree'];
  readonly differing: readonly string[] | null;
  readonly onProgress: BuildOptions['onProgress'];
  readonly clock: Clock;
}

interface Written {
  readonly index: Index;
  readonly generation: string;
  readonly store: IndexStore;
}

/** So many sidecars are written by a thread of its own. */
const MANY_SIDECARS = 200;

async function writeGeneration(input: Generation): Promise<Written> {
  const generation = startGeneration(input.folder);
  if (input.workers < 2 || input.linked.length < MANY_SIDECARS) {
    const writer = new FolderWriter(generation);
    return writeFiles(input, generation, writer);
  }
  const writer = new BackgroundWriter(generation);
  try {
    const written = writeFiles(input, generation, writer);
    await writingInTime(input.folder, () => writer.finish());
    input.clock.lap('writing');
    return written;
  } catch (error) {
    await writer.abandon();
    throw error;
  }
}

function writeFiles(input: Generation, generation: string, sidecars: Pick<FolderWriter, 'write'>): Written {
  const { folder, settings, linked, commits, globals, clock } = input;
  const writer = new FolderWriter(generation);
  const numbers = new Map(linked.map(({ content }, number) => [content.path, number]));
  const contents = linked.map(({ content }) => content);

  const { byFile: rare, pairs: wordPairs } = rareWords(contents);
  const sizes = new Map(contents.map(({ path, words }) => [path, wordCount(words)]));
  const worded = [...sizes.values()].filter((size) => size > 0).length;
  clock.lap('words');
  const past = new History(commits, (path) => numbers.has(path), {
    minFiles: settings.historyMinFiles,
    maxFiles: settings.historyMaxFiles,
  });
  const incoming = incomingRecords(
    linked.map(({ content, facts, edges }) => ({
      path: content.path,
      language: content.language ?? '',
      symbols: facts?.symbols ?? [],
      edges,
    })),
  );
  const counts = new Counts();
  writing(folder, () => {
    linked.forEach(({ content, facts, edges }, number) => {
      if (number % 64 === 0) input.onProgress('writing', number, linked.length);
      const { path } = content;
      counts.file(content.role, content.language, facts?.symbols.length ?? 0, 1);
      counts.edgesOf(edges, 1);
      const global = globals.byFile.get(path);
      const sidecar = projectSidecar(
        {
          path,
          content: content.id,
          role: content.role,
          lines: content.lines,
          ...(content.language === undefined ? {} : { language: content.language }),
          ...(facts ? { facts } : {}),
          outgoing: edges,
          incoming: incomingEdges(incoming.get(path) ?? new Map()),
          changedTogether: past.changedTogether(path),
          sharedIdentifiers: sharedIdentifiers(path, rare.get(path) ?? [], (p) => sizes.get(p) ?? 0, worded),
          ...(global?.community ? { community: global.community } : {}),
          flows: global?.flows ?? [],
        },
        settings.neighbours,
        input.aside,
      );
      sidecars.write(sidecarPath(path), encodeSidecar(sidecar));
    });
    writer.write(RECENCY_FILE, encodeRecency(past.ages()));
    writer.write(COMMITS_FILE, encodeCommits(commits));
  });
  clock.lap('sidecars');

  const skipped = [...input.skipped];
  for (const { content, facts } of linked) {
    const why = skipReason(content.role, content.reason) ?? troubleOf(content, facts?.errors ?? 0);
    if (why !== undefined) skipped.push({ path: content.path, reason: why });
  }
  const index: Index = {
    commit: input.commit,
    counts: counts.result(),
    globals: {
      changedEdges: 0,
      communities: globals.communities,
      flows: globals.flows,
      modularity: globals.modularity,
    },
    history: { commits: commits.length, complete: input.complete },
    schemaVersion: 1,
    settings,
    skipped: skippedByReason(skipped),
    tree: input.tree,
  };
  const store = writing(folder, () => {
    const opened = new IndexStore(join(generation, STORE_FOLDER));
    opened.transaction(() =>
      writeStore(opened, { ...input, skipped }, index, { numbers, wordPairs, worded, incoming }),
    );
    writer.write(INDEX_FILE, `${JSON.stringify(index)}\n`);
    return opened;
  });
  clock.lap('store');
  return { index, generation, store };
}

interface LookUps {
  readonly numbers: ReadonlyMap<string, number>;
  readonly wordPairs: PairCollector;
  readonly worded: number;
  readonly incoming: ReturnType<typeof incomingRecords>;
}

function writeStore(store: IndexStore, input: Generation, index: Index, lookUps: LookUps): void {
  const { linked, globals } = input;
  const { numbers, incoming } = lookUps;
  const pairs: Record<LookUp, PairCollector> = {
    askers: new PairCollector(),
    words: lookUps.wordPairs,
    definers: new PairCollector(),
    scopes: new PairCollector(),
  };
  linked.forEach(({ content, facts, asked }, number) => {
    const { path } = content;
    store.putFile(path, recordOf(content, number));
    for (let i = 0; i < asked.length; i += 2) pairs.askers.add(asked[i] ?? 0, asked[i + 1] ?? 0, number);
    for (const name of definedNames(content)) {
      const { high, low } = hashKey(name);
      pairs.definers.add(high, low, number);
    }
    const scopes = facts && content.reader?.language.scopesOf?.(path, facts);
    for (const { scope, names } of scopes ?? []) {
      for (const name of names) {
        const { high, low } = hashKey(`${scope}\0${name}`);
        pairs.scopes.add(high, low, number);
      }
    }
    const global = globals.byFile.get(path);
    if (global) store.putGlobal(number, global);
  });
  const bits = {
    askers: bucketBits(pairs.askers.count),
    words: bucketBits(pairs.words.count),
    definers: bucketBits(pairs.definers.count),
    scopes: bucketBits(pairs.scopes.count),
  };
  store.putMeta({
    version: STORE_VERSION,
    root: input.target.root,
    nextNumber: linked.length,
    bits,
    index,
    differing: input.differing,
    worded: lookUps.worded,
  });
  linked.forEach(({ edges, asked }, number) => {
    store.putLink(number, edges, asked);
  });
  // In the order of their keys: pages that are filled from one end are full.
  for (const [target, to] of numbers) {
    for (const [from, record] of incoming.get(target) ?? []) store.putIncoming(to, numbers.get(from) ?? 0, record);
  }
  for (const name of Object.keys(bits) as LookUp[]) {
    for (const { bucket, pairs: content } of pairs[name].buckets(bits[name])) store.putBucket(name, bucket, content);
  }
  for (const [dir, names] of folderNames([...numbers.keys()])) store.putFolder(dir, names);
  store.putHistory(input.commits);
  store.putSkipped(input.skipped);
}
