/** Where the index of a work tree lies. Shared by the builder, the shim and the hooks, so it imports almost nothing. */
import { basename, join } from 'node:path';
import { sha256 } from './sha256.js';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The folder that holds every index of this user: `$XDG_CACHE_HOME/sidecar`, else `~/.cache/sidecar`; undefined
 * where neither variable is set. A relative XDG_CACHE_HOME counts as unset, as the XDG specification says.
 */
export function cacheRoot(env: Environment): string | undefined {
  const home = env.HOME;
  const cache = env.XDG_CACHE_HOME;
  if (cache?.startsWith('/')) return join(cache, 'sidecar');
  return home ? join(home, '.cache', 'sidecar') : undefined;
}

/** Folder of compiled code within the cache root. No index has a name like it: the launchers look for `<name>-*`. */
export const CODE_FOLDER = '.code';

/**
 * The index directory of a work tree, given by its real path (no symbolic links in it): `$SIDECAR_INDEX_DIR` as it
 * is, else `<cache root>/<name>-<first 12 hex digits of the SHA-256 of the path>`. The readable name comes first so
 * that the launchers, which cannot hash, rule most folders out by their name alone.
 *
 * Throws where no cache folder can be named (neither HOME nor XDG_CACHE_HOME).
 */
export function indexDirFor(workTree: string, env: Environment): string {
  if (env.SIDECAR_INDEX_DIR) return env.SIDECAR_INDEX_DIR;
  const root = cacheRoot(env);
  if (!root) throw new Error('no place for an index: neither HOME nor XDG_CACHE_HOME is set');
  const hash = sha256(workTree).slice(0, 12);
  return join(root, `${basename(workTree)}-${hash}`);
}
