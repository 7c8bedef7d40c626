/**
 * What a session was shown, and which commands have had their block: small files in a folder of this user's, which
 * nothing depends on. Every failure is silent: without them a block repeats itself, and that is all.
 */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sha256 } from '../io/sha256.js';
import type { SessionState } from '../retrieval/request.js';
import { isSessionState } from '../retrieval/session.js';

/** A session that has not searched for so long is over. */
const SESSION_LIFE_MS = 6 * 3600_000;
const LARGEST_STATE = 1 << 20;

/** Start time of a process in clock ticks since boot: with the pid it names a process for good. */
export function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}

/** File name for a session: the caller's own name for it, else the agent's process; of one index. */
export function sessionFile(
  folder: string,
  index: string,
  name: string | undefined,
  agent: number,
): string | undefined {
  const owner = name ? `name ${name}` : agent > 0 ? `process ${agent} ${startOf(agent) ?? ''}` : undefined;
  if (owner === undefined) return undefined;
  const hash = sha256(`${index}\0${owner}`).slice(0, 24);
  return join(folder, 'sessions', `${hash}.json`);
}

export function readSession(file: string): SessionState | undefined {
  try {
    const stat = statSync(file);
    if (stat.size > LARGEST_STATE || Date.now() - stat.mtimeMs > SESSION_LIFE_MS) return undefined;
    const state: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return isSessionState(state) ? state : undefined;
  } catch {
    return undefined;
  }
}

/** Replaces the state in one step; of two searches at once the later one wins. */
export function writeSession(file: string, state: SessionState): void {
  attempt(() => {
    const fresh = mkdirSync(dirname(file), { recursive: true, mode: 0o700 }) !== undefined;
    const temporary = `${file}.${process.pid}`;
    try {
      writeFileSync(temporary, JSON.stringify(state), { mode: 0o600 });
      renameSync(temporary, file);
    } catch (error) {
      rmSync(temporary, { force: true });
      throw error;
    }
    if (!fresh && state.searches === 1) removeOld(dirname(file));
  });
}

function removeOld(folder: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    attempt(() => {
      if (Date.now() - statSync(path).mtimeMs > SESSION_LIFE_MS) rmSync(path, { force: true });
    });
  }
}

/**
 * Claims the block of a top-level command: false where another search of the same command has had it. `key` is
 * `pid-start`, as the launcher computes it.
 */
export function claimCommand(folder: string, key: string): boolean {
  const commands = join(folder, 'commands');
  try {
    mkdirSync(commands, { recursive: true, mode: 0o700 });
    writeFileSync(join(commands, key), '', { flag: 'wx', mode: 0o600 });
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'EEXIST';
  }
  attempt(() => {
    for (const name of readdirSync(commands)) {
      const [pid = '', start = ''] = name.split('-');
      if (startOf(Number(pid)) !== start) rmSync(join(commands, name), { force: true });
    }
  });
  return true;
}

/** A shell that reads its commands one after the other outlives them: its life is not that of one command. */
export function outlivesCommands(pid: number): boolean {
  try {
    const [, ...args] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1);
    return args.every((arg) => /^[-+]/.test(arg) && !/^-[a-z]*c/.test(arg));
  } catch {
    return false;
  }
}

function attempt(step: () => void): void {
  try {
    step();
  } catch {
    // See the head of this file.
  }
}
