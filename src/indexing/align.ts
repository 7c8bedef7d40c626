/**
 * Makes an index describe another tree at the cost of the difference.
 *
 * Linking a file is a pure function of its facts and of the answers that it was given, and the index keeps which
 * questions each file asked. So: find the changed files, find the questions whose answers changed, link again the
 * changed files and those that asked, write the sidecars whose content that touches. The result is what a build
 * of the target would write, but for communities and flows while they are carried over.
 */
import { join } from 'node:path';
import type { EdgeDraft } from '../graph/edge.js';
import { type CommitFact, History } from '../graph/history.js';
import { linkFile } from '../graph/link.js';
import { TrackedView } from '../graph/tracked-view.js';
import { adoptGeneration } from '../io/adopt-generation.js';
import { FactsStore } from '../io/facts-store.js';
import { currentGeneration, indexOf, publishGeneration, readPublished, writing } from '../io/index-folder.js';
import {
  type FileRecord,
  type GlobalRecord,
  type IncomingRecord,
  IndexStore,
  isDamage,
  type StoreMeta,
} from '../io/index-store.js';
import { type ListedFile, type PathState, type Skipped, TOO_LARGE } from '../io/listing.js';
import { carryOut, recover, Staging } from '../io/publication.js';
import { linkerOf } from '../languages/registry.js';
import type { Index } from '../sidecars/index.generated.js';
import { COMMITS_FILE, INDEX_FILE, RECENCY_FILE, STORE_FOLDER, sidecarPath } from '../sidecars/layout.js';
import { encodeRecency } from '../sidecars/recency.js';
import { hashKey } from './buckets.js';
import type { BuildOptions } from './build.js';
import { changedFolderQuestions, changedQuestions, symmetricDifference, type Visible } from './changed-questions.js';
import { decodeCommits, encodeCommits, readHistory } from './commits.js';
import { type Content, factsOf, gatherContents, isAside, isLinked, roleAttributes } from './contents.js';
import { type GlobalInput, globalInput } from './global-input.js';
import { recordsOf } from './incoming.js';
import { LookUpEdits } from './look-up-edits.js';
import { planAlign, skippedByPath, whyRebuild } from './plan.js';
import { Projection } from './projection.js';
import { definedNames, recordOf } from './record.js';
import type { Relinked } from './relinked.js';
import { FolderOverlay, folderOf, StoreIncomplete, StoreSource, storedContent } from './store-source.js';
import { Counts, skippedByReason, skipReason, troubleOf } from './summary.js';
import { changedMeanwhile, sourceOf, type Target, withPaths } from './target.js';
import { movesAllWeights, type WordChange, WordIndex } from './word-index.js';

export interface AlignOptions extends BuildOptions {
  /** Index folders of the other worktrees of the repository, best first: to start from where there is no index yet. */
  readonly siblings?: readonly string[];
  /** When communities and flows are worked out anew: past the threshold, every time, not at all. */
  readonly globals: 'auto' | 'always' | 'never';
}

export interface AlignReport {
  readonly index: Index;
  /** `built`: from scratch, for the reason in `why`. */
  readonly outcome: 'aligned' | 'unchanged' | 'built';
  readonly why?: string;
  /** Files that differed, files linked again, sidecars written, contents parsed. */
  readonly changed: number;
  readonly linked: number;
  readonly written: number;
  readonly parsed: number;
  /** It started from the index of another worktree. */
  readonly adopted: boolean;
}

/** Share of the edges that may change before communities and flows are worked out anew. */
const GLOBALS_THRESHOLD = 0.05;
/** In a small repository a few edits are a large share: leave them be. */
const GLOBALS_LEAST = 200;

/**
 * Where more than this share of the files differs, and so many, a build is cheaper: it reads nothing of what was
 * (docs/performance.md).
 */
const REBUILD_SHARE = 0.5;
const REBUILD_LEAST = 100;

const byPath = (a: Skipped, b: Skipped): number => (a.path < b.path ? -1 : 1);

/** The changes, and the listed files that could not be read at that time: perhaps they can be now. */
function withRetries(
  changes: ReadonlyMap<string, PathState>,
  skipped: ReadonlyMap<string, Skipped>,
): Map<string, PathState> {
  const all = new Map(changes);
  for (const { path, reason, id, module } of skipped.values()) {
    if (id === undefined || reason === TOO_LARGE || all.has(path)) continue;
    all.set(path, { path, id, ...(module === undefined ? {} : { module }) });
  }
  return all;
}

