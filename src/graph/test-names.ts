/** Whether the name of a test speaks of a source file or of a symbol. */
import { lowerBasename } from './code-files.js';

/** Names that stand for their folder. */
const FOLDER_NAMES = new Set(['__init__', 'index', 'mod', 'main', 'lib', 'doc']);
const TEST_WORDS = /^(tests?|spec|specs|unit|unittests?|e2e|integration|it|functional|regression|internal|external)$/;

/** A name as lower-case words: `getURLFor_x2` -> get, url, for, x2. */
export function wordsInName(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}

const singular = (word: string): string => (word.length > 3 ? word.replace(/(?<!s)s$/, '') : word);

/** The words of a file's own name without extensions and test markers; of its folder where the name stands for that. */
function subjectWords(path: string): string[] {
  const segments = path.split('/');
  const name = lowerBasename(path).replace(/\..*$/, '');
  const own = FOLDER_NAMES.has(name) ? (segments.at(-2) ?? name) : (segments.at(-1) ?? '').replace(/\.[^/]*$/, '');
  return wordsInName(own)
    .filter((word) => !TEST_WORDS.test(word))
    .map(singular);
}

/** Folders on the way, without those that only say "tests" or "source". */
function folders(path: string): Set<string> {
  const names = path
    .split('/')
    .slice(0, -1)
    .map((name) => name.toLowerCase().replace(/^_+|_+$/g, ''));
  return new Set(names.filter((name) => !TEST_WORDS.test(name) && !/^(src|lib|pkg|packages?|app)$/.test(name)));
}

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);

/**
 * How much the name of a test file speaks of a source file, 0 to 1: 1 where both names are equal,
 * less where one only contains the other, word for word, or where the folders between them disagree.
 */
export function nameMatch(test: string, source: string): number {
  // Go keeps tests beside their subject: a test elsewhere speaks of its own package.
  if (test.endsWith('_test.go') && folderOf(test) !== folderOf(source)) return 0;
  const a = subjectWords(test);
  const b = subjectWords(source);
  if (a.length === 0 || b.length === 0) return 0;
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  const contained = long.some((_, start) => short.every((word, i) => word === long[start + i]));
  if (!contained) return 0;
  const [here, there] = [folders(test), folders(source)];
  const extra = [...there].filter((name) => !here.has(name)).length;
  const missing = [...here].filter((name) => !there.has(name)).length;
  return (short.length / long.length) * Math.max(0.6, 1 - 0.1 * extra - 0.05 * missing);
}

/** Whether the name of a test function contains the last segment of a symbol's name, word for word. */
export function speaksOf(test: string, symbol: string): boolean {
  const wanted = wordsInName(symbol.slice(symbol.lastIndexOf('.') + 1));
  const words = wordsInName(test);
  if (wanted.length === 0 || wanted.join('').length < 3) return false;
  return words.some((_, start) => wanted.every((word, i) => words[start + i] === word));
}
