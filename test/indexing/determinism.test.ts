/** Two builds of one tree write the same bytes, whatever the number of workers. Runs the compiled command: threads need it. */
import { execFileSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { differences } from '../../src/io/compare-generations.js';
import { currentGeneration } from '../../src/io/index-folder.js';
import { WorkTree } from '../support/work-tree.js';

const COMMAND = resolve('dist/cli/main.js');
let tree: WorkTree;

/** Builds into a folder of its own and returns the published generation. */
function built(name: string, workers: number): string {
  const index = join(tree.base, name);
  execFileSync(
    process.execPath,
    [COMMAND, 'build', '.', '--quiet', '--index-dir', index, '--workers', String(workers)],
    { cwd: tree.root, stdio: 'pipe' },
  );
  return currentGeneration(index) ?? 'nothing was published';
}

beforeAll(() => {
  tree = new WorkTree();
  cpSync('fixtures', tree.root, { recursive: true });
  tree.commit('all fixtures');
  tree.write('python/roots/later.py', 'def later():\n    return 1\n');
  tree.commit('one more');
});

afterAll(() => tree.dispose());

it('writes the same bytes twice and with any number of workers', () => {
  const first = built('first', 1);
  expect(differences(first, built('again', 1), false)).toEqual([]);
  expect(differences(first, built('two', 2), false)).toEqual([]);
  expect(differences(first, built('five', 5), false)).toEqual([]);
}, 300_000);
