// Processor time (user and system, children included) of commands that are run in turns: tells a change of the code from
// a slow hour of the machine, as wall time does not. After `npm run build`:
//   node bench/processor-time.mjs [--runs 15] [--cwd FOLDER] COMMAND...
// Each COMMAND is one argument, run by bash; the variable RUN is the number of the run, for commands that edit something.
import { spawnSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { quantile } from './whole-process.mjs';

/** Milliseconds of processor time of one command. */
export function processorTime(command, { cwd, env = process.env, run = 0 } = {}) {
  const script = 'TIMEFORMAT="%3U %3S"; { time eval "$COMMAND" >/dev/null 2>&1 3>&1; } 2>&1';
  const ran = spawnSync('bash', ['-c', script], {
    cwd,
    encoding: 'utf8',
    env: { ...env, COMMAND: command, RUN: String(run), LC_ALL: 'C' },
  });
  const [user, system] = ran.stdout.trim().split('\n').at(-1).split(' ').map(Number);
  return (user + system) * 1000;
}

/** Minimum and median of each command, measured in turns. */
export function inTurns(commands, runs, options) {
  const times = commands.map(() => []);
  for (let run = 0; run < runs; run += 1) {
    for (const [at, command] of commands.entries()) times[at].push(processorTime(command, { ...options, run }));
  }
  return times.map((list) => ({ least: Math.min(...list), median: quantile(list, 0.5) }));
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { runs: { type: 'string', default: '15' }, cwd: { type: 'string' } },
  });
  const results = inTurns(positionals, Number(values.runs), values.cwd ? { cwd: values.cwd } : {});
  console.log('| processor time, ms: least | median | command |\n| --- | --- | --- |');
  for (const [at, { least, median }] of results.entries()) {
    console.log(`| ${least.toFixed(0)} | ${median.toFixed(0)} | \`${positionals[at]}\` |`);
  }
}
