/** Signals, deaths, big outputs, slow readers: the same end as the real tool, and nothing left behind. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { hasBlock, processesNaming, Stage } from './stage.js';

vi.setConfig({ testTimeout: 60_000 });

let stage: Stage;
/** A tool that prints one match of a.py and goes on until it is ended, in both of its runs. */
let endless: string;

beforeAll(async () => {
  stage = await Stage.open();
  const tools = join(stage.base, 'endless');
  mkdirSync(tools);
  endless = join(tools, 'rg');
  const c = `#!/usr/bin/env node
require('node:fs').writeSync(1, process.argv.includes('--null') ? 'a.py\\u00001:def foo():\\n' : 'a.py:def foo():\\n');
setInterval(() => {}, 1000);`;
  writeFileSync(endless, c, { mode: 0o755 });
}, 60_000);
afterAll(() => stage.close());

async function until(condition: () => boolean): Promise<void> {
  for (let n = 0; n < 1000 && !condition(); n += 1) await sleep(20);
  expect(condition()).toBe(true);
}

async function nothingLeft(): Promise<void> {
  await until(() => processesNaming(stage.base).length === 0);
}

/** Starts an endless search and waits until it has printed, and its evidence side too where that is wanted. */
async function startEndless(): Promise<{ child: ChildProcess; ended: Promise<[number | null, string | null]> }> {
  const env = {
    ...stage.shimmed,
    SIDECAR_REAL_RG: endless,
    PATH: `${join(process.execPath, '..')}:${stage.shimmed.PATH}`,
  };
  const child = spawn('bash', ['-c', 'rg foo'], { cwd: stage.repository, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<[number | null, string | null]>((resolve) => {
    child.on('exit', (status, signal) => resolve([status, signal]));
  });
  await new Promise((resolve) => child.stdout?.once('data', resolve));
  child.stdout?.resume();
  return { child, ended };
}

describe('a signal to the shim', () => {
  it.each(['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGKILL', 'SIGUSR1'] as const)('%s', async (signal) => {
    const { child, ended } = await startEndless();
    child.kill(signal);
    expect(await ended).toEqual([null, signal]);
    await nothingLeft();
  });

  it('when everything has started', async () => {
    const { child, ended } = await startEndless();
    await until(everythingStarted);
    child.kill('SIGTERM');
    expect(await ended).toEqual([null, 'SIGTERM']);
    await nothingLeft();
  });

  it('SIGKILL when everything has started', async () => {
    const { child, ended } = await startEndless();
    await until(everythingStarted);
    child.kill('SIGKILL');
    expect(await ended).toEqual([null, 'SIGKILL']);
    await nothingLeft();
  });

  it('from timeout, which sends it to the whole group', async () => {
    const env = { SIDECAR_REAL_RG: endless };
    const ran = await stage.bash('timeout 1 rg foo; echo "status $?"', env);
    expect(ran.stdout.toString()).toBe('a.py:def foo():\nstatus 124\n');
    expect(ran.stderr.toString()).toBe('');
    await nothingLeft();
  });

  // bash waits for the half of a pipeline that it has started when a trap runs a command in between.
  it.for(['dash', 'bash', 'busybox sh'])('while everything starts, under %s', async (shell, { skip }) => {
    const [program = '', ...args] = shell.split(' ');
    if (spawnSync(program, [...args, '-c', 'true']).status !== 0) skip(`${program} is not installed`);
    const slow = join(stage.base, 'endless-rg');
    writeFileSync(slow, '#!/bin/sh\nexec sleep 98767\n', { mode: 0o755 });
    const env = { ...stage.shimmed, SIDECAR_REAL_RG: slow, SIDECAR_MODE: 'always' };
    for (let n = 0; n < 60; n += 1) {
      const child = spawn(program, [...args, join(stage.shims, 'rg'), 'foo'], {
        cwd: stage.repository,
        env,
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      const ended = new Promise((resolve) => child.on('exit', (status, signal) => resolve(signal ?? status)));
      await sleep(n / 8);
      child.kill('SIGTERM');
      expect(['SIGTERM', 143]).toContain(await ended);
    }
    await nothingLeft();
    await until(() => processesNaming('sleep 98767').length === 0);
  });

  it('that the caller ignores stays ignored', async () => {
    const ran = await stage.bash('trap "" HUP; rg foo; true');
    expect(hasBlock(ran)).toBe(true);
  });
});

/** The evidence side calls itself so. */
function everythingStarted(): boolean {
  return readdirSync('/proc').some((name) => {
    try {
      return (
        /^\d+$/.test(name) &&
        readFileSync(`/proc/${name}/comm`, 'utf8') === 'sidecar\n' &&
        readFileSync(`/proc/${name}/environ`, 'utf8').includes(stage.base)
      );
    } catch {
      return false;
    }
  });
}

describe('a real tool that dies', () => {
  it.each([
    ['SEGV', 139],
    ['KILL', 137],
    ['TERM', 143],
    ['PIPE', 141],
  ])('of SIG%s: the shim dies of it too', async (signal, status) => {
    const tool = join(stage.base, `dies-${signal}`);
    writeFileSync(
      tool,
      `#!/bin/sh\nulimit -c 0\necho a.py:foo\ncase $* in *--null*) exit 1;; esac\nkill -${signal} $$\n`,
      { mode: 0o755 },
    );
    const command = `(rg foo) 2>/dev/null; echo "status $?"`;
    const ran = await stage.bash(command, { SIDECAR_REAL_RG: tool });
    expect(ran.stdout.toString()).toBe(`a.py:foo\nstatus ${status}\n`);
    await nothingLeft();
  });
});

describe('big outputs', () => {
  beforeAll(() => {
    const line = 'a long line that matches the word needle somewhere in its middle, again and again and again\n';
    stage.file('big.txt', line.repeat(1_100_000));
  });

  it('100 MB arrive whole, and are too much for a block', async () => {
    const raw = await stage.run(['bash', '-c', 'rg needle big.txt; true'], stage.real);
    const shim = await stage.bash('rg needle big.txt; true');
    expect(shim.stdout.length).toBeGreaterThan(100e6);
    expect(shim.stdout.equals(raw.stdout)).toBe(true);
    await nothingLeft();
  });

  it('a reader that leaves ends the search', async () => {
    for (const tool of ['rg', 'grep']) {
      const command = `${tool} needle big.txt | head -1; echo "$PIPESTATUS"`;
      const raw = await stage.run(['bash', '-c', command], stage.real);
      for (const mode of ['auto', 'always']) {
        const shim = await stage.bash(command, { SIDECAR_MODE: mode });
        expect(shim.stdout.toString(), mode).toBe(raw.stdout.toString());
        expect(shim.stderr.toString(), mode).toBe(raw.stderr.toString());
      }
    }
    await nothingLeft();
  });

  it('a slow reader gets everything', async () => {
    stage.file('slow.txt', 'needle\n'.repeat(100_000));
    const ran = await stage.bash('rg needle slow.txt a.py; true', {}, {});
    const child = spawn('bash', ['-c', 'rg needle slow.txt; true'], {
      cwd: stage.repository,
      env: stage.shimmed,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let size = 0;
    child.stdout.on('data', (chunk) => {
      size += chunk.length;
      child.stdout.pause();
      setTimeout(() => child.stdout.resume(), 30);
    });
    await new Promise((resolve) => child.on('close', resolve));
    expect(size).toBe(700_000);
    expect(ran.status).toBe(0);
    rmSync(join(stage.repository, 'big.txt'), { force: true });
    rmSync(join(stage.repository, 'slow.txt'), { force: true });
  });
});

describe('the evidence side', () => {
  const quick = 'rg --sort path foo; echo "status $?"';
  const bare = 'a.py:def foo():\nb.py:foo()\nsub/c.py:foo()\nstatus 0\n';

  it('that never starts is not waited for beyond the deadline', async () => {
    const stuck = join(stage.base, 'stuck');
    writeFileSync(stuck, '#!/bin/sh\nexec sleep 1000\n', { mode: 0o755 });
    const ran = await stage.bash(quick, { SIDECAR_NODE: stuck, SIDECAR_DEADLINE: '100' });
    expect(ran.stdout.toString()).toBe(bare);
    expect(ran.stderr.toString()).toBe('');
    await nothingLeft();
  });

  it('that is not there is not missed', async () => {
    for (const more of [{ SIDECAR_NODE: '/nonexistent/node' }, { SIDECAR_NODE: '/bin/false' }]) {
      const ran = await stage.bash(quick, more);
      expect(ran.stdout.toString()).toBe(bare);
      expect(ran.stderr.toString()).toBe('');
    }
    await nothingLeft();
  });

  it('that is late is silent', async () => {
    const slow = join(stage.base, 'slow-rg');
    // The real tool is done at once; its second run takes long.
    writeFileSync(
      slow,
      `#!/bin/sh\ncase $* in *--null*) exec sleep 98765;; esac\nexec "${process.env.RG_FOR_TESTS ?? 'rg'}" "$@"\n`,
      {
        mode: 0o755,
      },
    );
    // With a long deadline the evidence side has started when the search ends, with a short one it may not have.
    for (const deadline of ['1', '5', '20', '100', '500']) {
      const ran = await stage.bash(quick, { SIDECAR_REAL_RG: slow, SIDECAR_DEADLINE: deadline });
      expect(ran.stdout.toString()).toBe(bare);
    }
    await nothingLeft();
    expect(processesNaming('sleep 98765')).toEqual([]);
  });

  it.for(['dash', 'bash', 'busybox sh'])(
    'that dies does not leave the search waiting, under %s',
    async (shell, { skip }) => {
      const [program = '', ...args] = shell.split(' ');
      if (spawnSync(program, [...args, '-c', 'true']).status !== 0) skip(`${program} is not installed`);
      const slow = join(stage.base, 'slower-rg');
      writeFileSync(slow, `#!/bin/sh\ncase $* in *--null*) exec sleep 98766;; esac\nexec sleep 0.2\n`, { mode: 0o755 });
      const node = join(stage.base, 'dying');
      for (const after of ['0', '0.1', '0.19', '0.2', '0.21', '0.3']) {
        writeFileSync(node, `#!/bin/sh\nprintf sidecar >/proc/self/comm\nsleep ${after}\nkill -KILL $$\n`, {
          mode: 0o755,
        });
        const env = { SIDECAR_REAL_RG: slow, SIDECAR_NODE: node, SIDECAR_DEADLINE: '5000' };
        const ran = await stage.bash(`${shell} ${join(stage.shims, 'rg')} foo; echo "status $?"`, env);
        expect(ran.stdout.toString()).toBe('status 0\n');
      }
      await nothingLeft();
      expect(processesNaming('sleep 98766')).toEqual([]);
    },
  );

  it('leaves no file but its session and the mark of the command', async () => {
    const before = readdirSync(stage.repository).sort();
    await stage.bash('rg foo; true');
    expect(readdirSync(stage.repository).sort()).toEqual(before);
    const run = join(stage.base, 'cache/sidecar/run');
    expect(readdirSync(run).sort()).toEqual(['commands', 'sessions']);
    for (const name of readdirSync(join(run, 'sessions'))) expect(name).toMatch(/^[0-9a-f]{24}\.json$/);
  });

  it('survives folders that it cannot write', async () => {
    rmSync(join(stage.base, 'cache/sidecar/run'), { recursive: true, force: true });
    writeFileSync(join(stage.base, 'cache/sidecar/run'), '');
    expect(hasBlock(await stage.bash('rg foo; true', { SIDECAR_LOG: '/nonexistent/log' }))).toBe(true);
    rmSync(join(stage.base, 'cache/sidecar/run'));
    expect(existsSync(join(stage.base, 'cache/sidecar/run'))).toBe(false);
    appendFileSync(stage.log, '');
  });
});

describe('descriptors', () => {
  it('of the caller reach the real tool', async () => {
    const tool = join(stage.base, 'descriptors');
    writeFileSync(tool, '#!/bin/sh\ncase $* in *--null*) exit 1;; esac\ncat <&5; ls /proc/self/fd | tr "\\n" " "\n', {
      mode: 0o755,
    });
    const command = 'exec 5<sub/c.py 7</dev/null; rg foo; true';
    const raw = await stage.run(['bash', '-c', command.replace('rg foo', `${tool} foo`)], stage.real);
    const shim = await stage.bash(command, { SIDECAR_REAL_RG: tool });
    expect(shim.stdout.toString()).toBe(raw.stdout.toString());
  });

  it('stdin is the caller’s', async () => {
    const tool = join(stage.base, 'stdin');
    writeFileSync(tool, '#!/bin/sh\ncase $* in *--null*) exit 1;; esac\ncat\n', { mode: 0o755 });
    const shim = await stage.bash('echo hello | rg foo . ; true', { SIDECAR_REAL_RG: tool });
    expect(shim.stdout.toString()).toBe('hello\n');
    expect(stage.lastDecision()?.why).not.toBe('stdin');
  });
});
