/** A full disk, no /proc, a home that nobody may read, the longest command line: the search ends as the real tool does. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { processesNaming, type Ran, Stage } from './stage.js';

vi.setConfig({ testTimeout: 60_000 });

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
}, 60_000);
afterAll(() => stage.close());

/** Whether this machine lets a process have mounts of its own, which end with it. */
const mounts =
  spawnSync('unshare', ['-m', 'sh', '-c', 'mount -t tmpfs -o size=64k none /mnt && umount /mnt']).status === 0;

/** The same with the real tool and with the launcher; what both say must be equal. */
async function bothWays(argv: readonly string[], more: NodeJS.ProcessEnv = {}): Promise<Ran> {
  const raw = await stage.run(argv, { ...stage.real, ...more });
  const shim = await stage.run(argv, { ...stage.shimmed, ...more });
  expect(shim.stdout.toString()).toBe(raw.stdout.toString());
  expect(shim.stderr.toString()).toBe(raw.stderr.toString());
  expect([shim.status, shim.signal]).toEqual([raw.status, raw.signal]);
  expect(processesNaming(stage.base)).toEqual([]);
  return shim;
}

describe('a full disk', () => {
  it.each(['auto', 'always'])('that stdout is on, mode %s', async (mode) => {
    for (const tool of ['grep -rn', 'rg -j1 -n']) {
      await bothWays(['bash', '-c', `${tool} foo a.py >/dev/full; echo "status $?"`], { SIDECAR_MODE: mode });
    }
  });

  // Without rights to mount there is no small disk to fill.
  it.runIf(mounts)('that output and session files are on', async () => {
    const small = join(stage.base, 'small');
    mkdirSync(small, { recursive: true });
    const inside = `mount -t tmpfs -o size=64k none ${small} && dd if=/dev/zero of=${small}/filler 2>/dev/null
      grep -rn foo a.py > ${small}/out; echo "file $?"; cat ${small}/out; grep -rn foo a.py; echo "status $?"`;
    const argv = ['unshare', '-m', 'bash', '-c', inside];
    const raw = await stage.run(argv, stage.real);
    const shim = await stage.run(argv, { ...stage.shimmed, XDG_RUNTIME_DIR: small });
    expect(shim.stderr.toString()).toBe(raw.stderr.toString());
    expect(shim.stdout.toString().replace(/^\[Block\] .*\n/m, '')).toBe(raw.stdout.toString());
    expect(raw.stdout.toString()).toContain('status 0');
  });
});

// Without rights to mount /proc cannot be hidden.
describe.runIf(mounts)('no /proc', () => {
  it.each(['auto', 'always'])('means the real tool, mode %s', async (mode) => {
    const empty = join(stage.base, 'empty-proc');
    mkdirSync(empty, { recursive: true });
    const inside = `mount --bind ${empty} /proc && { rg -j1 -n foo a.py; grep -rn foo a.py; echo "status $?"; }`;
    await bothWays(['unshare', '-m', 'bash', '-c', inside], { SIDECAR_MODE: mode });
    expect(stage.lastDecision()).toMatchObject({ decision: 'exec', why: 'no-proc' });
  });
});

/** Runs as somebody without rights of its own, where the tests run as root. */
const asNobody = process.getuid?.() === 0 ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] : [];
const becomes = asNobody.length === 0 || spawnSync('setpriv', [...asNobody.slice(1), 'true']).status === 0;

// As root every folder can be read.
it.runIf(becomes)('a home that may not be read', async () => {
  const home = join(stage.base, 'locked');
  mkdirSync(join(home, '.cache/sidecar'), { recursive: true });
  chmodSync(home, 0);
  chmodSync(stage.base, 0o755);
  const argv = [...asNobody, 'bash', '-c', 'grep -Hn foo a.py; echo "status $?"'];
  const ran = await bothWays(argv, { HOME: home, XDG_CACHE_HOME: '', SIDECAR_LOG: '' });
  chmodSync(home, 0o755);
  expect(ran.stdout.toString()).toBe('a.py:1:def foo():\nstatus 0\n');
});

it('a command line beyond the limit of the kernel is refused as without the launcher', async () => {
  const command = 'grep -h foo $(yes a.py | head -1000000) >/dev/null 2>&1; echo "status $?"';
  const ran = await bothWays(['bash', '-c', command]);
  expect(ran.stdout.toString()).toBe('status 126\n');
});

it('thousands of flags in one argument are not looked at one by one', async () => {
  const flags = `-${'n'.repeat(60_000)}`;
  await bothWays(['bash', '-c', `grep ${flags} foo a.py; echo "status $?"`]);
  expect(stage.lastDecision()).toMatchObject({ decision: 'exec', why: 'flag' });
});
