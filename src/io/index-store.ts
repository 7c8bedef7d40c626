/**
 * What the builder keeps beside the sidecars so that an align can follow the diff: file records, links with the
 * questions they rest on, and reverse look-ups. Readers of sidecars never open it.
 */
import { mkdirSync } from 'node:fs';
import type { Database, RootDatabase } from 'lmdb';
import type { EdgeDraft, Provenance } from '../graph/edge.js';
import type { CommitFact } from '../graph/history.js';
import type { Role } from '../graph/roles.js';
import {
  type Bucket,
  bucketOf,
  fewIn,
  filesIn,
  packBucket,
  packHashes,
  unpackBucket,
  unpackHashes,
} from '../indexing/buckets.js';
import type { Index } from '../sidecars/index.generated.js';
import type { Flow } from '../sidecars/sidecar.generated.js';
import { decodeEdges, decodeIncoming, encodeEdges, encodeIncoming } from './edge-codec.js';
import type { Skipped } from './listing.js';
import { closeEnvironment, openEnvironment } from './lmdb-file.js';
import type { Publication } from './publication.js';

export { isDamage } from './lmdb-file.js';

/** Raise when what is stored changes its form, or what linking finds: an older index is then built anew. */
export const STORE_VERSION = 6;

export interface FileRecord {
  /** Stable while the file exists in this index; never seen outside the store. */
  readonly number: number;
  readonly id: string;
  readonly module?: string;
  readonly role: Role;
  readonly reason?: string;
  readonly lines: number;
  readonly language?: string;
  /** Number of distinct words. */
  readonly words: number;
}

/** All edges from one file into another. */
export interface IncomingRecord {
  readonly language: string;
  /** [name there or '', name here or '', type, provenance, among or 0] */
  readonly edges: readonly (readonly [string, string, EdgeDraft['type'], Provenance, number])[];
}

export interface GlobalRecord {
  readonly community?: { readonly label: string; readonly cohesion: number };
  readonly flows: readonly Flow[];
}

/** Reverse look-ups: key hash -> files. */
export type LookUp = 'askers' | 'words' | 'definers' | 'scopes';

export interface StoreMeta {
  readonly version: number;
  /** Work tree or git directory that this index is of; an index that was copied elsewhere is not used. */
  readonly root: string;
  readonly nextNumber: number;
  readonly bits: Readonly<Record<LookUp, number>>;
  readonly index: Index;
  /** As in `Listing`. */
  readonly differing: readonly string[] | null;
  /** Number of files with words: weights of shared identifiers depend on it. */
  readonly worded: number;
}

const NOTHING = new Uint32Array();

const pathKey = (path: string): string => (path.length > 600 ? `\x01${path.slice(0, 200)}${path.slice(-400)}` : path);

export class IndexStore {
  private readonly root: RootDatabase<unknown, string>;
  private readonly metas: Database<unknown, string>;
  private readonly files: Database<FileRecord & { path: string }, string>;
  private readonly paths: Database<string, number>;
  /** Look-ups name the same files over and over. */
  private readonly pathsRead = new Map<number, string>();
  private readonly edges: Database<Uint8Array, number>;
  private readonly asked: Database<Uint8Array, number>;
  private readonly folders: Database<string[], string>;
  private readonly globals: Database<GlobalRecord, number>;
  /** [target, source] -> the edges between them, so that a target's sidecar is written without reading its sources. */
  private readonly incoming: Database<Uint8Array, [number, number]>;
  private readonly buckets: Record<LookUp, Database<Uint8Array, number>>;
  private bits: Readonly<Record<LookUp, number>> | undefined;

  /** @throws DamagedStore */
  constructor(private readonly location: string) {
    mkdirSync(location, { recursive: true });
    this.root = openEnvironment(location, 16);
    this.metas = this.root.openDB({ name: 'meta', encoding: 'msgpack' });
    this.files = this.root.openDB({ name: 'files', encoding: 'msgpack' });
    this.paths = this.root.openDB({ name: 'paths', encoding: 'string', keyEncoding: 'uint32' });
    this.edges = this.root.openDB({ name: 'edges', encoding: 'binary', keyEncoding: 'uint32' });
    this.asked = this.root.openDB({ name: 'asked', encoding: 'binary', keyEncoding: 'uint32', compression: false });
    this.folders = this.root.openDB({ name: 'folders', encoding: 'msgpack' });
    this.globals = this.root.openDB({ name: 'globals', encoding: 'msgpack', keyEncoding: 'uint32' });
    this.incoming = this.root.openDB({ name: 'incoming', encoding: 'binary' });
    const bucket = (name: LookUp): Database<Uint8Array, number> =>
      this.root.openDB({ name: `by-${name}`, encoding: 'binary', keyEncoding: 'uint32', compression: false });
    this.buckets = {
      askers: bucket('askers'),
      words: bucket('words'),
      definers: bucket('definers'),
      scopes: bucket('scopes'),
    };
  }

  /** Token of the publication that belongs to this state, see publication.ts. */
  publication(): Publication | undefined {
    return this.metas.get('publication') as Publication | undefined;
  }

  putPublication(publication: Publication): void {
    this.metas.putSync('publication', publication);
  }

  meta(): StoreMeta | undefined {
    const meta = this.metas.get('meta') as StoreMeta | undefined;
    return meta?.version === STORE_VERSION ? meta : undefined;
  }

  putMeta(meta: StoreMeta): void {
    this.metas.putSync('meta', meta);
    this.bits = meta.bits;
  }

