/** Contents of listed files: from the facts store where they were seen before, else examined now. */
import { decodeFacts, decodeSurface } from '../facts/codec.js';
import type { FileFacts, Surface } from '../facts/model.js';
import { attributesReader } from '../graph/attributes.js';
import type { Role, RoleAttributes } from '../graph/roles.js';
import { type ByteSource, type Examined, Examiner, type ExamineTask } from '../io/examine.js';
import { examineAll } from '../io/extraction.js';
import type { FactsStore } from '../io/facts-store.js';
import type { ListedFile, Skipped } from '../io/listing.js';
import { type Reader, readerOf } from '../languages/registry.js';

/** A file of the index, with its facts still encoded. */
export interface Content {
  readonly path: string;
  readonly id: string;
  readonly module?: string;
  readonly role: Role;
  readonly reason?: string;
  readonly lines: number;
  readonly language?: string;
  /** Present where the file was parsed or read as configuration. */
  readonly reader?: Reader;
  readonly surface?: Surface;
  readonly body?: Uint8Array;
  /** Space separated, sorted; '' where words do not count for this role. */
  readonly words: string;
}

/** The facts of a content, undefined where it was not parsed. */
export function factsOf(content: Pick<Content, 'surface' | 'body'>): FileFacts | undefined {
  return content.body && content.surface ? decodeFacts(content.body, content.surface) : undefined;
}

/**
 * Whether what a file refers to becomes edges. Generated code counts: it implements interfaces and calls what people
 * wrote. Generated text (lock files, compiled requirements) names everything and relates nothing.
 */
export const isLinked = ({ role, reader }: Pick<Content, 'role' | 'reader'>): boolean =>
  role === 'source' ||
  role === 'test' ||
  role === 'documentation' ||
  role === 'configuration' ||
  (role === 'generated' && reader?.dialect?.grammar !== undefined);

/** Roles that are listed after others of the same confidence: tests and generated files are many and say little. */
export const isAside = (role: Role | undefined): boolean => role === 'test' || role === 'generated';

const PARSED: ReadonlySet<Role> = new Set(['source', 'test', 'documentation', 'configuration', 'generated']);
const WORDED: ReadonlySet<Role> = new Set(['source', 'test', 'documentation', 'configuration']);

const attributesKey = ({ generated, vendored, documentation }: RoleAttributes): string =>
  [generated, vendored, documentation].map((flag) => (flag === undefined ? '-' : flag ? '1' : '0')).join('');

/** Texts of the .gitattributes files among the listed ones. */
async function attributeTexts(source: ByteSource, files: readonly ListedFile[]): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  const named = files.filter(({ path }) => path === '.gitattributes' || path.endsWith('/.gitattributes'));
  if (named.length === 0) return texts;
  const examiner = new Examiner(source);
  for (const file of named) {
    const bytes = await examiner.bytes(file);
    if (bytes) texts.set(file.path, bytes.toString('utf8'));
  }
  examiner.close();
  return texts;
}

/** What the repository's .gitattributes say about the role of each path. */
export async function roleAttributes(
  source: ByteSource,
  files: readonly ListedFile[],
): Promise<(path: string) => RoleAttributes> {
  return attributesReader(await attributeTexts(source, files));
}

export interface Gathered {
  readonly contents: Content[];
  /** Files that turned out unreadable. */
  readonly skipped: Skipped[];
  /** Files that were gone, or had another content than the listed one, sorted. */
  readonly unsettled: string[];
  /** How many files were parsed now, and not taken from the store. */
  readonly examined: number;
}

/**
 * Gathers the contents of `files`, in their order. What is new is examined by `workers` threads and kept.
 * @param onProgress called with the number of files done
 */
