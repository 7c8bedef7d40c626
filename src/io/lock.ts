/** One writer of an index at a time, by a lock that a killed process or a restart does not leave behind. */
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SidecarError } from '../errors.js';
import { writing } from './index-folder.js';

const LOCK_FILE = 'lock';
const POLL_MS = 25;

/** Tells a process from a later one with the same id: its start time in clock ticks and the boot that it belongs to. */
function processIdentity(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const start = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    return `${pid} ${start} ${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}`;
  } catch {
    return `${pid} - -`;
  }
}

/** Whether the process that wrote the lock still runs. A lock of another machine (shared home) is believed. */
function isAlive(content: string): boolean {
  const fields = content.trim().split(' ');
  // A lock appears with its whole content: anything else was never one.
  if (fields.length !== 4) return false;
  const [host, pid = '', start = '-', boot = '-'] = fields;
  if (host !== hostname()) return true;
  try {
    process.kill(Number(pid), 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  const now = processIdentity(Number(pid));
  return start === '-' || now === `${pid} ${start} ${boot}`;
}

export interface Lock {
  release(): void;
}

function tryLock(folder: string, path: string): Lock | undefined {
  const temporary = `${path}.${process.pid}`;
  writing(folder, () => writeFileSync(temporary, `${hostname()} ${processIdentity(process.pid)}\n`));
  try {
    // A link either creates the lock with its content or fails: no reader finds it half written.
    linkSync(temporary, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return undefined;
    throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
  return { release: () => rmSync(path, { force: true }) };
}

/** Removes a dead process's lock, but not one that somebody took between our look and our hand. */
function clearStale(path: string, stale: string): void {
  const aside = `${path}.stale.${process.pid}`;
  try {
    renameSync(path, aside);
    if (readFileSync(aside, 'utf8') !== stale) linkSync(aside, path);
  } catch {
    // Somebody else cleared it first.
  } finally {
    rmSync(aside, { force: true });
  }
}

/**
 * Takes the index's lock, waiting while another process works on it.
 * @param waitMs how long to wait; 0: not at all
 * @returns undefined when the wait was in vain
 */
export async function takeLock(folder: string, waitMs: number): Promise<Lock | undefined> {
  writing(folder, () => mkdirSync(folder, { recursive: true }));
  const path = join(folder, LOCK_FILE);
  for (let waited = 0; ; waited += POLL_MS) {
    const lock = tryLock(folder, path);
    if (lock) return lock;
    let content: string;
    try {
      content = readFileSync(path, 'utf8');
    } catch {
      continue;
    }
    if (!isAlive(content)) {
      clearStale(path, content);
      continue;
    }
    if (waited >= waitMs) return undefined;
    await sleep(POLL_MS);
  }
}

/** Takes the lock or fails with a line that names the process that holds it. */
export async function requireLock(folder: string, waitMs: number): Promise<Lock> {
  const lock = await takeLock(folder, waitMs);
  if (lock) return lock;
  throw new SidecarError(
    'cannot write the index',
    'another sidecar process is writing it',
    'wait for it to end, then try again',
  );
}