const NO_QUESTIONS = new Uint32Array();
const sameJson = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/**
 * Aligns, or builds where there is nothing to align. Call with the index's lock held.
 */
export async function align(target: Target, options: AlignOptions): Promise<AlignReport> {
  const own = currentGeneration(options.folder);
  const adopted = own === undefined ? await adopt(target, options) : undefined;
  const generation = own ?? adopted;
  let why = 'there is no index yet';
  if (generation !== undefined) {
    let store: IndexStore | undefined;
    let facts: FactsStore | undefined;
    try {
      store = writing(options.folder, () => new IndexStore(join(generation, STORE_FOLDER)));
      facts = writing(options.folder, () => new FactsStore(options.factsFolder));
      recover(generation, store.publication());
      const meta = store.meta();
      const obstacle = whyRebuild(meta, indexOf(generation), target, options.settings);
      if (meta && obstacle === undefined) {
        const report = await new Aligner(target, options, generation, store, facts, meta).run();
        if (adopted !== undefined) publishGeneration(options.folder, adopted);
        return { ...report, adopted: adopted !== undefined };
      }
      why = obstacle ?? why;
    } catch (error) {
      if (isDamage(error)) why = `the index is damaged: ${(error as Error).message}`;
      else if (error instanceof StoreIncomplete) why = error.message;
      else throw error;
    } finally {
      await store?.close();
      await facts?.close();
    }
  }
  // Most aligns load neither a build nor, further down, the computation of communities.
  const { build } = await import('./build.js');
  const { index, parsed } = await build(target, options);
  return {
    index,
    outcome: 'built',
    why,
    changed: index.counts.files,
    linked: index.counts.files,
    written: index.counts.files,
    parsed,
    adopted: false,
  };
}

/** A generation to start from, copied from the first of the other worktrees that has a usable one. */
async function adopt({ root }: Target, { folder, siblings }: AlignOptions): Promise<string | undefined> {
  for (const sibling of siblings ?? []) {
    const generation = await adoptGeneration(sibling, folder, root);
    if (generation !== undefined) return generation;
  }
  return undefined;
}

class Aligner {
  private readonly numbers = new Map<string, number>();
  private nextNumber: number;

  constructor(
    private readonly target: Target,
    private readonly options: AlignOptions,
    private readonly generation: string,
    private readonly store: IndexStore,
    private readonly facts: FactsStore,
    private readonly meta: StoreMeta,
  ) {
    this.nextNumber = meta.nextNumber;
  }

