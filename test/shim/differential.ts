/** Runs a generated command line with and without the shim, and says how the two differ. */
import { closeSync, openSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type Case, caseOf } from './command-lines.js';
import type { Ran, Stage } from './stage.js';

/** Files that make searches interesting: binary, Latin-1, odd names, a link, files of patterns and flags. */
export function furnish(stage: Stage): void {
  stage.file('binary', Buffer.from('foo\0bar\nfoo\n'));
  stage.file('latin', Buffer.from('foo caf\xe9 bar\n', 'latin1'));
  stage.file('with space.txt', 'foo bar\nx y\n');
  stage.file('-dash', 'bar foo\n');
  stage.file('patterns', 'foo\nbar\n');
  stage.file('rgconfig', '# comment\n--smart-case\n\n  --hidden\n');
  stage.file('rgformat', '--files-with-matches\n');
  symlinkSync('a.py', join(stage.repository, 'link'));
}

async function runCase(stage: Stage, one: Case, env: NodeJS.ProcessEnv, name: string): Promise<Ran> {
  const output = join(stage.base, `output-${name}`);
  const file = one.oneFile ? openSync(output, 'w') : undefined;
  const input = one.stdin === 'null' ? 'ignore' : openSync(join(stage.repository, 'a.py'), 'r');
  const argv = one.stdin === 'pipe' ? ['bash', '-c', 'cat | "$@"', 'bash', ...one.argv] : one.argv;
  try {
    const ran = await stage.run(
      argv,
      { ...env, ...one.environment, OUT: `${output}-out` },
      {
        stdio: [input, file ?? 'pipe', file ?? 'pipe'],
      },
    );
    return file === undefined ? ran : { ...ran, stdout: readFileSync(output) };
  } finally {
    if (file !== undefined) closeSync(file);
    if (typeof input === 'number') closeSync(input);
    for (const path of [output, `${output}-out`]) rmSync(path, { force: true });
  }
}

/** The output without the blocks that the shim may put after a search. */
function withoutBlocks(output: Buffer): string {
  return output.toString('latin1').replaceAll(/^\[Block\] [^\n]*\n/gm, '');
}

export interface Difference {
  readonly seed: number;
  readonly one: Case;
  readonly raw: Ran;
  readonly shim: Ran;
}

/** Undefined where nobody could tell the difference but for the block. */
export async function differs(stage: Stage, seed: number, shells: readonly string[]): Promise<Difference | undefined> {
  const one = caseOf(seed, shells);
  const name = String(seed);
  const raw = await runCase(stage, one, stage.real, name);
  const before = readdirSync(stage.repository).join('\n');
  const shim = await runCase(stage, one, stage.shimmed, name);
  const same =
    raw.stdout.toString('latin1') === withoutBlocks(shim.stdout) &&
    raw.stderr.equals(shim.stderr) &&
    raw.status === shim.status &&
    raw.signal === shim.signal &&
    before === readdirSync(stage.repository).join('\n');
  return same ? undefined : { seed, one, raw, shim };
}

/** One line for each stream, for a person to look at. */
export function describeDifference({ seed, one, raw, shim }: Difference): string {
  const show = (ran: Ran): string =>
    `${JSON.stringify(ran.stdout.toString())} ${JSON.stringify(ran.stderr.toString())} ${ran.status} ${ran.signal}`;
  return `seed ${seed}: ${JSON.stringify(one)}\n  raw  ${show(raw)}\n  shim ${show(shim)}`;
}
