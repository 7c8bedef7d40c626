/** Whatever became of an index on disk: one line, or a rebuild that says why; afterwards it equals a build. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { WorkTree } from '../support/work-tree.js';
import { sidecar } from './command.js';

const CODE = 'def first():\n    pass\n';
let tree: WorkTree;
beforeEach(async () => {
  tree = new WorkTree({
    'a.py': CODE,
    'b.py': 'from a import first\n\n\ndef use():\n    first()\n',
    'c.md': 'See `a.py`.\n',
  });
  tree.commit();
  await tree.build();
});
afterEach(() => tree.dispose());

const edit = (): void => tree.write('a.py', `${CODE}\n\ndef second():\n    pass\n`);
const equal = async (): Promise<void> => expect(await tree.differencesFromBuild()).toEqual([]);

/** Breaks something, aligns after an edit, and wants the same as a build. Returns why it was built, if it was. */
async function after(harm: () => void, editing = true): Promise<string | undefined> {
  harm();
  if (editing) edit();
  const { why } = await tree.align();
  await equal();
  return why;
}

it('an index of another schema', async () => {
  const file = join(tree.generation(), 'index.json');
  const why = await after(() =>
    writeFileSync(file, readFileSync(file, 'utf8').replace('"schemaVersion":1', '"schemaVersion":99')),
  );
  expect(why).toMatch(/another version/);
});

it('an index.json that is gone, empty or garbage', async () => {
  for (const harm of [
    (file: string) => rmSync(file),
    (file: string) => writeFileSync(file, ''),
    (file: string) => writeFileSync(file, '{"schemaVersion":1}'),
  ]) {
    expect(await after(() => harm(join(tree.generation(), 'index.json')))).toBeDefined();
  }
});

it('an index that belongs to another folder', async () => {
  const other = new WorkTree({ 'z.py': CODE });
  try {
    other.commit();
    rmSync(join(other.base, 'index'), { recursive: true, force: true });
    cpSync(join(tree.base, 'index'), join(other.base, 'index'), { recursive: true, verbatimSymlinks: true });
    const report = await other.align();
    expect(report.why).toBe('the index is of another folder');
    expect(await other.differencesFromBuild()).toEqual([]);
  } finally {
    other.dispose();
  }
});

const STORE = () => join(tree.generation(), 'store', 'data.mdb');

it('a store that is cut off', async () => {
  const size = statSync(STORE()).size;
  for (const left of [0, 100, 4096, 8192, 8192 + 4096, Math.floor(size / 2 / 4096) * 4096, size - 4096]) {
    expect(await after(() => truncateSync(STORE(), left)), String(left)).toMatch(/damaged|no index that this version/);
    await tree.build();
  }
});

it('a store that is garbage', async () => {
  expect(await after(() => writeFileSync(STORE(), Buffer.alloc(65536, 'garbage')))).toMatch(/damaged/);
  expect(await after(() => rmSync(join(tree.generation(), 'store'), { recursive: true }))).toBeDefined();
  expect(
    await after(() => {
      rmSync(STORE());
      mkdirSync(STORE());
    }),
  ).toMatch(/damaged/);
});

it('facts that are gone, cut off or garbage', async () => {
  const facts = join(tree.base, 'facts');
  await after(() => rmSync(facts, { recursive: true }));
  for (const left of [0, 100, 8192, 20480]) {
    await after(() => truncateSync(join(facts, 'data.mdb'), left));
    await tree.build();
  }
  await after(() => writeFileSync(join(facts, 'data.mdb'), Buffer.alloc(65536, 'garbage')));
});

it('sidecars that are gone, cut off, garbage or of somebody else', async () => {
  const file = (name: string): string => join(tree.generation(), 'files', `${name}.json`);
  const harms: Readonly<Record<string, () => void>> = {
    gone: () => unlinkSync(file('b.py')),
    empty: () => writeFileSync(file('b.py'), ''),
    'cut off': () => truncateSync(file('b.py'), 40),
    garbage: () => writeFileSync(file('b.py'), 'null'),
    'another path': () => writeFileSync(file('b.py'), readFileSync(file('c.md'))),
  };
  for (const [name, harm] of Object.entries(harms)) {
    harm();
    // b.py is touched through its edge into a.py.
    tree.write('a.py', `def other():\n    pass # ${name}\n`);
    await tree.align();
    expect(await tree.differencesFromBuild(), name).toEqual([]);
    tree.write('a.py', CODE);
    await tree.align();
    expect(await tree.differencesFromBuild(), name).toEqual([]);
  }
});

