/**
 * Compiled code, kept between runs: compiling what a command needs takes longer than what most commands do (an align of
 * one file: 560 ms of processor time without, 300 with it). Newer versions of Node do this themselves; for Node 20 the
 * loader of CommonJS modules is given V8's code cache, made when the process ends, with all functions that it has run.
 *
 * V8 itself refuses what another version or other flags made and what is too short, but does not notice a flipped bit,
 * and runs what it is given. So the file has a checksum, and one that others may write is not read.
 */
import { closeSync, fstatSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import Module from 'node:module';
import { dirname, join } from 'node:path';
import { Script } from 'node:vm';
import * as zlib from 'node:zlib';
import { keep } from './kept-file.js';

/** [file, its size, time of its last change, where its code begins in the data, length] */
type Entry = readonly [file: string, size: number, changed: number, start: number, length: number];

interface Head {
  readonly entries: readonly Entry[];
  /** Bytes of bytecode in the process that made it. */
  readonly bytecode: number;
}

interface Loaded {
  readonly script: Script;
  readonly size: number;
  readonly changed: number;
}

interface CommonModule {
  readonly exports: unknown;
  require(id: string): unknown;
}

interface Internals {
  readonly prototype: { _compile(this: CommonModule, content: string, file: string): unknown };
  readonly wrap: (content: string) => string;
  readonly _resolveFilename: (request: string, parent: unknown, main: boolean, options?: unknown) => string;
  readonly _cache: unknown;
  readonly _extensions: unknown;
  readonly enableCompileCache?: (folder: string) => unknown;
  readonly flushCompileCache?: () => void;
}

/** Since Node 20.15. */
const crc32 = (zlib as { crc32?: (data: Uint8Array) => number }).crc32;

/** Checksum and length of the head. */
const PREAMBLE = 8;
/** A run that had to compile so much more than the kept code holds makes it anew. */
const GROWN = 1.25;
/** One run in so many looks whether it did: what tells takes 4 ms to load. */
const LOOKS = 8;
/** Versions of Node and installations whose code is kept. */
const MOST_FOLDERS = 6;

let atEnd = (): void => undefined;

/**
 * Lets modules that are loaded from here on have their compiled code from `folder`, and keeps it there when the process
 * ends. Whatever goes wrong, code is compiled as always.
 * @param name of the program: each has a file of its own, with the functions that it uses
 */
export function keepCompiledCode(folder: string, name: string): void {
  const internals = Module as unknown as Internals;
  try {
    if (internals.enableCompileCache) {
      internals.enableCompileCache(folder);
      atEnd = () => internals.flushCompileCache?.();
    } else if (crc32) {
      atEnd = keepForLoader(internals, join(folder, installation()), `${name}.bin`);
      process.on('exit', keepNow);
    }
  } catch {
    // Slower, and nothing else.
  }
}

/** For a process that ends without an exit: keeps what has to be kept now. */
export function keepNow(): void {
  try {
    atEnd();
  } catch {
    // The next run will try again.
  }
}

/** A name for this installation under this Node. */
function installation(): string {
  let hash = 0x811c9dc5;
  for (const character of `${process.version} ${process.arch} ${process.execArgv.join(' ')} ${__dirname}`) {
    hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193);
  }
  return (hash >>> 0).toString(16).padStart(8, '0');
}

