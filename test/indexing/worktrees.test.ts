/** A new worktree starts from the index of another one, and never answers with the other's paths. */
import { readdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { runAlign } from '../../src/cli/align.js';
import { runBackgroundAlign } from '../../src/cli/background-align.js';
import { runBuild } from '../../src/cli/build.js';
import type { Streams } from '../../src/cli/context.js';
import { siblingIndexes } from '../../src/cli/siblings.js';
import { differences } from '../../src/io/compare-generations.js';
import { currentGeneration, readIndex } from '../../src/io/index-folder.js';
import { indexDirFor } from '../../src/io/index-location.js';
import { takeLock } from '../../src/io/lock.js';
import { WorkTree } from '../support/work-tree.js';

vi.setConfig({ testTimeout: 60_000 });

let main: WorkTree;
let other: string;
let said: string;
let env: NodeJS.ProcessEnv;
const streams = (cwd: string): Streams => ({
  out: (text) => {
    said += text;
  },
  error: () => undefined,
  interactive: false,
  colour: false,
  cwd,
  env,
});
const folderOf = (root: string): string => indexDirFor(root, env);
const files = (folder: string): string[] =>
  (readdirSync(join(folder, 'files'), { recursive: true }) as string[]).filter((name) => name.endsWith('.json')).sort();

beforeEach(async () => {
  said = '';
  main = new WorkTree({
    'pkg/a.py': 'from pkg.b import f\n\ndef g():\n    return f()\n',
    'pkg/b.py': 'def f():\n    return 1\n',
    'pkg/old.py': 'x = 1\n',
    'pkg/same.txt': 'words\n',
  });
  env = { ...process.env, XDG_CACHE_HOME: join(main.base, 'cache') };
  main.commit();
  main.git('branch', 'feature');
  main.git('worktree', 'add', '-q', join(main.base, 'other'), 'feature');
  other = realpathSync(join(main.base, 'other'));
  // What only the main work tree has: not committed, and a commit more.
  main.write('pkg/new.py', 'from pkg.b import f\n\nf()\n');
  main.remove('pkg/old.py');
  main.commit();
  main.write('pkg/draft.py', 'from pkg.b import f\n\nf()\n');
  main.write('pkg/b.py', 'def f():\n    return 2\n');
  await runBuild({ quiet: true }, streams(main.root));
});
afterEach(() => main.dispose());

/** What differs between the index of the other worktree and one that is built there. */
async function differencesFromBuild(): Promise<string[]> {
  const fresh = join(main.base, 'fresh');
  await runBuild({ quiet: true, indexDir: fresh }, streams(other));
  return differences(currentGeneration(folderOf(other)) ?? '', currentGeneration(fresh) ?? '', false);
}

describe('align in a worktree without an index', () => {
  it('takes what the other one has, and equals a build', async () => {
    const before = readFileSync(join(folderOf(main.root), 'index.json'), 'utf8');
    await runAlign({ globals: 'always' }, streams(other));
    expect(said).toContain("started from another worktree's index, aligned: 4 files changed");
    expect(files(folderOf(other))).toEqual(['pkg/a.py.json', 'pkg/b.py.json', 'pkg/old.py.json', 'pkg/same.txt.json']);
    expect(await differencesFromBuild()).toEqual([]);
    // The other one has lost nothing.
    expect(readFileSync(join(folderOf(main.root), 'index.json'), 'utf8')).toBe(before);
    expect(files(folderOf(main.root))).toContain('pkg/draft.py.json');
  });

  it('goes on with an index of its own', async () => {
    await runAlign({ globals: 'always', quiet: true }, streams(other));
    writeFileSync(join(other, 'pkg/a.py'), 'from pkg.b import f\n\ndef h():\n    return f()\n');
    const theirs = readFileSync(join(folderOf(main.root), 'files/pkg/b.py.json'), 'utf8');
    await runAlign({ globals: 'always' }, streams(other));
    expect(said).toContain('aligned: 1 file changed');
    expect(said).not.toContain('started from');
    expect(await differencesFromBuild()).toEqual([]);
    expect(readFileSync(join(folderOf(main.root), 'files/pkg/b.py.json'), 'utf8')).toBe(theirs);
  });

  it('takes the one of the same commit', async () => {
    main.git('worktree', 'add', '-q', '--detach', join(main.base, 'third'), 'feature');
    const third = realpathSync(join(main.base, 'third'));
    await runAlign({ quiet: true }, streams(third));
    const target = { root: other, repository: (await main.target()).repository };
    const place = { target, folder: folderOf(other), factsFolder: '' } as Parameters<typeof siblingIndexes>[0];
    expect(await siblingIndexes(place, env)).toEqual([folderOf(third), folderOf(main.root)]);
  });

  it('builds where the other index is damaged, of other settings, or written right now', async () => {
    const store = join(currentGeneration(folderOf(main.root)) ?? '', 'store', 'data.mdb');
    const lock = await takeLock(folderOf(main.root), 0);
    await runAlign({ globals: 'always' }, streams(other));
    lock?.release();
    expect(said).toContain('built anew (there is no index yet): 4 files');
    for (const spoil of [
      () => writeFileSync(store, 'not LMDB'),
      () => writeFileSync(join(other, 'sidecar.config.json'), '{"neighbours": 7}'),
    ]) {
      rmSync(folderOf(other), { recursive: true });
      said = '';
      spoil();
      await runAlign({ globals: 'always' }, streams(other));
      expect(said).toContain('built anew');
      expect(await differencesFromBuild()).toEqual([]);
    }
  });

  it('with a place of its own, starts from nothing', async () => {
    await runAlign({ indexDir: join(main.base, 'own') }, streams(other));
    expect(said).toContain('built anew');
  });
});

it('a hook in a new worktree aligns, in a repository without an index it does not', async () => {
  await runBackgroundAlign({}, streams(other));
  expect(readIndex(folderOf(other))?.counts.files).toBe(4);
  const alone = new WorkTree({ 'a.py': 'x = 1\n' });
  alone.commit();
  await runBackgroundAlign({}, streams(alone.root));
  expect(readIndex(folderOf(alone.root))).toBeUndefined();
  alone.dispose();
});

it('sidecars are shared on disk until one of them changes', async () => {
  const of = (root: string): number => statSync(join(folderOf(root), 'files/pkg/same.txt.json')).ino;
  await runAlign({ quiet: true }, streams(other));
  expect(of(other)).toBe(of(main.root));
  writeFileSync(join(other, 'pkg/same.txt'), 'other words\n');
  await runAlign({ quiet: true }, streams(other));
  expect(of(other)).not.toBe(of(main.root));
});
