/** The shim against the real tool on generated command lines. `SIDECAR_CASES` runs more of them. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeDifference, differs, furnish } from './differential.js';
import { installed, processesNaming, Stage } from './stage.js';

const CASES = Number(process.env.SIDECAR_CASES ?? 2000);
const FIRST = Number(process.env.SIDECAR_FIRST_CASE ?? 1);
const AT_ONCE = 3;
const SHELLS = ['bash', 'bash', 'sh', 'dash', 'zsh'].filter(installed);

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
  furnish(stage);
}, 60_000);
afterAll(() => stage.close());

it(`nobody can tell the difference on ${CASES} command lines`, { timeout: CASES * 400 + 60_000 }, async () => {
  const differences: string[] = [];
  let next = FIRST;
  const worker = async (): Promise<void> => {
    while (next < FIRST + CASES && differences.length < 10) {
      const seed = next;
      next += 1;
      const difference = await differs(stage, seed, SHELLS);
      if (difference) differences.push(describeDifference(difference));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  expect(differences.join('\n')).toBe('');
  // The comparison is worth something only where both ways were taken.
  const log = readFileSync(stage.log, 'utf8');
  expect(log.split('"block"').length).toBeGreaterThan(CASES / 20);
  expect(log.split('"exec"').length).toBeGreaterThan(CASES / 4);
  expect(processesNaming(stage.base)).toEqual([]);
});