  async run(): Promise<Omit<AlignReport, 'adopted'>> {
    const { store, meta, options, target } = this;
    const oldSkipped = skippedByPath(store.skipped());
    const plan = await planAlign(target, store, meta, oldSkipped);
    if ([...plan.changes.keys()].some((path) => path === '.gitattributes' || path.endsWith('/.gitattributes'))) {
      throw new StoreIncomplete('.gitattributes changed, which may change the role of any file');
    }
    const { size } = plan.changes;
    if (size > REBUILD_LEAST && size > REBUILD_SHARE * meta.index.counts.files) {
      throw new StoreIncomplete(`${size} of ${meta.index.counts.files} files differ`);
    }
    const tipChanged = plan.commit !== meta.index.commit;
    const { contents, skipped, parsed, unsettled } = await this.gather(
      withRetries(plan.changes, oldSkipped),
      oldSkipped,
    );
    const differing = withPaths(plan.differing, unsettled);
    if (
      contents.size === 0 &&
      !tipChanged &&
      plan.tree === meta.index.tree &&
      sameJson(differing, meta.differing) &&
      sameJson([...skipped.values()].sort(byPath), [...oldSkipped.values()].sort(byPath)) &&
      options.globals !== 'always'
    ) {
      return { index: meta.index, outcome: 'unchanged', changed: 0, linked: 0, written: 0, parsed: 0 };
    }

    const befores = new Map<string, Content | undefined>();
    for (const path of contents.keys()) {
      const record = store.file(path);
      befores.set(path, record && storedContent(this.facts, path, record));
    }
    const folders = this.folderOverlay(contents, befores);
    const relinked = this.relink(contents, befores, folders);
    const wordChanges = [...contents].map(([path, after]): WordChange => {
      const record = store.file(path);
      return { path, before: record ? this.oldWords(path, record) : '', after: after?.words ?? '' };
    });
    const worded =
      meta.worded +
      wordChanges.reduce((sum, { before, after }) => sum + Number(after !== '') - Number(before !== ''), 0);
    const words = new WordIndex(store, wordChanges, worded);

    const appearing = new Set(
      [...contents]
        .filter(([path, after]) => (after === undefined) !== (befores.get(path) === undefined))
        .map(([path]) => path),
    );
    const exists = (path: string): boolean =>
      contents.has(path) ? contents.get(path) !== undefined : store.file(path) !== undefined;
    const history = await this.history(plan.commit, tipChanged, appearing, exists);

    const incoming = this.incomingChanges(relinked);
    const counts = new Counts(meta.index.counts);
    for (const [path, after] of contents) {
      const before = befores.get(path);
      const old = store.file(path);
      if (old && before) counts.file(old.role, old.language, factsOf(before)?.symbols.length ?? 0, -1);
      if (after) counts.file(after.role, after.language, factsOf(after)?.symbols.length ?? 0, 1);
    }
    let changedEdges = meta.index.globals.changedEdges;
    for (const { before, after } of relinked.values()) {
      counts.edgesOf(before.edges, -1);
      counts.edgesOf(after.edges, 1);
      changedEdges += edgeDifference(before.edges, after.edges);
    }
    const globals = await this.globals(contents, relinked, changedEdges, counts.result().edges);

    const projection = new Projection({
      generation: this.generation,
      store,
      facts: this.facts,
      cap: options.settings.neighbours,
      contents,
      relinked,
      incoming,
      globals: globals.byFile,
      isAside: (path) => isAside((contents.has(path) ? contents.get(path) : store.file(path))?.role),
    });
    // Of the others only the lists for ranking can differ.
    const structural = new Set<string>([...contents.keys(), ...incoming.keys(), ...globals.affected]);
    for (const { path, before, after } of relinked.values())
      if (!sameJson(before.edges, after.edges)) structural.add(path);
    for (const [path, after] of contents) {
      // Its place in the lists of others depends on its role.
      if (isAside(befores.get(path)?.role) === isAside(after?.role)) continue;
      for (const { to } of relinked.get(path)?.after.edges ?? []) structural.add(to.path);
      for (const source of projection.incomingOf(path).keys()) structural.add(source);
    }
    const historyAffected = history.affected;
    const wordsAffected = movesAllWeights(meta.worded, worded) ? undefined : words.affected();
    const affected = new Set<string>([...structural, ...historyAffected]);
    if (wordsAffected) for (const path of wordsAffected) affected.add(path);
    else for (const { path } of store.allFiles()) affected.add(path);

    const index: Index = {
      commit: plan.commit,
      counts: counts.result(),
      globals: globals.summary,
      history: history.summary,
      schemaVersion: 1,
      settings: options.settings,
      skipped: skippedByReason(skipped.values()),
      tree: plan.tree,
    };
    const staging = new Staging(
      this.generation,
      `${process.pid}-${this.nextNumber}-${plan.commit}-${performance.now()}`,
    );
    let written = 0;
    try {
      for (const path of [...affected].sort()) {
        if (!exists(path)) {
          if (befores.get(path)) staging.remove(sidecarPath(path));
          continue;
        }
        const lists = {
          ...(historyAffected.has(path) || appearing.has(path)
            ? { changedTogether: history.past().changedTogether(path) }
            : {}),
          ...(wordsAffected === undefined || wordsAffected.has(path)
            ? { sharedIdentifiers: words.sharedBy(path, this.wordsAfter(path, contents)) }
            : {}),
        };
        const bytes = structural.has(path) ? projection.whole(path, lists) : projection.relisted(path, lists);
        if (bytes === undefined) continue;
        staging.put(sidecarPath(path), bytes);
        written += 1;
      }
      if (history.commits) {
        staging.put(RECENCY_FILE, encodeRecency(history.past().ages()));
        staging.put(COMMITS_FILE, encodeCommits(history.commits));
      }
      staging.put(INDEX_FILE, `${JSON.stringify(index)}\n`);
      writing(options.folder, () =>
        store.transaction(() => {
          this.writeLookUps(contents, befores, folders, wordChanges);
          this.writeLinks(relinked, incoming);
          for (const [path, record] of globals.changed) {
            const number = this.numberOf(path);
            if (number !== undefined && exists(path)) store.putGlobal(number, record);
          }
          this.writeRecords(contents);
          if (history.commits) store.putHistory(history.commits);
          store.putSkipped([...skipped.values()]);
          store.putMeta({ ...meta, nextNumber: this.nextNumber, index, differing, worded });
          store.putPublication(staging.publication());
        }),
      );
    } catch (error) {
      staging.discard();
      throw error;
    }
    carryOut(this.generation, staging.publication());
    return { index, outcome: 'aligned', changed: contents.size, linked: relinked.size, written, parsed };
  }

