/** Files of named tasks: Makefile, Taskfile.yml, justfile. */
import { at, entriesOf, itemsOf, textOf } from '../parsing/tree.js';
import { parseYaml } from '../parsing/yaml.js';
import { nameOf } from '../repository.js';
import type { Claim, Ecosystem } from './claim.js';
import { parsedNotes } from './notes.js';

const MOST_LINES = 12;

/** Recipes by indentation: `name: prerequisites`, then indented lines. Shared by make and just. */
function recipes(text: string, header: RegExp, runner: 'make' | 'just'): Claim[] {
  const claims: Claim[] = [];
  const seen = new Set<string>();
  const lines = text.split('\n');
  lines.forEach((line, i) => {
    const names = header.exec(line)?.[1]?.trim().split(/\s+/) ?? [];
    const runs: string[] = [];
    for (
      let j = i + 1;
      j < lines.length && /^(\t| {2,})\s*\S/.test(lines[j] ?? '') && runs.length < MOST_LINES;
      j += 1
    ) {
      runs.push(
        (lines[j] ?? '')
          .trim()
          .replace(/^[@-]+\s*/, '')
          .replace(/\\$/, '')
          .trim(),
      );
    }
    for (const name of names) {
      if (name.startsWith('.') || /[%$()/{}=]/.test(name) || seen.has(name)) continue;
      seen.add(name);
      claims.push({ kind: 'task', runner, name, runs, line: i + 1 });
    }
  });
  return claims;
}

export const taskFiles: Ecosystem = {
  id: 'tasks',
  matches: (path) => /^(GNUmakefile|[Mm]akefile|[Tt]askfile\.ya?ml|\.?[Jj]ustfile)$/.test(nameOf(path)),
  read(path, text) {
    const name = nameOf(path).toLowerCase();
    if (name.endsWith('makefile')) return recipes(text, /^([A-Za-z0-9][\w ./-]*?)\s*::?(?!=)/, 'make');
    if (name.endsWith('justfile')) return recipes(text, /^@?([A-Za-z_][\w-]*)(?:\s+[^:=]*)?:(?!=)/, 'just');
    const { tree, problem } = parseYaml(text);
    const claims = parsedNotes(problem);
    for (const [task, body] of entriesOf(at(tree, 'tasks'))) {
      const list = at(body, 'cmds') ?? at(body, 'cmd') ?? body;
      const runs = itemsOf(list).flatMap((item) => textOf(item) ?? textOf(at(item, 'cmd')) ?? []);
      claims.push({ kind: 'task', runner: 'task', name: task, runs, line: body.line });
    }
    return claims;
  },
};
