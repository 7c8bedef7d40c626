/** `sidecar shellenv`: shell code that puts the launchers first on PATH. */
import { shellCode } from '../shim/environment.js';
import type { CommonOptions, ExitCode, Streams } from './context.js';
import { launcherEnvironment } from './environment.js';

export async function runShellenv(options: CommonOptions, streams: Streams): Promise<ExitCode> {
  const variables = launcherEnvironment(streams.env);
  streams.out(options.json ? `${JSON.stringify(Object.fromEntries(variables))}\n` : shellCode(variables));
  return 0;
}
