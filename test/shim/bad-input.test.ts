/** Broken, foreign or hostile surroundings: the search is what it would have been. */
import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { symbolAt, symbolNamed } from '../../src/retrieval/symbols.js';
import { launcherFor } from '../../src/shim/launcher.js';
import { DiskReader } from '../../src/shim/reader.js';
import { isRepositoryPath } from '../../src/shim/validation.js';
import { hasBlock, installed, Stage } from './stage.js';

vi.setConfig({ testTimeout: 60_000 });

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
}, 60_000);
afterAll(() => stage.close());
beforeEach(() => {
  stage.writeIndex({});
  for (const path of ['a.py', 'b.py', 'sub/c.py']) stage.sidecar(path);
});

const SEARCH = 'rg --sort path foo; true';
const BARE = 'a.py:def foo():\nb.py:foo()\nsub/c.py:foo()\n';

async function expectBare(command = SEARCH, more: NodeJS.ProcessEnv = {}): Promise<void> {
  const ran = await stage.bash(command, more);
  expect(ran.stdout.toString()).toBe(BARE);
  expect(ran.stderr.toString()).toBe('');
}

describe('an index', () => {
  it('that is not there', async () => {
    await expectBare(SEARCH, { XDG_CACHE_HOME: join(stage.base, 'empty') });
    expect(stage.lastDecision()).toMatchObject({ decision: 'exec', why: 'no-index' });
    await expectBare(SEARCH, { SIDECAR_INDEX_DIR: join(stage.base, 'empty') });
  });

  it('of another schema', async () => {
    stage.writeIndex({ schemaVersion: 2 });
    await expectBare();
    expect(stage.lastDecision()).toMatchObject({ why: 'unusable-index' });
  });

  it('that is no JSON', async () => {
    writeFileSync(join(stage.index, 'index.json'), '{"schemaVersion":');
    await expectBare();
  });

  it('that is being published', async () => {
    writeFileSync(join(stage.index, 'journal.json'), '{}');
    await expectBare();
    rmSync(join(stage.index, 'journal.json'));
    expect(hasBlock(await stage.bash(SEARCH))).toBe(true);
  });

  it('of a folder with the same name elsewhere', async () => {
    const other = join(stage.base, 'elsewhere/repository');
    mkdirSync(join(other, '.git'), { recursive: true });
    writeFileSync(join(other, 'a.py'), 'foo\n');
    const ran = await stage.bash('rg foo; true', {}, { cwd: other });
    expect(ran.stdout.toString()).toBe('a.py:foo\n');
    expect(stage.lastDecision()).toMatchObject({ why: 'no-index' });
  });

  it('is found through a symbolic link to the work tree', async () => {
    const link = join(stage.base, 'link');
    symlinkSync(stage.repository, link);
    expect(hasBlock(await stage.bash(`cd ${link}/sub && rg foo; true`))).toBe(true);
  });

  it('named by SIDECAR_INDEX_DIR', async () => {
    expect(hasBlock(await stage.bash(SEARCH, { SIDECAR_INDEX_DIR: stage.index, XDG_CACHE_HOME: '/nonexistent' }))).toBe(
      true,
    );
  });

  it('in a home that cannot be read, or no home at all', async () => {
    await expectBare(SEARCH, { HOME: '/nonexistent', XDG_CACHE_HOME: '' });
    await expectBare(`unset HOME XDG_CACHE_HOME; ${SEARCH}`);
  });
});