export async function gatherContents(
  source: ByteSource,
  files: readonly ListedFile[],
  attributes: (path: string) => RoleAttributes,
  store: FactsStore,
  workers: number,
  onProgress: (done: number) => void,
): Promise<Gathered> {
  const byPath = new Map<string, Content>();
  const tasks: ExamineTask[] = [];
  for (const file of files) {
    const flags = attributes(file.path);
    const known = fromStore(store, file, attributesKey(flags));
    if (known) byPath.set(file.path, known);
    else tasks.push({ ...file, attributes: flags, content: !isKnown(store, file) });
  }
  const skipped: Skipped[] = [];
  const fresh: Examined[] = [];
  const unsettled: string[] = [];
  const listed = new Map(tasks.map((task) => [task.path, task]));
  const modules = new Map(files.filter((file) => file.module !== undefined).map((file) => [file.path, file.module]));
  let done = byPath.size;
  onProgress(done);
  await examineAll(source, tasks, workers, (examined) => {
    done += 1;
    onProgress(done);
    if (examined.unreadable !== undefined) {
      if (examined.unreadable === 'deleted meanwhile') unsettled.push(examined.path);
      else {
        const { path, id, module } = { ...listed.get(examined.path), ...examined };
        skipped.push({ path, reason: examined.unreadable, id, ...(module === undefined ? {} : { module }) });
      }
      return;
    }
    if (examined.id !== listed.get(examined.path)?.id) unsettled.push(examined.path);
    fresh.push(examined);
    byPath.set(examined.path, fromExamined(store, examined, modules.get(examined.path)));
  });
  if (fresh.length > 0) keep(store, fresh, attributes);
  const contents = files.flatMap(({ path }) => byPath.get(path) ?? []);
  return { contents, skipped, unsettled: unsettled.sort(), examined: tasks.length };
}

function fromStore(store: FactsStore, file: ListedFile, flags: string): Content | undefined {
  const stored = store.role(file.path, file.id, flags);
  if (!stored) return undefined;
  const words = WORDED.has(stored.role) ? store.words(file.id) : '';
  if (words === undefined) return undefined;
  const base = { ...file, ...stored, words };
  const reader = readerOf(file.path);
  // Without a language the file was not parsed when its role was found, although a reader is known: binary, or a failed parser.
  if (!reader || !PARSED.has(stored.role) || stored.language === undefined) return base;
  const surface = store.surface(file.id, reader);
  const body = store.body(file.id, reader);
  if (!surface || !body) return undefined;
  return { ...base, reader, surface: decodeSurface(surface), body };
}

/** Whether this content was parsed under another path: then only its role here is to be found. */
function isKnown(store: FactsStore, { path, id }: ListedFile): boolean {
  const reader = readerOf(path);
  return store.words(id) !== undefined && (!reader || store.hasFacts(id, reader));
}

function fromExamined(store: FactsStore, examined: Examined, module: string | undefined): Content {
  const { path, id, role, reason, lines, language } = examined;
  const reader = language === undefined ? undefined : readerOf(path);
  const surface = examined.surface ?? (reader && store.surface(id, reader));
  const body = examined.body ?? (reader && store.body(id, reader));
  const words = examined.words ?? (WORDED.has(role) ? store.words(id) : undefined);
  return {
    path,
    id,
    ...(module === undefined ? {} : { module }),
    role,
    ...(reason === undefined ? {} : { reason }),
    lines,
    ...(language === undefined ? {} : { language }),
    words: words ?? '',
    ...(reader && surface && body ? { reader, surface: decodeSurface(surface), body } : {}),
  };
}

function keep(store: FactsStore, fresh: readonly Examined[], attributes: (path: string) => RoleAttributes): void {
  // In the order of their keys: pages that are filled from one end are full.
  const byId = [...fresh].sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
  store.transaction(() => {
    for (const { path, id, role, reason, lines, language, words, surface, body } of byId) {
      const reader = readerOf(path);
      if (reader && surface && body) store.putFacts(id, reader, surface, body);
      if (words !== undefined) store.putWords(id, words);
      store.putRole(path, id, attributesKey(attributes(path)), {
        role,
        ...(reason === undefined ? {} : { reason }),
        lines,
        ...(language === undefined ? {} : { language }),
      });
    }
  });
}
