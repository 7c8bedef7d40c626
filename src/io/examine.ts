/** One file's bytes to its role, words and facts. Runs inline or in a worker (extraction.ts). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodeFacts } from '../facts/codec.js';
import { HEAD_CHARACTERS, type Role, type RoleAttributes, roleOf } from '../graph/roles.js';
import { wordsOf } from '../graph/words.js';
import { readerOf } from '../languages/registry.js';
import { BlobReader } from './git.js';
import { blobId, type ListedFile, MAX_FILE_BYTES, TOO_LARGE } from './listing.js';
import { extractFacts } from './parser.js';
import { decodeText, isBinary } from './text.js';

/** Where bytes come from: files on disk, or git objects. */
export interface ByteSource {
  readonly kind: 'disk' | 'objects';
  readonly root: string;
  readonly objectFormat: 'sha1' | 'sha256';
}

export interface ExamineTask extends ListedFile {
  readonly attributes: RoleAttributes;
  /** False where facts and words of this content are in the store: only the role is wanted. */
  readonly content: boolean;
}

/** What a file of this content and path is. Byte arrays are encoded facts (codec.ts). */
export interface Examined {
  readonly path: string;
  readonly id: string;
  /** Set where the file could not be read at all: it is not part of the index then. */
  readonly unreadable?: string;
  readonly role: Role;
  /** Why the file is not parsed, in a few words. */
  readonly reason?: string;
  readonly lines: number;
  readonly language?: string;
  /** Space separated, sorted. */
  readonly words?: string;
  readonly surface?: Uint8Array;
  readonly body?: Uint8Array;
}

/** Roles whose content is read for facts. Of generated files only the definitions are used. */
const PARSED: ReadonlySet<Role> = new Set(['source', 'test', 'documentation', 'configuration', 'generated']);
const WORDED: ReadonlySet<Role> = new Set(['source', 'test', 'documentation', 'configuration']);

const countLines = (text: string): number => {
  if (text === '') return 0;
  let lines = text.endsWith('\n') ? 0 : 1;
  for (let i = text.indexOf('\n'); i >= 0; i = text.indexOf('\n', i + 1)) lines += 1;
  return lines;
};

const gone = (task: ExamineTask, why: string): Examined => ({
  path: task.path,
  id: task.id,
  unreadable: why,
  role: 'data',
  lines: 0,
});

/** Examines bytes that were read. Never throws: a parser that fails leaves the file without facts, with the reason. */
export async function examineBytes(task: ExamineTask, bytes: Buffer): Promise<Examined> {
  const { path, id } = task;
  const reader = readerOf(path);
  const test = reader?.language.isTest?.(path);
  const attributes: RoleAttributes = test === undefined ? task.attributes : { ...task.attributes, test };
  if (isBinary(bytes)) return { path, id, role: 'data', reason: 'binary', lines: 0 };
  const { text } = decodeText(bytes);
  const { role, reason } = roleOf(path, text.slice(0, HEAD_CHARACTERS), bytes.length, attributes);
  const base = { path, id, role, lines: countLines(text), ...(reason === undefined ? {} : { reason }) };
  if (!PARSED.has(role)) return base;
  const words = WORDED.has(role) && task.content ? { words: wordsOf(text).join(' ') } : {};
  if (!reader) return { ...base, ...words };
  const language = { language: reader.dialect ? reader.language.id : 'configuration' };
  if (!task.content) return { ...base, ...language };
  try {
    return { ...base, ...language, ...words, ...encodeFacts(await extractFacts(reader, text)) };
  } catch (error) {
    return { ...base, ...words, reason: `parser failed (${error instanceof Error ? error.message : String(error)})` };
  }
}

/** Reads and examines files of one source, one after the other. */
export class Examiner {
  private readonly blobs = new Map<string, BlobReader>();

  constructor(private readonly source: ByteSource) {}

  async examine(task: ExamineTask): Promise<Examined> {
    if (this.source.kind === 'objects') {
      const bytes = await this.fromObjects(task);
      return typeof bytes === 'string' ? gone(task, bytes) : examineBytes(task, bytes);
    }
    const bytes = this.fromDisk(task);
    if (typeof bytes === 'string') return gone(task, bytes);
    const id = this.idOnDisk(bytes, task.id);
    // Facts are kept by id for ever: they must never be those of other bytes.
    return examineBytes(id === task.id ? task : { ...task, id, content: true }, bytes);
  }

  /** The listed id where the bytes are still (or are, but for line ends) what was listed, else their own. */
  private idOnDisk(bytes: Buffer, listed: string): string {
    const format = this.source.objectFormat;
    const id = blobId(bytes, format);
    if (id === listed || !bytes.includes('\r\n')) return id;
    const unix = Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1');
    return blobId(unix, format) === listed ? listed : id;
  }

  /** The bytes of a listed file, undefined where they cannot be had. */
  async bytes(file: ListedFile): Promise<Buffer | undefined> {
    const bytes = this.source.kind === 'disk' ? this.fromDisk(file) : await this.fromObjects(file);
    return typeof bytes === 'string' ? undefined : bytes;
  }

  private fromDisk(task: ListedFile): Buffer | string {
    try {
      const bytes = readFileSync(join(this.source.root, task.path));
      return bytes.length > MAX_FILE_BYTES ? TOO_LARGE : bytes;
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      return code === 'ENOENT' || code === 'ENOTDIR' ? 'deleted meanwhile' : `unreadable (${code})`;
    }
  }

  private async fromObjects(task: ListedFile): Promise<Buffer | string> {
    const root = join(this.source.root, task.module ?? '');
    let reader = this.blobs.get(root);
    if (!reader) {
      reader = new BlobReader(root);
      this.blobs.set(root, reader);
    }
    const bytes = await reader.read(task.id);
    if (bytes === undefined) return 'object is missing from this clone';
    return bytes.length > MAX_FILE_BYTES ? TOO_LARGE : bytes;
  }

  close(): void {
    for (const reader of this.blobs.values()) reader.close();
  }
}
