/** The index of an instance's base commit, made by the command line tool and kept without its builder's store. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { STORE_FOLDER } from '../../src/sidecars/layout.js';

/**
 * Builds the index of `commit` of the repository at `gitDir` and copies what a search reads to `target`. Facts
 * are shared between the commits of one repository (below `work`).
 */
export function indexAtCommit(cli: string, gitDir: string, commit: string, work: string, target: string): void {
  mkdirSync(work, { recursive: true });
  execFileSync('node', [cli, 'build', gitDir, '--commit', commit, '--workers', '1', '--quiet'], {
    env: { ...process.env, XDG_CACHE_HOME: work },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const home = join(work, 'sidecar');
  const index = readdirSync(home).find((name) => existsSync(join(home, name, 'index.json')));
  if (index === undefined) throw new Error(`no index below ${home}`);
  const part = `${target}.part`;
  rmSync(part, { recursive: true, force: true });
  cpSync(join(home, index), part, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => basename(path) !== STORE_FOLDER || path.includes('/files/'),
  });
  renameSync(part, target);
}
