/** Every state that a repository can be in: a clear line, the rest indexed, and align equal to build. */
import { execFileSync } from 'node:child_process';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { WorkTree } from '../support/work-tree.js';
import { sidecar } from './command.js';

const CODE = 'def first():\n    pass\n';
const MORE = `${CODE}\n\ndef second():\n    first()\n`;
let tree: WorkTree | undefined;
afterEach(() => tree?.dispose());

function start(files: Readonly<Record<string, string>> = { 'a.py': CODE, 'sub/b.py': CODE }): WorkTree {
  tree = new WorkTree(files);
  tree.commit('start');
  return tree;
}

/** Git in any folder, with an identity and file transport. */
function git(cwd: string, ...args: string[]): string {
  const config = ['-c', 'user.name=Test', '-c', 'user.email=t@example.invalid', '-c', 'protocol.file.allow=always'];
  return execFileSync('git', [...config, ...args], { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
}

const reasons = (index: {
  readonly skipped: readonly { readonly reason: string; readonly paths: readonly string[] }[];
}) => Object.fromEntries(index.skipped.map(({ reason, paths }) => [reason, paths]));

it('a bare repository: needs a revision, and says so', async () => {
  const t = start();
  const bare = join(t.base, 'bare.git');
  git(t.base, 'clone', '-q', '--bare', t.root, bare);
  const refused = await sidecar('build', bare);
  expect(refused.code).toBe(2);
  expect(refused.error).toMatch(/bare repository.*--commit/);
  const built = await sidecar('build', bare, { commit: 'main' });
  expect(built.code).toBe(0);
  expect(built.out).toContain('indexed 2 files');
  expect((await sidecar('align', bare, { revision: 'main' })).out).toContain('0 files changed');
});

it('a repository without commits', async () => {
  tree = new WorkTree({ 'a.py': CODE });
  const { index } = await tree.build();
  expect([index.commit, index.tree, index.counts.files]).toEqual([null, 'dirty', 1]);
  tree.write('b.py', MORE);
  await tree.align();
  expect(await tree.differencesFromBuild()).toEqual([]);
  tree.commit();
  await tree.align();
  expect(await tree.differencesFromBuild()).toEqual([]);
});

it('an empty repository and an empty folder', async () => {
  tree = new WorkTree();
  expect((await sidecar('build', tree.root)).out).toMatch(/^indexed 0 files/);
  expect((await sidecar('status', tree.root)).code).toBe(0);
  tree.dispose();
  tree = new WorkTree({}, false);
  expect((await sidecar('build', tree.root)).out).toMatch(/^indexed 0 files/);
  tree.write('a.py', CODE);
  await tree.build();
  tree.remove('a.py');
  await tree.align();
  expect(await tree.differencesFromBuild()).toEqual([]);
});

it('a folder that exists not', async () => {
  const t = start();
  const { code, error } = await sidecar('build', t.root, { path: 'missing' });
  expect(code).toBe(2);
  expect(error).toMatch(/missing.*no such folder/);
});

it('unknown and ambiguous revisions leave the index as it is', async () => {
  const t = start();
  await sidecar('build', t.root);
  for (const revision of ['nonsense', 'HEAD~7', '0123456789', '-x', '--all', 'HEAD:a.py', '']) {
    const { code, error } = await sidecar('align', t.root, { revision });
    expect(code, revision).toBe(2);
    expect(error, revision).toMatch(/^sidecar: cannot index revision .*no such commit.*\n$/);
  }
  const blobs = new Map<string, string>();
  let clash: string | undefined;
  for (let n = 0; clash === undefined; n += 1) {
    const message = `try ${n}`;
    const id = git(t.root, 'commit-tree', '-m', message, 'HEAD^{tree}').trim().slice(0, 4);
    if (blobs.has(id)) clash = id;
    blobs.set(id, message);
    if (n > 600) break;
  }
  if (clash !== undefined) {
    const { code, error } = await sidecar('align', t.root, { revision: clash });
    expect(code).toBe(2);
    expect(error).toContain('it is ambiguous');
  }
  expect((await sidecar('status', t.root)).out).toContain('up to date');
});

it('a detached HEAD, and a merge with unmerged paths', async () => {
  const t = start();
  const first = t.git('rev-parse', 'HEAD').trim();
  t.git('checkout', '-q', '-b', 'side');
  t.write('a.py', MORE);
  t.commit('side');
  t.git('checkout', '-q', '-b', 'other', first);
  t.write('a.py', `${CODE}\n\ndef third():\n    first()\n`);
  t.remove('sub/b.py');
  t.commit('other');
  t.git('checkout', '-q', '--detach');
  await t.build();
  expect(() => t.git('-c', 'user.name=x', '-c', 'user.email=x@x', 'merge', '-q', 'side')).toThrow();
  await t.align();
  expect(await t.differencesFromBuild()).toEqual([]);
  t.remove('a.py');
  await t.align();
  expect(await t.differencesFromBuild()).toEqual([]);
  t.git('merge', '--abort');
  await t.align();
  expect(await t.differencesFromBuild()).toEqual([]);
});

it('variables that a git hook sets do not lead elsewhere', async () => {
  const t = start();
  const other = new WorkTree({ 'z.py': MORE });
  other.commit();
  const saved = { ...process.env };
  Object.assign(process.env, {
    GIT_DIR: join(other.root, '.git'),
    GIT_WORK_TREE: other.root,
    GIT_INDEX_FILE: join(other.root, '.git', 'index'),
    GIT_PREFIX: 'sub/',
    GIT_OBJECT_DIRECTORY: join(other.root, '.git', 'objects'),
    GIT_LITERAL_PATHSPECS: '1',
    GIT_ICASE_PATHSPECS: '1',
    GIT_CONFIG_PARAMETERS: "'core.bare=true'",
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'core.worktree',
    GIT_CONFIG_VALUE_0: other.root,
    GIT_TRACE: '1',
    GIT_EXTERNAL_DIFF: 'false',
    GIT_GRAFT_FILE: '/nowhere',
  });
  let out = '';
  try {
    out = (await sidecar('build', t.root)).out;
    t.remove('sub/b.py');
    t.write('c.py', CODE);
    out += (await sidecar('align', t.root)).out;
    rmSync(join(t.root, 'c.py'));
    out += (await sidecar('align', t.root)).out;
  } finally {
    process.env = saved;
    other.dispose();
  }
  expect(out).toContain('indexed 2 files');
  expect(out).toContain('2 files changed');
  expect(out).toContain('1 file changed');
});

it('git settings of the user do not change the listing', async () => {
  const t = start();
  for (const [name, value] of [
    ['status.showUntrackedFiles', 'no'],
    ['core.quotePath', 'true'],
    ['diff.noprefix', 'true'],
    ['diff.renames', 'copies'],
    ['diff.ignoreSubmodules', 'all'],
    ['log.showSignature', 'true'],
    ['log.follow', 'true'],
    ['color.ui', 'always'],
    ['core.pager', 'false'],
    ['diff.external', 'false'],
    ['core.fileMode', 'false'],
    ['diff.relative', 'true'],
    ['log.diffMerges', 'separate'],
    ['diff.orderFile', '/dev/null'],
    ['log.mailmap', 'true'],
  ] as const) {
    t.git('config', name, value);
  }
  await t.build();
  t.git('mv', 'a.py', 'ü.py');
  t.write('sub/new.py', MORE);
  await t.align();
  expect(await t.differencesFromBuild()).toEqual([]);
  t.commit();
  await t.align();
  expect(await t.differencesFromBuild()).toEqual([]);
});

it('submodules: followed where they are checked out, bumped, taken away', async () => {
  const t = start();
  const library = new WorkTree({ 'lib.py': CODE, 'deep/x.py': CODE });
  try {
    library.commit();
    await t.build();
    git(t.root, 'submodule', '--quiet', 'add', library.root, 'vendor-lib');
    await t.align();
    expect(await t.differencesFromBuild()).toEqual([]);
    t.commit('add a submodule');
    const { index } = await t.build();
    expect(index.counts.files).toBe(5);
    const before = t.git('rev-parse', 'HEAD').trim();
    t.write('vendor-lib/lib.py', MORE);
    await t.align();
    expect(await t.differencesFromBuild()).toEqual([]);
    git(join(t.root, 'vendor-lib'), 'commit', '-qam', 'inside');
    await t.align();
    expect(await t.differencesFromBuild()).toEqual([]);
    const after = t.commit('bump');
    await t.align();
    expect(await t.differencesFromBuild()).toEqual([]);
    expect((await sidecar('build', t.root)).code).toBe(0);
    expect((await sidecar('status', t.root)).out).toContain('up to date');
    for (const commit of [before, after, before]) {
      await t.align('index', commit);
      expect(await t.differencesFromBuild('index', commit)).toEqual([]);
    }
    git(t.root, 'submodule', '--quiet', 'deinit', '-f', 'vendor-lib');
    await t.align();
    expect(await t.differencesFromBuild()).toEqual([]);
    expect(reasons((await t.build()).index)).toEqual({ 'submodule that is not checked out': ['vendor-lib'] });
  } finally {
    library.dispose();
  }
});

it('a submodule whose git directory is broken is named, the rest is indexed', async () => {
  const t = start();
  const library = new WorkTree({ 'lib.py': CODE });
  try {
    library.commit();
    git(t.root, 'submodule', '--quiet', 'add', library.root, 'lib');
    t.commit();
    rmSync(join(t.root, '.git', 'modules'), { recursive: true });
    const { code, out } = await sidecar('build', t.root);
    expect(code).toBe(0);
    expect(out).toMatch(/1 submodule that cannot be read/);
  } finally {
    library.dispose();
  }
});

it('a nested repository is named and not followed', async () => {
  const t = start();
  t.write('inner/x.py', CODE);
  git(join(t.root, 'inner'), 'init', '-q');
  git(join(t.root, 'inner'), 'add', '.');
  git(join(t.root, 'inner'), 'commit', '-q', '-m', 'x');
  const { index } = await t.build();
  expect(reasons(index)).toEqual({ 'nested repository': ['inner'] });
  t.write('a.py', MORE);
  await t.align();
  expect(await t.differencesFromBuild()).toEqual([]);
  rmSync(join(t.root, 'inner', '.git'), { recursive: true });
  await t.align();
  expect(await t.differencesFromBuild()).toEqual([]);
});

it('a sparse checkout: files that are not on disk are named, by build and align alike', async () => {
  const t = start({ 'a.py': CODE, 'in/b.py': CODE, 'out/c.py': CODE });
  await t.build();
  t.git('sparse-checkout', 'set', 'in');
  const { index } = await t.align();
  expect(await t.differencesFromBuild()).toEqual([]);
  expect(index.counts.files).toBe(2);
  expect(reasons(index)).toEqual({ 'outside of the sparse checkout': ['out/c.py'] });
  t.git('sparse-checkout', 'disable');
  await t.align();
  expect(await t.differencesFromBuild()).toEqual([]);
});

it('a shallow clone: less history, said so', async () => {
  const t = start();
  t.write('a.py', MORE);
  t.write('sub/b.py', MORE);
  t.commit('both');
  const shallow = join(t.base, 'shallow');
  git(t.base, 'clone', '-q', '--depth', '1', `file://${t.root}`, shallow);
  expect((await sidecar('build', shallow)).out).toContain('indexed 2 files');
  expect((await sidecar('status', shallow)).out).toContain('cut short');
});

it('a missing object: named, and indexed once it is back', async () => {
  const t = start();
  t.write('a.py', MORE);
  const commit = t.commit();
  const id = t.git('rev-parse', 'HEAD:a.py').trim();
  const object = join(t.root, '.git', 'objects', id.slice(0, 2), id.slice(2));
  renameSync(object, `${object}.away`);
  const { index } = await t.build('index', commit);
  expect(reasons(index)).toEqual({ 'object is missing from this clone': ['a.py'] });
  expect((await t.align('index', commit, 'auto')).outcome).toBe('unchanged');
  renameSync(`${object}.away`, object);
  await t.align('index', commit);
  expect(await t.differencesFromBuild('index', commit)).toEqual([]);
});

it('missing trees of old commits: history without them', async () => {
  const t = start();
  const old = t.git('rev-parse', 'HEAD^{tree}').trim();
  t.write('a.py', MORE);
  t.write('sub/b.py', MORE);
  t.commit('both');
  t.write('a.py', CODE);
  t.commit('one');
  rmSync(join(t.root, '.git', 'objects', old.slice(0, 2), old.slice(2)), { force: true });
  const { index } = await t.build();
  expect(index.history.complete).toBe(false);
  expect(index.counts.files).toBe(2);
  t.write('sub/b.py', CODE);
  t.commit('two');
  await t.align();
  expect(await t.differencesFromBuild()).toEqual([]);
});

it('a commit that is gone since the index was made: a whole listing instead', async () => {
  const t = start();
  t.write('a.py', MORE);
  t.commit();
  await t.build();
  t.git('reset', '-q', '--hard', 'HEAD~1');
  t.git('reflog', 'expire', '--expire=now', '--all');
  t.git('gc', '-q', '--prune=now');
  await t.align();
  expect(await t.differencesFromBuild()).toEqual([]);
});

it('a SHA-256 repository', async () => {
  tree = new WorkTree({}, false);
  execFileSync('git', ['init', '-q', '--object-format=sha256', tree.root]);
  tree.write('a.py', CODE);
  const commit = tree.commit();
  expect(commit).toHaveLength(64);
  const { index } = await tree.build();
  expect(index.commit).toBe(commit);
  tree.write('a.py', MORE);
  await tree.align();
  expect(await tree.differencesFromBuild()).toEqual([]);
  tree.commit();
  await tree.align();
  expect(await tree.differencesFromBuild()).toEqual([]);
  expect((await tree.align('index', undefined, 'auto')).outcome).toBe('unchanged');
});

it('a broken index of git: one line, and the published index stays', async () => {
  const t = start();
  await sidecar('build', t.root);
  const before = readFileSync(join(t.root, '.git', 'index'));
  writeFileSync(join(t.root, '.git', 'index'), 'nonsense');
  const { code, error } = await sidecar('align', t.root);
  expect(code).toBe(2);
  expect(error).toMatch(/^sidecar: git .* failed: .*\n$/);
  writeFileSync(join(t.root, '.git', 'index'), before);
  expect((await sidecar('status', t.root)).out).toContain('up to date');
});

it('mode changes, assume-unchanged files and intent-to-add', async () => {
  const t = start();
  await t.build();
  t.git('update-index', '--chmod=+x', 'a.py');
  await t.align();
  expect(await t.differencesFromBuild()).toEqual([]);
  t.write('new.py', MORE);
  t.git('add', '-N', 'new.py');
  await t.align();
  expect(await t.differencesFromBuild()).toEqual([]);
  t.git('rm', '-q', '--cached', 'sub/b.py');
  await t.align();
  expect(await t.differencesFromBuild()).toEqual([]);
});
