/** How this ecosystem names its tests. */
import { posix } from 'node:path';

const TEST_NAME = /[.\-_](?:test|tests|spec|e2e|cy)(?:-d)?\.[cm]?[jt]sx?$/;
const TEST_FOLDER = /(?:^|\/)(?:__tests__|tests?|specs?|e2e)\//;
const SCRIPT = /\.(?:[cm]?[jt]sx?|vue|svelte)$/;
const SUFFIXES = ['.ts', '.tsx', '.js', '.jsx', '.mts', '.mjs', '.vue', '.svelte'];
const MOST_CANDIDATES = 64;

export function isTest(path: string): boolean {
  return SCRIPT.test(path) && (TEST_NAME.test(path) || TEST_FOLDER.test(path));
}

/** Paths that a test is about by its name, the nearest first. They need not exist. */
export function subjectsOfTest(path: string): readonly string[] {
  if (!isTest(path)) return [];
  const base = posix.basename(path);
  const stem = base.replace(TEST_NAME, '').replace(/\.[cm]?[jt]sx?$/, '');
  const dir = posix.dirname(path) === '.' ? '' : posix.dirname(path);
  const segments = dir === '' ? [] : dir.split('/');
  const folders = new Set<string>([dir]);
  const at = segments.findIndex((segment) => /^(?:__tests__|tests?|specs?|e2e)$/.test(segment));
  if (at >= 0) {
    const before = segments.slice(0, at);
    const after = segments.slice(at + 1);
    for (const root of [[], ['src'], ['lib'], ['source']]) {
      folders.add([...before, ...root, ...after].join('/'));
      folders.add([...before, ...root].join('/'));
    }
  } else {
    const parent = segments.slice(0, -1).join('/');
    folders.add(parent);
  }
  const found: string[] = [];
  for (const folder of folders) {
    const prefix = folder === '' ? '' : `${folder}/`;
    for (const suffix of SUFFIXES) found.push(`${prefix}${stem}${suffix}`);
    for (const suffix of SUFFIXES.slice(0, 3)) found.push(`${prefix}${stem}/index${suffix}`);
    if (stem === 'index') continue;
  }
  return found.filter((one) => one !== path).slice(0, MOST_CANDIDATES);
}