  /** Ids of the commits used as evidence, newest first; commits.json has what they say, in the same order. */
  historyIds(): readonly string[] {
    const ids = (this.metas.get('history') as string | undefined) ?? '';
    return ids === '' ? [] : ids.split(' ');
  }

  putHistory(commits: readonly Pick<CommitFact, 'id'>[]): void {
    this.metas.putSync('history', commits.map(({ id }) => id).join(' '));
  }

  /** Files whose content is not followed, with why. */
  skipped(): readonly Skipped[] {
    return (this.metas.get('skipped') as readonly Skipped[] | undefined) ?? [];
  }

  putSkipped(skipped: readonly Skipped[]): void {
    this.metas.putSync('skipped', skipped);
  }

  file(path: string): FileRecord | undefined {
    return this.files.get(pathKey(path));
  }

  putFile(path: string, record: FileRecord): void {
    this.files.putSync(pathKey(path), { ...record, path });
    this.paths.putSync(record.number, path);
  }

  removeFile(path: string, number: number): void {
    this.files.removeSync(pathKey(path));
    this.paths.removeSync(number);
    this.pathsRead.delete(number);
    this.removeLink(number);
    this.globals.removeSync(number);
  }

  path(number: number): string | undefined {
    let path = this.pathsRead.get(number);
    if (path === undefined) {
      path = this.paths.get(number);
      if (path !== undefined) this.pathsRead.set(number, path);
    }
    return path;
  }

  /** All files with their records, in no particular order. */
  *allFiles(): Generator<FileRecord & { readonly path: string }> {
    for (const { value } of this.files.getRange({})) yield value;
  }

  /** The outgoing edges of a file. */
  edgesOf(number: number): readonly EdgeDraft[] {
    const bytes = this.edges.get(number);
    return bytes ? decodeEdges(bytes) : [];
  }

  /** Hashes of every question that linking a file asked, flat: bucket of `askers`, low half. */
  askedBy(number: number): Uint32Array {
    const bytes = this.asked.get(number);
    return bytes ? unpackHashes(bytes, this.bitsOf('askers')) : NOTHING;
  }

  /** @param asked hash halves of every question, flat: high, low. `putMeta` comes first: it says how many buckets there are. */
  putLink(number: number, edges: readonly EdgeDraft[], asked: Uint32Array): void {
    if (edges.length > 0) this.edges.putSync(number, encodeEdges(edges));
    else this.edges.removeSync(number);
    if (asked.length > 0) this.asked.putSync(number, packHashes(asked, this.bitsOf('askers')));
    else this.asked.removeSync(number);
  }

  private removeLink(number: number): void {
    this.edges.removeSync(number);
    this.asked.removeSync(number);
  }

  /** Edges that end in a file, by source number, ascending. */
  *incomingOf(target: number): Generator<{ readonly source: number; readonly record: IncomingRecord }> {
    for (const { key, value } of this.incoming.getRange({ start: [target, 0], end: [target + 1, 0] })) {
      yield { source: key[1], record: decodeIncoming(value) };
    }
  }

  putIncoming(target: number, source: number, record: IncomingRecord | undefined): void {
    if (record === undefined) this.incoming.removeSync([target, source]);
    else this.incoming.putSync([target, source], encodeIncoming(record));
  }

  folder(dir: string): readonly string[] | undefined {
    return this.folders.get(pathKey(`/${dir}`));
  }

  /** Folders that lie below another, at any depth, that is not the root. */
  *foldersBelow(dir: string): Generator<string> {
    // '0' is the code unit after '/': the end of everything that starts with `dir/`.
    for (const key of this.folders.getKeys({ start: `/${dir}/`, end: `/${dir}0` })) yield key.slice(1);
  }

  putFolder(dir: string, names: readonly string[]): void {
    this.folders.putSync(pathKey(`/${dir}`), [...names]);
  }

  removeFolder(dir: string): void {
    this.folders.removeSync(pathKey(`/${dir}`));
  }

  global(number: number): GlobalRecord | undefined {
    return this.globals.get(number);
  }

  putGlobal(number: number, record: GlobalRecord | undefined): void {
    if (record === undefined) this.globals.removeSync(number);
    else this.globals.putSync(number, record);
  }

  private bitsOf(lookUp: LookUp): number {
    this.bits ??= this.meta()?.bits;
    return this.bits?.[lookUp] ?? 4;
  }

  bucket(lookUp: LookUp, bucket: number): Bucket | undefined {
    const bytes = this.buckets[lookUp].get(bucket);
    return bytes && unpackBucket(bytes);
  }

  bucketNumber(lookUp: LookUp, high: number): number {
    return bucketOf(high, this.bitsOf(lookUp));
  }

  putBucket(lookUp: LookUp, bucket: number, pairs: Bucket): void {
    if (pairs.length === 0) this.buckets[lookUp].removeSync(bucket);
    else this.buckets[lookUp].putSync(bucket, packBucket(pairs));
  }

  /** File numbers under a key, ascending. */
  lookUp(lookUp: LookUp, high: number, low: number): number[] {
    return filesIn(this.bucket(lookUp, this.bucketNumber(lookUp, high)), low);
  }

  /** File numbers under a key, ascending; undefined where there are more than `most`. */
  fewUnder(lookUp: LookUp, high: number, low: number, most: number): number[] | undefined {
    const bytes = this.buckets[lookUp].get(this.bucketNumber(lookUp, high));
    return bytes ? fewIn(bytes, low, most) : [];
  }

  /** Runs `write` as one transaction: all of it is seen, or none. */
  transaction<T>(write: () => T): T {
    return this.root.transactionSync(write);
  }

  async close(): Promise<void> {
    await closeEnvironment(this.root, this.location);
  }
}
