#!/usr/bin/env node
/**
 * Asks the questions of battery.jsonl, whose answers were found without this project: definitions, calls and bases by
 * Python's `ast` and by `grep`, commands and settings by reading the manifests. A definition begins at its decorators;
 * calls inside strings that `grep` counted were taken out by hand.
 *
 *   node bench/recon/battery.mjs [--command dist/cli/main.js] REPOSITORIES
 *
 * Each question is a run of `sidecar ask --json`, on an index that is built for it.
 * REPOSITORIES holds one checkout per repository, by its name, at the commit of the questions. A question is right when
 * - defines: the first answer is the place (`at`);
 * - callers: every file of `at` is answered, and no line that is not in `at`;
 * - implements: every place of `at` is answered, and nothing else is called direct;
 * - tests-for: a file of `files` is the first answer;
 * - config: a place of `at` is the first answer;
 * - command: the first answer is one of `commands`. A first answer that is not is a wrong command, none is a miss.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  options: { command: { type: 'string', default: 'dist/cli/main.js' } },
  allowPositionals: true,
});

const here = fileURLToPath(new URL('.', import.meta.url));
const questions = readFileSync(join(here, 'battery.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));

const indexes = mkdtempSync(join(tmpdir(), 'sidecar-bench-'));

/** Runs the command in a repository, with an index of its own. */
function sidecar(folder, index, ...args) {
  return execFileSync(process.execPath, [resolve(values.command), ...args, '--index-dir', join(indexes, index)], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
}

const fileOf = (place) => place.slice(0, place.lastIndexOf(':'));

function judge({ kind, at = [], files = [], commands = [] }, { items }) {
  const places = items.map(({ path, line }) => `${path}:${line}`);
  switch (kind) {
    case 'callers': {
      const answered = new Set(items.map(({ path }) => path));
      return at.every((place) => answered.has(fileOf(place))) && places.every((place) => at.includes(place));
    }
    case 'implements': {
      const direct = items.filter(({ group }) => group === 'direct').map(({ path, line }) => `${path}:${line}`);
      return at.every((place) => direct.includes(place)) && direct.every((place) => at.includes(place));
    }
    case 'tests-for':
      return files.includes(items[0]?.path);
    case 'command':
      return items.length > 0 && commands.includes(items[0].what);
    default:
      return at.includes(places[0]);
  }
}

const tally = new Map();
let wrongCommands = 0;
let right = 0;
const indexed = new Set();
for (const question of questions) {
  const { repository, commit, kind, name } = question;
  const folder = join(positionals[0] ?? '.', repository.slice(repository.indexOf('/') + 1));
  const index = repository.replace('/', '+');
  if (!indexed.has(index)) {
    const head = execFileSync('git', ['-C', folder, 'rev-parse', 'HEAD'], { encoding: 'utf8' }).trim();
    if (head !== commit) throw new Error(`${repository} is at ${head}, the questions are of ${commit}`);
    sidecar(folder, index, 'build', '--quiet');
    indexed.add(index);
  }
  const answer = JSON.parse(sidecar(folder, index, 'ask', kind, name, '--json'));
  const good = judge(question, answer);
  if (kind === 'command' && !good && answer.items.length > 0) wrongCommands += 1;
  const count = tally.get(kind) ?? [0, 0];
  tally.set(kind, [count[0] + Number(good), count[1] + 1]);
  right += Number(good);
  if (good) continue;
  const said = answer.items.slice(0, 4).map(({ path, line, what }) => `${path}:${line} ${what}`);
  console.log(
    `${repository} ${kind} ${name}: wanted ${question.at ?? question.files ?? question.commands}; got ${said}`,
  );
}
console.log('\n| question | right | of |\n| --- | --- | --- |');
for (const [kind, [good, of]] of [...tally].sort()) console.log(`| ${kind} | ${good} | ${of} |`);
console.log(`| all | ${right} (${(right / questions.length).toFixed(3)}) | ${questions.length} |`);
console.log(`\nwrong commands: ${wrongCommands}`);
rmSync(indexes, { recursive: true });
