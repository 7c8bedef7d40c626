/** Where the launchers and the real tools are, for the commands that put one before the other. */
import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { environmentFor } from '../shim/environment.js';

/** The folder of the launchers of this installation. */
export const shimsFolder = (): string => realpathSync(fileURLToPath(new URL('../../shims', import.meta.url)));

/** The compiled main.js of this installation. */
export const mainScript = (): string =>
  join(realpathSync(fileURLToPath(new URL('../..', import.meta.url))), 'dist/cli/main.js');

/** The first executable of that name on PATH that is no launcher of ours. */
export function findOnPath(name: string, path: string, shims: string): string | undefined {
  for (const folder of path.split(delimiter)) {
    if (folder === '' || folder === shims) continue;
    const candidate = join(folder, name);
    try {
      accessSync(candidate, constants.X_OK);
      if (statSync(candidate).isFile() && !realpathSync(candidate).startsWith(shims)) return candidate;
    } catch {
      // Not there: look further.
    }
  }
  return undefined;
}

/** The variables that send the searches of a process and its children through the launchers. */
export function launcherEnvironment(env: NodeJS.ProcessEnv): ReturnType<typeof environmentFor> {
  const shims = shimsFolder();
  const path = env.PATH ?? '';
  const realRg = findOnPath('rg', path, shims);
  const realGrep = findOnPath('grep', path, shims);
  return environmentFor({
    path,
    shims,
    node: process.execPath,
    ...(realRg === undefined ? {} : { realRg }),
    ...(realGrep === undefined ? {} : { realGrep }),
  });
}