/** Returns what is to be done at the end. */
function keepForLoader(internals: Internals, folder: string, file: string): () => void {
  const kept = readKeptCode(join(folder, file));
  const byFile = new Map(kept?.entries.map((entry) => [entry[0], entry]));
  const loaded = new Map<string, Loaded>();
  let missing = 0;
  const original = internals.prototype._compile;
  internals.prototype._compile = function compile(content, path) {
    let script: Script;
    try {
      const { size, ctimeMs: changed } = statSync(path);
      const entry = byFile.get(path);
      const cachedData = entry?.[1] === size && entry[2] === changed ? kept?.data(entry) : undefined;
      script = new Script(internals.wrap(content.replace(/^#!/, '//')), {
        filename: path,
        ...(cachedData ? { cachedData } : {}),
      });
      if (!cachedData || script.cachedDataRejected) missing += 1;
      loaded.set(path, { script, size, changed });
    } catch {
      // As without a cache: it reports errors in the code better.
      return original.call(this, content, path);
    }
    const require = Object.assign((id: string) => this.require(id), {
      resolve: (request: string, options?: unknown) => internals._resolveFilename(request, this, false, options),
      main: process.mainModule,
      extensions: internals._extensions,
      cache: internals._cache,
    });
    return script.runInThisContext().call(this.exports, this.exports, require, this, path, dirname(path));
  };
  return () => {
    if (missing === 0 && process.pid % LOOKS !== 0) return;
    const { getHeapCodeStatistics } = Module.createRequire(__filename)('node:v8') as typeof import('node:v8');
    const bytecode = getHeapCodeStatistics().bytecode_and_metadata_size;
    if (missing === 0 && bytecode < GROWN * (kept?.bytecode ?? 0)) return;
    if (!kept) makeRoom(folder);
    const codes = [...loaded].map(([path, { script, size, changed }]): Code => {
      return { file: path, size, changed, data: script.createCachedData() };
    });
    // What this run did not need may be needed by the next.
    for (const entry of kept?.entries ?? []) {
      if (loaded.has(entry[0]) || !asItIs(entry)) continue;
      codes.push({ file: entry[0], size: entry[1], changed: entry[2], data: kept?.data(entry) ?? Buffer.alloc(0) });
    }
    keep(folder, file, encode(codes, bytecode));
  };
}

interface Kept {
  readonly bytecode: number;
  readonly entries: readonly Entry[];
  data(entry: Entry): Buffer;
}

const asItIs = ([file, size, changed]: Entry): boolean => {
  const found = statSync(file, { throwIfNoEntry: false });
  return found?.size === size && found.ctimeMs === changed;
};

function readKeptCode(path: string): Kept | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, 'r');
    const { uid, mode } = fstatSync(descriptor);
    if (uid !== process.geteuid?.() || (mode & 0o022) !== 0) return undefined;
    const bytes = readFileSync(descriptor);
    if (crc32?.(bytes.subarray(4)) !== bytes.readUInt32LE(0)) return undefined;
    const start = PREAMBLE + bytes.readUInt32LE(4);
    const { entries, bytecode } = JSON.parse(bytes.toString('utf8', PREAMBLE, start)) as Head;
    return { bytecode, entries, data: ([, , , at, length]) => bytes.subarray(start + at, start + at + length) };
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

interface Code {
  readonly file: string;
  readonly size: number;
  readonly changed: number;
  readonly data: Buffer;
}

function encode(codes: readonly Code[], bytecode: number): Buffer {
  const entries: Entry[] = [];
  let at = 0;
  for (const { file, size, changed, data } of codes) {
    entries.push([file, size, changed, at, data.length]);
    at += data.length;
  }
  const head = Buffer.from(JSON.stringify({ entries, bytecode } satisfies Head));
  const preamble = Buffer.alloc(PREAMBLE);
  preamble.writeUInt32LE(head.length, 4);
  const bytes = Buffer.concat([preamble, head, ...codes.map(({ data }) => data)]);
  bytes.writeUInt32LE(crc32?.(bytes.subarray(4)) ?? 0, 0);
  return bytes;
}

/** Makes the folder, and removes the oldest of its kind where there are many: of versions that are gone. */
function makeRoom(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const above = dirname(folder);
  const others = readdirSync(above).map((name) => ({ name, time: statSync(join(above, name)).mtimeMs }));
  for (const { name } of others.sort((a, b) => b.time - a.time).slice(MOST_FOLDERS)) {
    rmSync(join(above, name), { recursive: true, force: true });
  }
}