  /** Contents of the changed paths (undefined: gone), and all skipped files after the change. */
  private async gather(
    changes: ReadonlyMap<string, PathState>,
    oldSkipped: ReadonlyMap<string, Skipped>,
  ): Promise<{
    contents: Map<string, Content | undefined>;
    skipped: Map<string, Skipped>;
    parsed: number;
    /** Paths that changed while they were read. */
    unsettled: readonly string[];
  }> {
    const { options, store, target } = this;
    const source = sourceOf(target);
    const files: ListedFile[] = [];
    const skipped = new Map(oldSkipped);
    const contents = new Map<string, Content | undefined>();
    for (const [path, state] of changes) {
      skipped.delete(path);
      contents.set(path, undefined);
      if (state && !('reason' in state)) files.push(state);
      else if (state) skipped.set(path, state);
    }
    const attributeFiles = new Map<string, ListedFile>();
    for (const { path } of files) {
      for (let dir = folderOf(path); ; dir = folderOf(dir)) {
        const candidate = dir === '' ? '.gitattributes' : `${dir}/.gitattributes`;
        const record = store.file(candidate);
        if (record) attributeFiles.set(candidate, { path: candidate, id: record.id });
        if (dir === '') break;
      }
    }
    const attributes = await roleAttributes(source, [...attributeFiles.values()]);
    const gathered = await gatherContents(source, files, attributes, this.facts, options.workers, () => undefined);
    for (const skip of gathered.skipped) skipped.set(skip.path, skip);
    for (const content of gathered.contents) {
      contents.set(content.path, content);
      const why = skipReason(content.role, content.reason) ?? troubleOf(content, factsOf(content)?.errors ?? 0);
      if (why !== undefined) skipped.set(content.path, { path: content.path, reason: why });
    }
    for (const [path, content] of contents) {
      const record = store.file(path);
      // What neither was nor is part of the index is no change of it, nor is what turned out as it was.
      if (content ? record?.id === content.id && record.module === content.module : !record) contents.delete(path);
    }
    const unsettled = await changedMeanwhile(target, gathered.unsettled);
    return { contents, skipped, parsed: gathered.examined, unsettled };
  }

  private oldWords(path: string, record: FileRecord): string {
    if (record.words === 0) return '';
    const words = this.facts.words(record.id);
    if (words === undefined) throw new StoreIncomplete(`words of ${path} are gone`);
    return words;
  }

  private wordsAfter(path: string, contents: ReadonlyMap<string, Content | undefined>): string {
    if (contents.has(path)) return contents.get(path)?.words ?? '';
    const record = this.store.file(path);
    return record ? this.oldWords(path, record) : '';
  }

  private numberOf(path: string): number | undefined {
    return this.numbers.get(path) ?? this.store.file(path)?.number;
  }

  private folderOverlay(
    contents: ReadonlyMap<string, Content | undefined>,
    befores: ReadonlyMap<string, Content | undefined>,
  ): FolderOverlay {
    const folders = new FolderOverlay(this.store);
    for (const [path, after] of contents) {
      if (after && !befores.get(path)) {
        folders.add(path);
        this.numbers.set(path, this.nextNumber);
        this.nextNumber += 1;
      } else if (!after) folders.remove(path);
    }
    folders.settle();
    return folders;
  }

