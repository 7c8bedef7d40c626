/** `sidecar run -- COMMAND`: an agent with the launchers on its PATH, and an index to answer from. */
import { constants } from 'node:os';
import { execa } from 'execa';
import { SidecarError } from '../errors.js';
import { readIndex } from '../io/index-folder.js';
import { extrasFor } from './agent-extras.js';
import { runAlign } from './align.js';
import { type CommonOptions, locate, type Streams } from './context.js';
import { launcherEnvironment } from './environment.js';

/**
 * Builds the index where there is none, then becomes (as far as Node can) the command: same descriptors, its exit
 * status, 128 + the number of the signal that ended it.
 */
export async function runCommand(
  command: readonly string[],
  options: CommonOptions,
  streams: Streams,
): Promise<number> {
  const [program, ...args] = command;
  if (program === undefined) {
    throw new SidecarError('nothing to run', 'no command was given', 'use: sidecar run -- COMMAND ARGUMENTS');
  }
  const { folder, target } = await locate(streams, options);
  if (!readIndex(folder)) {
    if (!options.quiet) streams.error('sidecar: no index yet, building it\n');
    // An align, since a new worktree can start from the index of another one.
    await runAlign({ ...options, quiet: true }, streams);
  }
  const extras = extrasFor(command, streams.env, target.root);
  const env = { ...streams.env, ...Object.fromEntries(launcherEnvironment(streams.env)), ...extras?.env };
  if (options.indexDir !== undefined) env.SIDECAR_INDEX_DIR = folder;
  const child = execa(program, [...(extras?.args ?? []), ...args], {
    cwd: streams.cwd,
    env,
    extendEnv: false,
    stdio: 'inherit',
    reject: false,
    // It gets the signals that we get, and no others.
    cleanup: false,
    forceKillAfterDelay: false,
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.removeAllListeners(signal);
    process.on(signal, () => child.kill(signal));
  }
  const { exitCode, signal, code, originalMessage } = await child;
  if (exitCode !== undefined) return exitCode;
  if (signal !== undefined) return 128 + constants.signals[signal as NodeJS.Signals];
  throw new SidecarError(
    `cannot run ${program}`,
    code === 'ENOENT' ? 'there is no such program on PATH' : (originalMessage ?? 'it did not start'),
    'check its name',
  );
}
