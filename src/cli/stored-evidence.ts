/** Evidence out of an index that describes the work tree as it is: a question reads the few files that it is about. */
import { join } from 'node:path';
import { decodeFacts, decodeSymbols } from '../facts/codec.js';
import type { FileFacts, SymbolFact } from '../facts/model.js';
import type { EdgeDraft } from '../graph/edge.js';
import type { Role } from '../graph/roles.js';
import { WORDS_PER_FILE } from '../graph/words.js';
import { hashKey } from '../indexing/buckets.js';
import { planAlign, skippedByPath, whyRebuild } from '../indexing/plan.js';
import type { Settings } from '../indexing/settings.js';
import { FactsStore } from '../io/facts-store.js';
import { currentGeneration, indexOf } from '../io/index-folder.js';
import { type FileRecord, IndexStore } from '../io/index-store.js';
import { type Reader, readerOf } from '../languages/registry.js';
import type { Evidence } from '../recon/evidence.js';
import { byText } from '../recon/repository.js';
import { STORE_FOLDER } from '../sidecars/layout.js';
import type { Place } from './context.js';

type Stored = FileRecord & { readonly path: string };

/** What the look-up of words knows under its own name: other names are looked for in every file. */
const LOOKED_UP = /^[A-Za-z_][A-Za-z0-9_]{3,63}$/;

export class StoredEvidence implements Evidence {
  private readonly records: ReadonlyMap<string, Stored>;
  private readonly symbolsRead = new Map<string, readonly SymbolFact[]>();

  private constructor(
    private readonly store: IndexStore,
    private readonly facts: FactsStore,
  ) {
    const files = [...store.allFiles()].sort((a, b) => byText(a.path, b.path));
    this.records = new Map(files.map((file) => [file.path, file]));
  }

  /**
   * Opens the index of a place: `undefined` where there is none that can be read or brought up to date, `stale` where it
   * is of another state of the tree.
   */
  static async open(
    { folder, factsFolder, target }: Place,
    settings: Settings,
  ): Promise<StoredEvidence | 'stale' | undefined> {
    const generation = currentGeneration(folder);
    if (generation === undefined) return undefined;
    let store: IndexStore | undefined;
    let facts: FactsStore | undefined;
    let opened = false;
    try {
      store = new IndexStore(join(generation, STORE_FOLDER));
      const meta = store.meta();
      const index = indexOf(generation);
      if (!meta || whyRebuild(meta, index, target, settings) !== undefined) return undefined;
      const plan = await planAlign(target, store, meta, skippedByPath(store.skipped()));
      if (plan.changes.size > 0 || plan.commit !== meta.index.commit) {
        // An index of a commit was asked for as it is, and stays so.
        return meta.index.tree === 'commit' ? undefined : 'stale';
      }
      facts = new FactsStore(factsFolder);
      const evidence = new StoredEvidence(store, facts);
      opened = evidence.isWhole();
      return opened ? evidence : undefined;
    } catch {
      // Damaged, or another process is replacing it: the files themselves still say everything.
      return undefined;
    } finally {
      if (!opened) {
        await store?.close();
        await facts?.close();
      }
    }
  }

  async close(): Promise<void> {
    await this.store.close();
    await this.facts.close();
  }

  /** Whether the facts that the records promise are all there. */
  private isWhole(): boolean {
    for (const record of this.records.values()) {
      const reader = this.readerOf(record);
      if (reader && !this.facts.hasFacts(record.id, reader)) return false;
    }
    return true;
  }

  private readerOf({ path, language }: Stored): Reader | undefined {
    return language === undefined ? undefined : readerOf(path);
  }

  private body(path: string): Uint8Array | undefined {
    const record = this.records.get(path);
    const reader = record && this.readerOf(record);
    return record && reader ? this.facts.body(record.id, reader) : undefined;
  }

  /** All files, sorted. */
  files(): { readonly path: string; readonly role: Role }[] {
    return [...this.records.values()].map(({ path, role }) => ({ path, role }));
  }

  /** Content id of a file. */
  id(path: string): string | undefined {
    return this.records.get(path)?.id;
  }

  /** Everything that a file says by itself but what other files may ask about it. */
  factsOf(path: string): FileFacts | undefined {
    const body = this.body(path);
    return body && decodeFacts(body, { entries: {}, defines: [] });
  }

  paths(): readonly string[] {
    return [...this.records.values()].filter((record) => this.readerOf(record) !== undefined).map(({ path }) => path);
  }

  language(path: string): string {
    const record = this.records.get(path);
    return (record && this.readerOf(record)?.language.id) ?? '';
  }

  symbols(path: string): readonly SymbolFact[] {
    let symbols = this.symbolsRead.get(path);
    if (!symbols) {
      const body = this.body(path);
      symbols = body ? decodeSymbols(body) : [];
      this.symbolsRead.set(path, symbols);
    }
    return symbols;
  }

  edges(path: string): readonly EdgeDraft[] {
    const record = this.records.get(path);
    return record ? this.store.edgesOf(record.number) : [];
  }

  sources(path: string, symbol: string | undefined): readonly string[] {
    const record = this.records.get(path);
    if (!record) return [];
    // Edges inside a file are not among its incoming ones.
    const found: string[] = this.edges(path).some(({ to }) => to.path === path && to.symbol === symbol) ? [path] : [];
    for (const { source, record: incoming } of this.store.incomingOf(record.number)) {
      const from = incoming.edges.some(([, here]) => here === (symbol ?? '')) ? this.store.path(source) : undefined;
      if (from !== undefined) found.push(from);
    }
    return found.sort(byText);
  }

  mayDefine(name: string): readonly string[] {
    if (!LOOKED_UP.test(name)) return this.paths();
    const { high, low } = hashKey(name);
    const found = new Set<string>();
    for (const lookUp of ['words', 'definers'] as const) {
      for (const number of this.store.lookUp(lookUp, high, low)) {
        const path = this.store.path(number);
        if (path !== undefined) found.add(path);
      }
    }
    for (const record of this.records.values()) {
      // Words of generated files do not count, and of huge ones not all.
      const unsure = record.role === 'generated' || record.words >= WORDS_PER_FILE;
      if (unsure && this.readerOf(record)) found.add(record.path);
    }
    return [...found].sort(byText);
  }
}