  /** Links the changed files and all that asked a question whose answer changed. */
  private relink(
    contents: ReadonlyMap<string, Content | undefined>,
    befores: ReadonlyMap<string, Content | undefined>,
    folders: FolderOverlay,
  ): Map<string, Relinked> {
    const { store } = this;
    const changed = new Set<string>();
    const visible = (content: Content | undefined): Visible | undefined => {
      if (!content) return undefined;
      const language = content.reader?.language;
      const facts = language?.scopesOf ? factsOf(content) : undefined;
      return {
        ...(content.surface ? { surface: content.surface } : {}),
        ...(facts && language ? { facts, language } : {}),
      };
    };
    for (const [path, after] of contents) changedQuestions(path, visible(befores.get(path)), visible(after), changed);
    changedFolderQuestions(folders, changed);
    const toLink = new Set<string>(contents.keys());
    for (const question of changed) {
      const { high, low } = hashKey(question);
      for (const number of store.lookUp('askers', high, low)) {
        const path = store.path(number);
        if (path !== undefined) toLink.add(path);
      }
    }
    const view = new TrackedView(new StoreSource(store, this.facts, contents, folders));
    const relinked = new Map<string, Relinked>();
    for (const path of [...toLink].sort()) {
      const record = store.file(path);
      const number = this.numberOf(path);
      if (number === undefined) continue;
      const before = contents.has(path) ? befores.get(path) : record && storedContent(this.facts, path, record);
      const after = contents.has(path) ? contents.get(path) : before;
      const oldFacts = before && factsOf(before);
      const newFacts = after === before ? oldFacts : after && factsOf(after);
      const language = after?.reader && linkerOf(after.reader);
      let edges: readonly EdgeDraft[] = [];
      let asked: Uint32Array = NO_QUESTIONS;
      if (after && newFacts && language && isLinked(after)) {
        const linked = linkFile(path, newFacts, language, view);
        edges = linked.edges;
        asked = hashed(linked.asked);
      }
      relinked.set(path, {
        path,
        number,
        before: {
          language: before?.language ?? '',
          ...(oldFacts ? { facts: oldFacts } : {}),
          edges: record ? store.edgesOf(record.number) : [],
          asked: record ? store.askedBy(record.number) : NO_QUESTIONS,
        },
        after: { language: after?.language ?? '', ...(newFacts ? { facts: newFacts } : {}), edges, asked },
      });
    }
    return relinked;
  }

  /** Target path -> source path -> its edges now (undefined: none any more), where they differ from before. */
  private incomingChanges(
    relinked: ReadonlyMap<string, Relinked>,
  ): Map<string, Map<string, IncomingRecord | undefined>> {
    const changes = new Map<string, Map<string, IncomingRecord | undefined>>();
    for (const { path, before, after } of relinked.values()) {
      const old = recordsOf({
        path,
        language: before.language,
        symbols: before.facts?.symbols ?? [],
        edges: before.edges,
      });
      const now = recordsOf({
        path,
        language: after.language,
        symbols: after.facts?.symbols ?? [],
        edges: after.edges,
      });
      for (const target of new Set([...old.keys(), ...now.keys()])) {
        if (sameJson(old.get(target), now.get(target))) continue;
        const sources = changes.get(target) ?? new Map<string, IncomingRecord | undefined>();
        sources.set(path, now.get(target));
        changes.set(target, sources);
      }
    }
    return changes;
  }

