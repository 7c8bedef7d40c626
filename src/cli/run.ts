/** `sidecar run -- COMMAND`: an agent with the launchers on its PATH, and an index to answer from. */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
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
  const child = spawn(program, [...(extras?.args ?? []), ...args], { cwd: streams.cwd, env, stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.removeAllListeners(signal);
    process.on(signal, () => child.kill(signal));
  }
  return new Promise((done, fail) => {
    child.on('error', (error: NodeJS.ErrnoException) =>
      fail(
        new SidecarError(
          `cannot run ${program}`,
          error.code === 'ENOENT' ? 'there is no such program on PATH' : error.message,
          'check its name',
        ),
      ),
    );
    child.on('exit', (code, signal) => done(code ?? 128 + (signal ? constants.signals[signal] : 0)));
  });
}