it('a sidecar that is damaged: a line from show, and not known to ask', async () => {
  const cache = { XDG_CACHE_HOME: join(tree.base, 'cache') };
  await sidecar('build', tree.root, {}, cache);
  const [folder = ''] = readdirSync(join(tree.base, 'cache/sidecar')).filter((name) => !name.endsWith('.facts'));
  for (const text of ['', '{"path":', 'null', '[]']) {
    writeFileSync(join(tree.base, 'cache/sidecar', folder, 'files/b.py.json'), text);
    const shown = await sidecar('show', tree.root, { file: 'b.py' }, cache);
    expect([shown.code, shown.error], text).toEqual([2, expect.stringMatching(/damaged/)]);
    const asked = await sidecar('ask', tree.root, { question: ['affects', 'b.py'] }, cache);
    expect(asked.out, text).toContain('not known: changed together: no history is indexed for b.py');
  }
});

it('a place of its own needs no HOME', async () => {
  const indexDir = join(tree.base, 'own');
  expect(await sidecar('align', tree.root, { indexDir }, {})).toMatchObject({ code: 0, error: '' });
});

it('a link to a generation that is gone, or no link', async () => {
  expect(await after(() => rmSync(tree.generation(), { recursive: true }))).toBe('there is no index yet');
  expect(await after(() => unlinkSync(join(tree.base, 'index', 'current')))).toBe('there is no index yet');
  const folder = join(tree.base, 'index');
  await after(() => {
    rmSync(folder, { recursive: true });
    mkdirSync(join(folder, 'files'), { recursive: true });
    writeFileSync(join(folder, 'index.json'), '{}');
    mkdirSync(join(folder, 'current'));
    writeFileSync(join(folder, 'current', 'x'), '');
  });
});

it('a file where the index folder should be', async () => {
  const file = join(tree.base, 'file');
  writeFileSync(file, '');
  for (const command of ['build', 'align'] as const) {
    const { code, error } = await sidecar(command, tree.root, { indexDir: file });
    expect(code).toBe(2);
    expect(error).toMatch(/^sidecar: cannot write the index at .*\n$/);
  }
  expect(readFileSync(file, 'utf8')).toBe('');
});

it('a folder that is not writable', async ({ skip }) => {
  if (process.getuid?.() === 0) skip('root writes everywhere: run as another user to check read-only folders');
  const folder = join(tree.base, 'closed');
  mkdirSync(folder, { mode: 0o555 });
  const { code, error } = await sidecar('build', tree.root, { indexDir: folder });
  chmodSync(folder, 0o755);
  expect(code).toBe(2);
  expect(error).toMatch(/it is not writable/);
});

/** A file system of its own, undefined where that needs rights that we lack. */
function mount(folder: string, options: string): (() => void) | undefined {
  mkdirSync(folder, { recursive: true });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    return undefined;
  }
  return () => execFileSync('umount', [folder]);
}

it('a read-only file system', async ({ skip }) => {
  const folder = join(tree.base, 'read-only');
  const unmount = mount(folder, 'ro,size=64k');
  if (!unmount) return skip('mounting needs root');
  try {
    for (const command of ['build', 'align'] as const) {
      const { code, error } = await sidecar(command, tree.root, { indexDir: join(folder, 'index') });
      expect(code).toBe(2);
      expect(error).toMatch(/^sidecar: cannot write the index at .*\n$/);
    }
  } finally {
    unmount();
  }
});

