/**
 * Where things lie inside an index directory. Shared by the writers and by the shim, so it imports nothing.
 *
 * index.json          what the index describes; written last
 * files/<path>.json   one sidecar a file
 * recency.bin         how long ago each file was last touched (recency.ts)
 * commits.json        the commits used as evidence: message and files (commits.ts)
 * journal.json        present only while an align publishes (see docs/adr/0005)
 * store/              what the builder keeps to align; readers of sidecars never open it
 */
export const INDEX_FILE = 'index.json';
export const FILES_FOLDER = 'files';
export const RECENCY_FILE = 'recency.bin';
export const COMMITS_FILE = 'commits.json';
export const JOURNAL_FILE = 'journal.json';
export const STORE_FOLDER = 'store';

/** Longest file name that every common file system takes, in bytes. */
const NAME_MAX = 255;
const SUFFIX = '.json';

/** FNV-1a, 32 bits, over UTF-16 code units: a stable short name, not a checksum. */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) {
    hash ^= text.charCodeAt(i);
    hash = Math.imul(hash, 0x01000193);
  }
  return hash >>> 0;
}

function encodeName(name: string, isFolder: boolean): string {
  let encoded = '';
  for (const char of name) {
    const code = char.charCodeAt(0);
    const unsafe = code < 0x20 || code === 0x7f || char === '%' || char === '\\' || char === ':';
    encoded += unsafe ? `%${code.toString(16).padStart(2, '0')}` : char;
  }
  // A folder `a.json` must not collide with the sidecar of a file `a`.
  if (isFolder && encoded.endsWith(SUFFIX)) encoded = `${encoded.slice(0, -SUFFIX.length)}%2ejson`;
  const limit = NAME_MAX - (isFolder ? 0 : SUFFIX.length);
  if (Buffer.byteLength(encoded) > limit) {
    const hash = fnv1a(name).toString(16).padStart(8, '0');
    encoded = `${[...encoded].slice(0, 40).join('')}%~${hash}${name.length}`;
  }
  return isFolder ? encoded : encoded + SUFFIX;
}

/**
 * Path of a file's sidecar below the index directory: `files/src/app.py.json`. Safe for any file name
 * (control characters, `%`, names longer than the file system takes) and injective but for hash
 * collisions of names above 250 bytes.
 */
export function sidecarPath(path: string): string {
  const parts = path.split('/');
  const names = parts.map((part, i) => encodeName(part, i < parts.length - 1));
  return `${FILES_FOLDER}/${names.join('/')}`;
}
