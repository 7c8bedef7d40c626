/**
 * The evidence side of an augmented search, started by the launcher beside the real tool. Reads the evidence run
 * from stdin, prepares the block, waits until the launcher says that the search ended well, and writes the block to
 * descriptor 3, the search's own stdout. Whatever goes wrong means silence.
 *
 * Arguments: tool, pids of the launcher, of the real tool and of the agent, folder for session files, key of the top-level command
 * or '', then the command line.
 */
import { appendFileSync, existsSync, readdirSync, readlinkSync, read as readRaw, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { keepNow } from '../io/code-cache.js';
import { alignInBackground } from './background-align.js';
import { readCommandLine } from './command-line.js';
import type { Tool } from './flags.js';
import { indexedTreeAbove } from './locate.js';
import { readMatches } from './matches.js';
import { DiskReader } from './reader.js';
import { blockOfSearch, numberFrom } from './search-block.js';
import { claimCommand, outlivesCommands, readSession, sessionFile, startOf, writeSession } from './session-store.js';

/** After the search ended: later than this, nothing is said. */
const DEADLINE_MS = numberFrom(process.env.SIDECAR_DEADLINE) ?? 200;

/** A result of more bytes than this is not one that anybody reads: no block, whatever came first. */
const LARGEST_RESULT = 8 << 20;

/** How often the launcher is looked at while there is something else to do, and while there is not. */
const WATCH_MS = 5;
const WAIT_MS = 1;

/** A run that goes on for so long after its first matches is likely to take longer than a rehearsal. */
const REHEARSAL_AFTER_MS = 10;

const BLOCK_DESCRIPTOR = 3;

const [tool, launcherPid, realPid, agentPid, runFolder, commandKey, ...args] = process.argv.slice(2) as [
  Tool,
  ...string[],
];
const launcher = Number(launcherPid);
const started = process.hrtime.bigint();
const realStart = startOf(Number(realPid));

// The launcher sees this name in /proc and leaves the deadline to us.
process.title = 'sidecar';

/** The fastest end there is: nothing has to be cleaned up, and a normal exit of Node takes milliseconds. */
function end(): never {
  keepNow();
  process.kill(process.pid, 'SIGKILL');
  for (;;) pause(1000);
}

function log(decision: 'block' | 'none', why: string, more: object = {}): void {
  const file = process.env.SIDECAR_LOG;
  if (!file) return;
  const milliseconds = Number((process.hrtime.bigint() - started) / 10_000n) / 100;
  try {
    appendFileSync(file, `${JSON.stringify({ tool, decision, why, ...more, milliseconds })}\n`);
  } catch {
    // A log that cannot be written must not cost the search anything.
  }
}

function quit(why: string): never {
  log('none', why);
  end();
}

function pause(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

/** Who writes into our stdin: the evidence run. */
function evidencePids(): number[] {
  const pids: number[] = [];
  try {
    const pipe = readlinkSync('/proc/self/fd/0');
    for (const name of readdirSync('/proc')) {
      if (!/^\d+$/.test(name) || Number(name) === process.pid) continue;
      try {
        if (readlinkSync(`/proc/${name}/fd/1`) === pipe) pids.push(Number(name));
      } catch {
        // Not ours to look at, or gone.
      }
    }
  } catch {
    // Without /proc nobody is found, and the end of our stdin ends the run at its next line.
  }
  return pids;
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // Already gone.
  }
}

/** The launcher was killed in a way that it could not pass on: the real tool would be dead now, so it dies. */
function endOrphaned(): never {
  if (realStart !== undefined && startOf(Number(realPid)) === realStart) kill(Number(realPid));
  for (const pid of evidencePids()) kill(pid);
  end();
}

let searchEnded: bigint | undefined;

/** Looks at the launcher: gone, ended well (its descriptor 8 is open), or late. */
function watch(): void {
  if (process.ppid !== launcher) endOrphaned();
  if (searchEnded === undefined && existsSync(`/proc/${launcher}/fd/8`)) searchEnded = process.hrtime.bigint();
  if (searchEnded !== undefined && process.hrtime.bigint() - searchEnded > BigInt(DEADLINE_MS) * 1_000_000n) {
    quit('late');
  }
}

/**
 * All of stdin, without keeping the event loop from watching. `waiting` gets what there is when the first matches have
 * come and the run goes on.
 */
function readResult(waiting: (soFar: Buffer) => void, done: (result: Buffer) => void): void {
  const chunks: Buffer[] = [];
  let size = 0;
  let timer: NodeJS.Timeout | undefined;
  const next = (): void => {
    const chunk = Buffer.allocUnsafe(1 << 16);
    readRaw(0, chunk, 0, chunk.length, null, (error, length) => {
      if (error || length === 0) {
        clearTimeout(timer);
        return done(Buffer.concat(chunks));
      }
      timer ??= setTimeout(() => waiting(Buffer.concat(chunks)), REHEARSAL_AFTER_MS);
      chunks.push(chunk.subarray(0, length));
      size += length;
      if (size > LARGEST_RESULT) quit('too-many-matches');
      next();
    });
  };
  next();
}

/** All or nothing where the descriptor allows it; a reader that has gone is no error. */
function write(text: string): void {
  const bytes = Buffer.from(text);
  let at = 0;
  while (at < bytes.length) {
    try {
      at += writeSync(BLOCK_DESCRIPTOR, bytes, at);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return;
      if (at === 0) watch();
      pause(WAIT_MS);
    }
  }
}

function main(): void {
  const folder = process.cwd();
  const tree = indexedTreeAbove(folder, process.env);
  if (!tree) quit('no-index');
  const reader = DiskReader.open(tree.index);
  if (!reader) quit('unusable-index');
  const sessionPath = sessionFile(runFolder ?? '', tree.index, process.env.SIDECAR_SESSION, Number(agentPid));
  const session = sessionPath === undefined ? undefined : readSession(sessionPath);
  const { patterns } = readCommandLine(tool, args);
  const blockOf = (output: Buffer) =>
    blockOfSearch({
      tree,
      folder,
      matches: readMatches(output),
      patterns,
      env: process.env,
      reader,
      ...(session === undefined ? {} : { session }),
    });
  const watching = setInterval(watch, WATCH_MS);
  // While the run goes on there is time: a first block, thrown away, leaves the code warm and the sidecars read, which
  // makes the second one several times faster.
  const rehearse = (soFar: Buffer): void => {
    void blockOf(soFar);
  };
  readResult(rehearse, async (output) => {
    clearInterval(watching);
    watch();
    const result = await blockOf(output);
    if (!result) quit('no-anchor');
    while (searchEnded === undefined) {
      pause(WAIT_MS);
      watch();
    }
    if (result.text !== '') {
      watch();
      const claimed =
        !commandKey || outlivesCommands(Number(commandKey.split('-')[0])) || claimCommand(runFolder ?? '', commandKey);
      if (!claimed) quit('repeated');
      write(result.text);
    }
    if (sessionPath !== undefined) writeSession(sessionPath, result.session);
    if (result.described) {
      const entry = join(dirname(process.argv[1] ?? ''), '../cli/main.js');
      await alignInBackground({ tree, ...result.described, main: entry, env: process.env });
    }
    const { decision, ...numbers } = result.log;
    log(result.text === '' ? 'none' : 'block', decision, { ...numbers, shown: result.shown });
    end();
  });
}

// Asynchronous steps throw past the try below.
process.on('uncaughtException', (error) => {
  log('none', 'error', { message: String(error) });
  end();
});
try {
  main();
} catch (error) {
  log('none', 'error', { message: String(error) });
  end();
}
