/** How Python projects name and place their tests. */

const TEST_FILE = /(?:^|\/)(?:test_[^/]*|[^/]*_tests?|tests?|conftest)\.py[ix]?$/;
const TEST_FOLDER = /(?:^|\/)(?:tests?|test_[^/]+|[^/]+_tests?)\//;

/** Whether pytest or unittest would collect the file, or it stands in a folder of tests. */
export function isTest(path: string): boolean {
  return TEST_FILE.test(path) || TEST_FOLDER.test(path);
}

const SOURCE_FOLDERS = ['', 'src/', 'lib/'];

/**
 * Source files that the test at `path` may be about, best first: `tests/a/test_x.py` is about `a/x.py` beside
 * the folder of tests, in a package of the same name or a parent folder.
 */
export function subjectsOfTest(path: string): readonly string[] {
  const slash = path.lastIndexOf('/');
  const dir = path.slice(0, Math.max(0, slash));
  const stem = path.slice(slash + 1).replace(/\.pyi?$/, '');
  const name = /^test_(.+)$/.exec(stem)?.[1] ?? /^(.+)_tests?$/.exec(stem)?.[1];
  if (name === undefined) return [];
  const found = new Set<string>();
  const offer = (folder: string, subject: string): void => {
    const prefix = folder === '' ? '' : `${folder}/`;
    found.add(`${prefix}${subject}.py`);
    found.add(`${prefix}${subject}/__init__.py`);
    found.add(`${prefix}_${subject}.py`);
  };
  const parts = dir === '' ? [] : dir.split('/');
  const at = parts.findLastIndex((part) => /^(?:tests?|testing|unit|unit_tests|integration)$/.test(part));
  if (at < 0) {
    offer(dir, name);
    return [...found];
  }
  let top = at;
  while (top > 0 && /^(?:tests?|testing|unit)$/.test(parts[top - 1] as string)) top--;
  const above = parts.slice(0, top).join('/');
  const below = parts.slice(at + 1).join('/');
  for (const folder of SOURCE_FOLDERS) {
    const root = [above, folder.replace(/\/$/, ''), below].filter((part) => part !== '').join('/');
    offer(root, name);
    // `test_a_b.py` for `a/b.py`.
    const underscore = name.indexOf('_');
    if (underscore > 0) offer(root, `${name.slice(0, underscore)}/${name.slice(underscore + 1)}`);
  }
  offer(dir, name);
  return [...found];
}