describe('a sidecar', () => {
  const neighbours = (path: string) => ({
    neighbours: { callers: { total: 1, items: [{ path, confidence: 1, provenance: 'import' }] } },
  });

  it.each([
    ['empty', ''],
    ['truncated', '{"schemaVersion":1,"path":"a.py","content":"'],
    ['of another file', { path: 'b.py' }],
    ['of another version', { schemaVersion: 2 }],
    ['no object', '[]'],
    ['of 5 MB', { community: { label: 'x'.repeat(5e6), cohesion: 1 } }],
  ])('%s is none', async (_name, content) => {
    stage.sidecar('a.py', content);
    expect(DiskReader.open(stage.index)?.sidecar('a.py')).toBeUndefined();
    const ran = await stage.bash(SEARCH);
    expect(ran.stdout.toString()).toBe(`${BARE}[Block] b.py:1 sub/c.py:1\n`);
  });

  const many = Array(3e4).fill({ path: 'b.py', confidence: 1, provenance: 'import' });
  it.each([
    ['is above the tree', neighbours('../../etc/passwd')],
    ['is absolute', neighbours('/etc/passwd')],
    [
      'has no number',
      {
        neighbours: { callers: { total: 1, items: [{ path: 'b.py', confidence: Number.NaN, provenance: 'import' }] } },
      },
    ],
    ['is one of thirty thousand', { neighbours: { callers: { total: 3e4, items: many } } }],
  ])('whose neighbour %s has none', (_name, content) => {
    const symbol = { name: 'f', kind: 'function', line: 1, endLine: 2, signature: 'f()' };
    stage.sidecar('a.py', { ...content, symbols: [symbol] });
    expect(DiskReader.open(stage.index)?.sidecar('a.py')).toMatchObject({ neighbours: {}, symbols: [symbol] });
    stage.sidecar('a.py', { symbols: [{ ...symbol, ...content }] });
    const harmless = { role: 'source', symbols: [{ name: 'f', neighbours: {} }] };
    expect(DiskReader.open(stage.index)?.sidecar('a.py')).toMatchObject(harmless);
    expect(DiskReader.open(stage.index)?.sidecar('a.py')?.symbols[0]?.neighbours).toEqual({});
    stage.sidecar('a.py', JSON.stringify(JSON.parse(readSidecar()), undefined, 1));
    expect(DiskReader.open(stage.index)?.sidecar('a.py')).toMatchObject(harmless);
    expect(DiskReader.open(stage.index)?.sidecar('a.py')?.symbols[0]?.neighbours).toEqual({});
  });

  it.each(['[]', '1', 'null', '{"callers":[1]}', '{"callers":{}}', '{"callers":[[99,0]]}', '{"callers":[[-1,"x"]]}'])(
    'with %s for neighbours has none',
    (text) => {
      stage.sidecar('a.py');
      stage.sidecar('a.py', readSidecar().replace('"neighbours":{}', `"neighbours":${text}`));
      expect(DiskReader.open(stage.index)?.sidecar('a.py')?.neighbours).toEqual({});
    },
  );

  it.each(['[1]', '[null]', '[{}]', '[[]]'])('with %s for symbols has none', (text) => {
    stage.sidecar('a.py');
    stage.sidecar('a.py', readSidecar().replace('"symbols":[]', `"symbols":${text}`));
    expect(DiskReader.open(stage.index)?.sidecar('a.py')?.symbols).toEqual([]);
  });

  const readSidecar = () => readFileSync(join(stage.index, 'files/a.py.json'), 'utf8');

  it('is read in part and in full alike', () => {
    const symbol = { name: 'f', kind: 'function', line: 1, endLine: 2, signature: 'x ,"schemaVersion":1,"symbols":[' };
    const community = { label: '"role":"test"', cohesion: 0.5 };
    stage.sidecar('a.py', { ...neighbours('b.py'), community, language: 'python', lines: 7, symbols: [symbol] });
    const inPart = DiskReader.open(stage.index)?.sidecar('a.py');
    const seen = (one: typeof inPart) => [
      one?.role,
      one?.path,
      one?.language,
      one?.lines,
      one?.community,
      one?.content,
      one?.neighbours,
      one?.symbols.map(({ name, kind, line, endLine, signature, neighbours }) => [
        [name, kind, line, endLine, signature],
        neighbours,
      ]),
      one && symbolAt(one, 2)?.name,
      one && symbolAt(one, 3)?.name,
      one && symbolNamed(one, 'f')?.endLine,
      one && symbolNamed(one, 'kind')?.endLine,
      one?.flows,
    ];
    const partly = seen(inPart);
    stage.sidecar('a.py', JSON.stringify(JSON.parse(readSidecar()), undefined, 1));
    expect(seen(DiskReader.open(stage.index)?.sidecar('a.py'))).toEqual(partly);
    expect(partly).toContainEqual(neighbours('b.py').neighbours);
    expect(partly.slice(-5, -1)).toEqual(['f', undefined, 2, undefined]);
  });

  it('that is a folder, or a link to nowhere, is none', () => {
    mkdirSync(join(stage.index, 'files/d.py.json'), { recursive: true });
    symlinkSync('/nonexistent', join(stage.index, 'files/e.py.json'));
    const reader = DiskReader.open(stage.index);
    expect([reader?.sidecar('d.py'), reader?.sidecar('e.py'), reader?.sidecar('../a.py')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('of a file that is gone is never asked for', async () => {
    stage.sidecar('gone.py');
    await stage.bash(SEARCH).then((ran) => expect(ran.stdout.toString()).not.toContain('gone.py'));
  });
});

it('a reader notices that something was published meanwhile', () => {
  const reader = DiskReader.open(stage.index);
  expect(reader?.consistent()).toBe(true);
  rmSync(join(stage.index, 'index.json'));
  expect(reader?.consistent()).toBe(false);
  stage.writeIndex({});
  expect(reader?.consistent()).toBe(false);
});

it('repository paths stay in the repository', () => {
  for (const path of ['a', 'a/b', '...', 'a b', '-', 'é/ü']) expect(isRepositoryPath(path), path).toBe(true);
  for (const path of ['', '/a', '../a', 'a/../b', 'a//b', './a', 'a/', 'a\0b', 1, undefined]) {
    expect(isRepositoryPath(path), String(path)).toBe(false);
  }
});

describe('the real tool', () => {
  it('is found when the shims are on PATH twice and through a link', async () => {
    const linked = join(stage.base, 'linked');
    mkdirSync(linked);
    symlinkSync(join(stage.shims, 'rg'), join(linked, 'rg'));
    const path = `${linked}:${stage.shims}:${stage.shims}/:${stage.shimmed.PATH}`;
    expect(hasBlock(await stage.bash(SEARCH, { PATH: path }))).toBe(true);
  });

  it('is found behind another installation', async () => {
    const other = join(stage.base, 'other');
    mkdirSync(other);
    copyFileSync(join(stage.shims, 'rg'), join(other, 'rg'));
    const ran = await stage.bash(SEARCH, { PATH: `${other}:${stage.shimmed.PATH}` });
    expect(ran.stdout.toString()).toBe(BARE);
    await expectBare(SEARCH, { PATH: `${other}:${stage.shimmed.PATH}`, SIDECAR_REAL_RG: join(stage.shims, 'rg') });
  });

  it('that is nowhere is a clear line and 127', async () => {
    const ran = await stage.run(['/bin/sh', '-c', 'rg foo'], { ...stage.shimmed, PATH: stage.shims });
    expect(ran.stdout.toString()).toBe('');
    expect(ran.stderr.toString()).toMatch(/^sidecar: no real rg found: .*\n$/);
    expect(ran.status).toBe(127);
  });

  it('that is recorded but gone is looked for on PATH', async () => {
    expect(hasBlock(await stage.bash(SEARCH, { SIDECAR_REAL_RG: '/nonexistent/rg' }))).toBe(true);
  });
});

describe('what can be read only once is read once', () => {
  it.each([
    ['grep foo <(cat a.py); true', 'stream'],
    ['rg -f <(echo foo) a.py; true', 'stdin'],
    ['cat a.py | grep foo; true', 'stdin'],
    ['cat a.py | rg foo; true', 'stdin'],
    ['cat a.py | grep foo -; true', 'stream'],
    ['mkfifo ../pipe; cat a.py > ../pipe & grep foo ../pipe; rm ../pipe', 'stream'],
  ])('%s', async (command, why) => {
    expect((await stage.bash(command)).stdout.toString()).toBe('def foo():\n');
    expect(stage.lastDecision()).toMatchObject({ why });
  });
});

it('nearly as many arguments as the kernel takes', async () => {
  const ran = await stage.bash('grep -h foo $(yes a.py | head -100000) | wc -l');
  const raw = await stage.run(['bash', '-c', 'grep -h foo $(yes a.py | head -100000) | wc -l'], stage.real);
  expect(ran.stdout.toString().split('\n')[0]).toBe(raw.stdout.toString().trim());
});

it('no block for a search that finds nothing', async () => {
  const ran = await stage.bash('rg nothing; echo "status $?"');
  expect(ran.stdout.toString()).toBe('status 1\n');
});

it('SIDECAR_MODE=off', async () => {
  await expectBare(SEARCH, { SIDECAR_MODE: 'off' });
  expect(stage.lastDecision()).toMatchObject({ why: 'off' });
});

describe('run by', () => {
  const shells = [
    ['bash', '#!/bin/bash'],
    ['dash', '#!/bin/dash'],
    ['busybox', '#!/bin/busybox sh'],
  ].filter(([name]) => installed(name as string));
  it.each(shells)('%s', async (name, shebang) => {
    const folder = join(stage.base, `by-${name}`);
    mkdirSync(folder);
    for (const tool of ['rg', 'grep'] as const) {
      writeFileSync(join(folder, tool), launcherFor(tool).replace('#!/bin/sh', shebang as string));
      chmodSync(join(folder, tool), 0o755);
    }
    const env = { PATH: `${folder}:${stage.real.PATH}`, SIDECAR_HOME: stage.home };
    expect((await stage.bash(SEARCH, env)).stdout.toString()).toBe(`${BARE}[Block] a.py:1 b.py:1 sub/c.py:1\n`);
    expect(hasBlock(await stage.bash('grep -rn foo a.py; true', env))).toBe(true);
    expect((await stage.bash('rg foo | head -1; rg -l foo | wc -l', env)).stdout.toString()).toMatch(/foo.*\n3\n$/);
    expect((await stage.bash('rg nothing; echo $?', env)).stdout.toString()).toBe('1\n');
    const late = await stage.bash(SEARCH, { ...env, SIDECAR_NODE: '/nonexistent/node' });
    expect(late.stdout.toString()).toBe(BARE);
    expect(late.stderr.toString()).toBe('');
    const killed = await stage.bash('timeout -s TERM 0.3 rg foo; echo $?', { ...env, SIDECAR_REAL_RG: '/usr/bin/yes' });
    expect(killed.stdout.subarray(-4).toString()).toBe('124\n');
    expect(killed.stderr.toString()).toBe('');
  });
});
