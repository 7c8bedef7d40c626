/**
 * Facts, words and roles by content, shared by every commit, branch and worktree of a repository: what
 * was parsed once is never parsed again. Values are immutable, so writers cannot disagree.
 */
import { mkdirSync, rmSync } from 'node:fs';
import type { Database, RootDatabase } from 'lmdb';
import { CODEC_VERSION } from '../facts/codec.js';
import type { Role } from '../graph/roles.js';
import { MENTIONS, type Reader } from '../languages/registry.js';
import { writing } from './index-folder.js';
import { closeEnvironment, DamagedStore, openEnvironment } from './lmdb-file.js';

/** Raise when roles or words are worked out differently. */
const CONTENT_VERSION = 2;

export interface StoredRole {
  readonly role: Role;
  readonly reason?: string;
  readonly lines: number;
  readonly language?: string;
}

/** LMDB refuses longer keys. */
const MAX_KEY_BYTES = 1900;

/** Identifies how a file is read: any change of it leaves older facts unused. */
export function readerId({ language, dialect, configuration }: Reader): string {
  const how = dialect?.id ?? `c-${configuration?.id}.${MENTIONS.version}`;
  return `${language.id}.${language.version}.${CODEC_VERSION}.${how}`;
}

const DATABASES = 8;

/** What is damaged is thrown away: facts can be had again from the files. */
function openFacts(folder: string): RootDatabase<unknown, string> {
  mkdirSync(folder, { recursive: true });
  try {
    return openEnvironment(folder, DATABASES);
  } catch (error) {
    if (!(error instanceof DamagedStore)) throw error;
    rmSync(folder, { recursive: true });
    mkdirSync(folder, { recursive: true });
    return openEnvironment(folder, DATABASES);
  }
}

export class FactsStore {
  private readonly root: RootDatabase<unknown, string>;
  private readonly surfaces: Database<Uint8Array, string>;
  private readonly bodies: Database<Uint8Array, string>;
  private readonly wordLists: Database<string, string>;
  private readonly roles: Database<StoredRole, string>;

  constructor(private readonly folder: string) {
    this.root = openFacts(folder);
    this.surfaces = this.root.openDB({ name: 'surfaces', encoding: 'binary' });
    this.bodies = this.root.openDB({ name: 'bodies', encoding: 'binary' });
    this.wordLists = this.root.openDB({ name: 'words', encoding: 'string' });
    this.roles = this.root.openDB({ name: 'roles', encoding: 'json' });
  }

  private static factsKey(id: string, reader: Reader): string {
    return `${id} ${readerId(reader)}`;
  }

  private static roleKey(path: string, id: string, attributes: string): string | undefined {
    const key = `${id} ${CONTENT_VERSION} ${attributes} ${path}`;
    return Buffer.byteLength(key) > MAX_KEY_BYTES ? undefined : key;
  }

  role(path: string, id: string, attributes: string): StoredRole | undefined {
    const key = FactsStore.roleKey(path, id, attributes);
    return key === undefined ? undefined : this.roles.get(key);
  }

  hasFacts(id: string, reader: Reader): boolean {
    return this.surfaces.doesExist(FactsStore.factsKey(id, reader));
  }

  surface(id: string, reader: Reader): Uint8Array | undefined {
    return this.surfaces.get(FactsStore.factsKey(id, reader));
  }

  body(id: string, reader: Reader): Uint8Array | undefined {
    return this.bodies.get(FactsStore.factsKey(id, reader));
  }

  /** Space separated and sorted; undefined where the content was never seen. */
  words(id: string): string | undefined {
    return this.wordLists.get(`${id} ${CONTENT_VERSION}`);
  }

  /** Runs `write` as one transaction. */
  transaction(write: () => void): void {
    writing(this.folder, () => this.root.transactionSync(write));
  }

  putRole(path: string, id: string, attributes: string, role: StoredRole): void {
    const key = FactsStore.roleKey(path, id, attributes);
    if (key !== undefined) this.roles.putSync(key, role);
  }

  putFacts(id: string, reader: Reader, surface: Uint8Array, body: Uint8Array): void {
    const key = FactsStore.factsKey(id, reader);
    this.surfaces.putSync(key, surface);
    this.bodies.putSync(key, body);
  }

  putWords(id: string, words: string): void {
    this.wordLists.putSync(`${id} ${CONTENT_VERSION}`, words);
  }

  async close(): Promise<void> {
    await closeEnvironment(this.root, this.folder);
  }
}