  private async history(
    tip: string | null,
    tipChanged: boolean,
    appearing: ReadonlySet<string>,
    exists: (path: string) => boolean,
  ): Promise<{
    readonly affected: ReadonlySet<string>;
    readonly past: () => History;
    /** The new window, where it differs from the old one. */
    readonly commits?: readonly CommitFact[];
    readonly summary: Index['history'];
  }> {
    const { settings } = this.options;
    let built: History | undefined;
    let old: readonly CommitFact[] | undefined;
    const oldCommits = (): readonly CommitFact[] => {
      old ??= publishedCommits(this.generation, this.store.historyIds());
      return old;
    };
    let commits: readonly CommitFact[] | undefined;
    const past = (): History => {
      built ??= new History(commits ?? oldCommits(), exists, {
        minFiles: settings.historyMinFiles,
        maxFiles: settings.historyMaxFiles,
      });
      return built;
    };
    if (!tipChanged && appearing.size === 0) {
      return { affected: new Set(), past, summary: this.meta.index.history };
    }
    let summary = this.meta.index.history;
    const affected = new Set<string>();
    if (tipChanged) {
      const known = new Map(oldCommits().map((commit) => [commit.id, commit]));
      const read = await readHistory(this.target.repository, tip, settings.historyCommits, known);
      commits = read.commits;
      summary = { commits: commits.length, complete: read.complete };
      const now = new Set(commits.map(({ id }) => id));
      for (const commit of commits) if (!known.has(commit.id)) for (const path of commit.files) affected.add(path);
      for (const commit of known.values()) if (!now.has(commit.id)) for (const path of commit.files) affected.add(path);
    }
    if (appearing.size > 0) for (const path of past().affectedBy(past(), appearing)) affected.add(path);
    return { affected: new Set([...affected].filter(exists)), past, ...(commits ? { commits } : {}), summary };
  }

  private async globals(
    contents: ReadonlyMap<string, Content | undefined>,
    relinked: ReadonlyMap<string, Relinked>,
    changedEdges: number,
    edges: number,
  ): Promise<{
    readonly affected: ReadonlySet<string>;
    readonly byFile: (path: string) => GlobalRecord | undefined;
    readonly changed: ReadonlyMap<string, GlobalRecord | undefined>;
    readonly summary: Index['globals'];
  }> {
    const { store, meta, options } = this;
    const old = meta.index.globals;
    const due = changedEdges > Math.max(GLOBALS_LEAST, GLOBALS_THRESHOLD * edges);
    if (options.globals === 'never' || (options.globals === 'auto' && !due)) {
      const since = old.since ?? meta.index.commit ?? undefined;
      const carried = changedEdges > 0 && since !== undefined;
      return {
        affected: new Set(),
        byFile: (path) => {
          const number = store.file(path)?.number;
          return number === undefined ? undefined : store.global(number);
        },
        changed: new Map(),
        summary: {
          changedEdges,
          communities: old.communities,
          flows: old.flows,
          modularity: old.modularity,
          ...(carried ? { since } : {}),
        },
      };
    }
    const inputs: GlobalInput[] = [];
    const previous = new Map<string, string>();
    const before = new Map<string, GlobalRecord | undefined>();
    const paths = new Set([...store.allFiles()].map((record) => record.path));
    for (const path of contents.keys()) paths.add(path);
    for (const path of [...paths].sort()) {
      const record = store.file(path);
      if (record) {
        const global = store.global(record.number);
        before.set(path, global);
        if (global?.community) previous.set(path, global.community.label);
      }
      const content = contents.has(path) ? contents.get(path) : record && storedContent(this.facts, path, record);
      if (!content) continue;
      const edges = relinked.get(path)?.after.edges ?? (record ? store.edgesOf(record.number) : []);
      const input = globalInput(content, factsOf(content), edges);
      if (input) inputs.push(input);
    }
    const { globalsOf } = await import('./globals.js');
    const found = globalsOf(inputs, options.globals === 'always' ? undefined : previous);
    const changed = new Map<string, GlobalRecord | undefined>();
    for (const path of paths) {
      if (!sameJson(before.get(path), found.byFile.get(path))) changed.set(path, found.byFile.get(path));
    }
    return {
      affected: new Set(changed.keys()),
      byFile: (path) => found.byFile.get(path),
      changed,
      summary: { changedEdges: 0, communities: found.communities, flows: found.flows, modularity: found.modularity },
    };
  }

