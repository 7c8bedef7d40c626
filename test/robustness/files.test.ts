/** What a work tree can hold beside regular files: named and not followed; the rest is indexed. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { WorkTree } from '../support/work-tree.js';
import { sidecar } from './command.js';

const CODE = 'def first():\n    pass\n';
let tree: WorkTree | undefined;
afterEach(() => tree?.dispose());

const reasons = (index: {
  readonly skipped: readonly { readonly reason: string; readonly paths: readonly string[] }[];
}) => Object.fromEntries(index.skipped.map(({ reason, paths }) => [reason, paths]));

for (const git of [true, false]) {
  const where = git ? 'a work tree' : 'a plain folder';

  it(`symbolic links in ${where}: loops, out of it, to a folder, to nothing`, async () => {
    tree = new WorkTree({ 'app/a.py': CODE }, git);
    for (const [link, target] of [
      ['loop', 'loop'],
      ['app/up', '..'],
      ['outside', '/etc'],
      ['passwd.py', '/etc/passwd'],
      ['folder', 'app'],
      ['nothing', 'missing.py'],
    ] as const) {
      symlinkSync(target, join(tree.root, link));
    }
    if (git) tree.commit();
    const { index } = await tree.build();
    expect(index.counts.files).toBe(1);
    expect(reasons(index)).toEqual({
      'symbolic link': ['app/up', 'folder', 'loop', 'nothing', 'outside', 'passwd.py'],
    });
    tree.remove('folder');
    tree.write('folder/b.py', CODE);
    tree.remove('app/a.py');
    symlinkSync('../folder/b.py', join(tree.root, 'app/a.py'));
    await tree.align();
    expect(await tree.differencesFromBuild()).toEqual([]);
  });

  it(`pipes and sockets in ${where} are never opened`, async () => {
    tree = new WorkTree({ 'a.py': CODE, 'b.py': CODE }, git);
    if (git) tree.commit();
    execFileSync('mkfifo', [join(tree.root, 'pipe.py')]);
    tree.remove('b.py');
    execFileSync('mkfifo', [join(tree.root, 'b.py')]);
    const server = createServer();
    await new Promise<void>((done) => server.listen(join(tree?.root ?? '', 'socket'), done));
    try {
      const { index } = await tree.build();
      expect(index.counts.files).toBe(1);
      // Git does not list untracked pipes and sockets at all.
      expect(reasons(index)).toEqual({ 'not a regular file': git ? ['b.py'] : ['b.py', 'pipe.py', 'socket'] });
      tree.write('a.py', `${CODE}${CODE}`);
      await tree.align();
      expect(await tree.differencesFromBuild()).toEqual([]);
    } finally {
      server.close();
    }
  });
}

it('ignore files count in a plain folder, nested ones and their exceptions too', async () => {
  tree = new WorkTree(
    {
      '.gitignore': '*.log\n/build/\n',
      'a.py': CODE,
      'a.log': 'x',
      'build/b.py': CODE,
      'sub/.gitignore': '!keep.log\nlocal.py\n',
      'sub/keep.log': 'x',
      'sub/local.py': CODE,
      'sub/build/c.py': CODE,
      'node_modules/d/e.js': 'f()',
      'broken/.gitignore': Buffer.from([0xff, 0x0a, 0x5b, 0x0a]),
    },
    false,
  );
  symlinkSync('/nowhere', join(tree.root, 'broken/.ignore'));
  const { index } = await tree.build();
  expect(index.tree).toBe('plain');
  expect(index.counts.byLanguage.python).toBe(2);
  tree.write('new.py', CODE);
  tree.write('sub/.gitignore', '');
  await tree.align();
  expect(await tree.differencesFromBuild()).toEqual([]);
});

it('an unreadable file is named, and indexed once it can be read', async ({ skip }) => {
  tree = new WorkTree({ 'a.py': CODE, 'b.py': `${CODE}\n` });
  tree.commit();
  if (process.getuid?.() === 0) skip('root reads everything: run as another user to check unreadable files');
  chmodSync(join(tree.root, 'b.py'), 0);
  const { code, out } = await sidecar('build', tree.root);
  expect(code).toBe(0);
  expect(out).toContain('1 unreadable (EACCES)');
  await tree.build();
  chmodSync(join(tree.root, 'b.py'), 0o644);
  await tree.align();
  expect(await tree.differencesFromBuild()).toEqual([]);
});

it('files that change or go while a build runs are taken up by the next align', async () => {
  tree = new WorkTree({ 'a.py': CODE, 'b.py': `${CODE}\n`, 'c.py': `${CODE}\n\n` });
  tree.commit();
  const { root } = tree;
  // Parsing is announced between listing and reading.
  const { build } = await import('../../src/indexing/build.js');
  const { DEFAULT_SETTINGS } = await import('../../src/indexing/settings.js');
  let edited = false;
  const { index } = await build(await tree.target(), {
    folder: join(tree.base, 'index'),
    factsFolder: join(tree.base, 'facts'),
    settings: DEFAULT_SETTINGS,
    workers: 1,
    onProgress: (phase) => {
      if (phase !== 'parsing' || edited) return;
      edited = true;
      rmSync(join(root, 'a.py'));
      writeFileSync(join(root, 'b.py'), 'def second():\n    pass\n');
      rmSync(join(root, 'c.py'));
      mkdirSync(join(root, 'c.py'));
    },
  });
  expect(index.counts.files).toBe(1);
  // Back as it was at the commit: git sees no difference, the index has to know that it saw one.
  rmSync(join(root, 'c.py'), { recursive: true });
  tree.git('checkout', '-q', '--', '.');
  await tree.align();
  expect(await tree.differencesFromBuild()).toEqual([]);
});
