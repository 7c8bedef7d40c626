/** The index of an instance's base commit, made by the command line tool and kept without its builder's store. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { STORE_FOLDER } from '../../src/sidecars/layout.js';

const BUILDERS = new Set([STORE_FOLDER, 'facts', 'lock']);

/**
 * Builds the index of `commit` of the repository at `gitDir` and copies what a search reads to `target`. Facts
 * are shared between the commits of one repository (below `work`).
 */
export function indexAtCommit(cli: string, gitDir: string, commit: string, work: string, target: string): void {
  mkdirSync(work, { recursive: true });
  const index = join(work, 'index');
  const args = ['build', gitDir, '--commit', commit, '--index-dir', index, '--workers', '1', '--quiet'];
  execFileSync('node', [cli, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
  const part = `${target}.part`;
  rmSync(part, { recursive: true, force: true });
  cpSync(index, part, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => path.includes('/files/') || !BUILDERS.has(basename(path)),
  });
  renameSync(part, target);
}