  private writeLookUps(
    contents: ReadonlyMap<string, Content | undefined>,
    befores: ReadonlyMap<string, Content | undefined>,
    folders: FolderOverlay,
    wordChanges: readonly WordChange[],
  ): void {
    const { store } = this;
    const definers = new LookUpEdits(store, 'definers');
    const scopes = new LookUpEdits(store, 'scopes');
    const words = new LookUpEdits(store, 'words');
    const scopeKeys = (content: Content | undefined): Set<string> => {
      const facts = content?.reader?.language.scopesOf ? factsOf(content) : undefined;
      const found = facts && content?.reader?.language.scopesOf?.(content.path, facts);
      return new Set((found ?? []).flatMap(({ scope, names }) => names.map((name) => `${scope}\0${name}`)));
    };
    for (const { path, before, after } of wordChanges) {
      const number = this.numberOf(path) ?? 0;
      const old = new Set(before === '' ? [] : before.split(' '));
      const now = new Set(after === '' ? [] : after.split(' '));
      for (const word of symmetricDifference(old, now)) {
        if (now.has(word)) words.add(hashKey(word), number);
        else words.remove(hashKey(word), number);
      }
    }
    for (const [path, after] of contents) {
      const before = befores.get(path);
      const number = this.numberOf(path) ?? 0;
      const edit = (edits: LookUpEdits, old: ReadonlySet<string>, now: ReadonlySet<string>): void => {
        for (const key of symmetricDifference(old, now)) {
          if (now.has(key)) edits.add(hashKey(key), number);
          else edits.remove(hashKey(key), number);
        }
      };
      edit(definers, definedNames(before ?? {}), definedNames(after ?? {}));
      edit(scopes, scopeKeys(before), scopeKeys(after));
    }
    definers.write();
    scopes.write();
    words.write();
    for (const { dir, after } of [...folders.changes()]) {
      if (after) store.putFolder(dir, after);
      else store.removeFolder(dir);
    }
  }

  /** Last, since the numbers of files that go away are needed until then. */
  private writeRecords(contents: ReadonlyMap<string, Content | undefined>): void {
    const { store } = this;
    for (const [path, content] of contents) {
      const number = this.numberOf(path);
      if (number === undefined) continue;
      if (content) store.putFile(path, recordOf(content, number));
      else store.removeFile(path, number);
    }
  }

  private writeLinks(
    relinked: ReadonlyMap<string, Relinked>,
    incoming: ReadonlyMap<string, ReadonlyMap<string, IncomingRecord | undefined>>,
  ): void {
    const { store } = this;
    const askers = new LookUpEdits(store, 'askers');
    for (const { number, before, after } of relinked.values()) {
      const highs = new Map<string, number>();
      const pairs = (asked: Uint32Array): Set<string> => {
        const keys = new Set<string>();
        for (let i = 0; i < asked.length; i += 2) {
          // Of what was stored only the bits that choose the bucket are left.
          const key = `${store.bucketNumber('askers', asked[i] ?? 0)} ${asked[i + 1]}`;
          highs.set(key, asked[i] ?? 0);
          keys.add(key);
        }
        return keys;
      };
      const old = pairs(before.asked);
      const now = pairs(after.asked);
      for (const key of symmetricDifference(old, now)) {
        const high = highs.get(key) ?? 0;
        const low = Number(key.slice(key.indexOf(' ') + 1));
        if (now.has(key)) askers.add({ high, low }, number);
        else askers.remove({ high, low }, number);
      }
      store.putLink(number, after.edges, after.asked);
    }
    askers.write();
    for (const [target, sources] of incoming) {
      const to = this.numberOf(target);
      if (to === undefined) continue;
      for (const [from, record] of sources) {
        const source = this.numberOf(from);
        if (source !== undefined) store.putIncoming(to, source, record);
      }
    }
  }
}

function hashed(asked: readonly string[]): Uint32Array {
  const flat = new Uint32Array(asked.length * 2);
  asked.forEach((question, i) => {
    const { high, low } = hashKey(question);
    flat[i * 2] = high;
    flat[i * 2 + 1] = low;
  });
  return flat;
}

/** Edges that are on one side only. */
function edgeDifference(before: readonly EdgeDraft[], after: readonly EdgeDraft[]): number {
  const key = ({ from, to, type, provenance }: EdgeDraft): string =>
    `${from} ${to.path} ${to.symbol ?? ''} ${type} ${provenance}`;
  return symmetricDifference(new Set(before.map(key)), new Set(after.map(key))).length;
}

/** The history window as the index has it: ids from the store, messages and files from commits.json. */
function publishedCommits(generation: string, ids: readonly string[]): readonly CommitFact[] {
  const commits = decodeCommits(readPublished(generation, COMMITS_FILE) ?? '', ids);
  if (!commits) throw new StoreIncomplete('the commits of the history window are not those of the store');
  return commits;
}
