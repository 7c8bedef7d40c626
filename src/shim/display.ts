/** Paths as the agent sees them in the output of its search. */
import { join, relative } from 'node:path';

/**
 * A function from repository paths to what the agent can open: relative to the folder that it searched in, or
 * absolute. Retrieval asks for the same paths many times while it fills its budget.
 */
export function displayFrom(root: string, folder: string, absolute: boolean): (path: string) => string {
  if (folder === root && !absolute) return (path) => path;
  const known = new Map<string, string>();
  return (path) => {
    let shown = known.get(path);
    if (shown === undefined) {
      shown = absolute ? join(root, path) : relative(folder, join(root, path));
      known.set(path, shown);
    }
    return shown;
  };
}
