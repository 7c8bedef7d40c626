/** Commands in this process, over a work tree of their own: what a user would see, and the exit code. */
import { join } from 'node:path';
import { runAlign } from '../../src/cli/align.js';
import { runAsk } from '../../src/cli/ask.js';
import { runBuild } from '../../src/cli/build.js';
import type { Streams } from '../../src/cli/context.js';
import { runShow } from '../../src/cli/show.js';
import { runStatus } from '../../src/cli/status.js';
import { SidecarError } from '../../src/errors.js';

export interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly error: string;
}

const COMMANDS = {
  build: (args: object, streams: Streams) => runBuild({ workers: 1, ...args }, streams),
  align: (args: object, streams: Streams) => runAlign({ workers: 1, ...args }, streams),
  status: (args: object, streams: Streams) => runStatus(args, streams),
  show: ({ file = '', ...args }: { file?: string }, streams: Streams) => runShow(file, args, streams),
  ask: (args: object, streams: Streams) => runAsk({ question: [], ...args }, streams),
};

/**
 * Runs a command in `cwd`. Indexes go to `cwd`/../cache unless `env` says otherwise.
 * Errors that are not meant for users are thrown.
 */
export async function sidecar(
  command: keyof typeof COMMANDS,
  cwd: string,
  args: object = {},
  env: NodeJS.ProcessEnv = { XDG_CACHE_HOME: join(cwd, '..', 'cache') },
): Promise<Outcome> {
  let out = '';
  let error = '';
  const streams: Streams = {
    out: (text) => {
      out += text;
    },
    error: (text) => {
      error += text;
    },
    interactive: false,
    colour: false,
    cwd,
    env,
  };
  try {
    return { code: await COMMANDS[command](args, streams), out, error };
  } catch (thrown) {
    if (!(thrown instanceof SidecarError)) throw thrown;
    return { code: 2, out, error: `${error}sidecar: ${thrown.message}\n` };
  }
}