it('a full disk, of any size: one line, the index stays as it was, and with space it goes on', async ({ skip }) => {
  const folder = join(tree.base, 'full');
  for (let n = 0; n < 60; n += 1) tree.write(`many/m${n}.py`, `from a import first\n\n\ndef f${n}():\n    first()\n`);
  for (const size of ['40k', '150k', '300k']) {
    const unmount = mount(folder, `size=${size}`);
    if (!unmount) return skip('mounting needs root');
    try {
      const { code, error } = await sidecar('build', tree.root, { indexDir: join(folder, 'index') });
      expect(code, size).toBe(2);
      expect(error, size).toMatch(/^sidecar: cannot write the index at .*the disk is full.*\n$/);
      expect(existsSync(join(folder, 'index', 'index.json'))).toBe(false);
    } finally {
      unmount();
    }
  }
  const unmount = mount(folder, 'size=6m');
  if (!unmount) return skip('mounting needs root');
  try {
    const indexDir = join(folder, 'index');
    expect((await sidecar('build', tree.root, { indexDir })).code).toBe(0);
    const before = readFileSync(join(indexDir, 'index.json'), 'utf8');
    const sidecarBefore = readFileSync(join(indexDir, 'files', 'a.py.json'), 'utf8');
    edit();
    const free = Number(execFileSync('df', ['--output=avail', '-B1', folder], { encoding: 'utf8' }).split('\n')[1]);
    let failed = 0;
    for (const left of [0, 4096, 16_384, 40_960, 81_920]) {
      writeFileSync(join(folder, 'ballast'), Buffer.alloc(Math.max(0, free - left)));
      const { code, error } = await sidecar('align', tree.root, { indexDir });
      if (code !== 0) {
        failed += 1;
        expect(error).toMatch(/^sidecar: cannot write the index at .*the disk is full.*\n$/);
        expect(readFileSync(join(indexDir, 'index.json'), 'utf8')).toBe(before);
        expect(readFileSync(join(indexDir, 'files', 'a.py.json'), 'utf8')).toBe(sidecarBefore);
      }
      rmSync(join(folder, 'ballast'));
      if (code === 0) break;
    }
    expect(failed).toBeGreaterThan(0);
    const { code, out } = await sidecar('align', tree.root, { indexDir, check: true });
    expect(out).toContain('equal to a build from scratch');
    expect(code).toBe(0);
  } finally {
    unmount();
  }
});

it('a lock left by a dead process, by one before a restart, and garbage in its place', async () => {
  const lock = join(tree.base, 'cache-index', 'lock');
  mkdirSync(join(tree.base, 'cache-index'));
  const { hostname } = await import('node:os');
  for (const content of [
    `${hostname()} 2147483000 1 00000000-0000-0000-0000-000000000000\n`,
    `${hostname()} 1 1 00000000-0000-0000-0000-000000000000\n`,
    '',
    'nonsense',
  ]) {
    writeFileSync(lock, content);
    const { code } = await sidecar('build', tree.root, { indexDir: join(tree.base, 'cache-index') });
    expect(code, content).toBe(0);
    expect(existsSync(lock)).toBe(false);
  }
});

it('a broken sidecar.config.json: one line that says what to do', async () => {
  for (const [text, expected] of [
    ['{', /cannot read sidecar.config.json/],
    ['{"neighbors": 3}', /known settings are/],
    ['{"neighbours": "many"}', /must be a whole number/],
    ['{"neighbours": -1}', /must be a whole number/],
    ['[]', /must be an object/],
    ['3', /must be an object/],
  ] as const) {
    tree.write('sidecar.config.json', text);
    const { code, error } = await sidecar('build', tree.root);
    expect(code, text).toBe(2);
    expect(error, text).toMatch(expected);
    expect(error.trimEnd().split('\n'), text).toHaveLength(1);
  }
  tree.write('sidecar.config.json', '{"neighbours": 3}');
  expect((await sidecar('build', tree.root)).code).toBe(0);
});

it('nothing is left over beside the published generation', async () => {
  edit();
  await tree.align();
  expect(readdirSync(join(tree.base, 'index')).sort()).toEqual(['current', 'files', 'g1', 'index.json']);
  expect(readdirSync(tree.generation()).sort()).toEqual([
    'commits.json',
    'files',
    'index.json',
    'recency.bin',
    'store',
  ]);
});
