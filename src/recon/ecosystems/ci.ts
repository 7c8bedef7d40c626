/** Continuous integration: what is really run. GitHub Actions, GitLab, CircleCI, Travis, Azure, AppVeyor, Cirrus, Drone. */
import { at, entriesOf, itemsOf, type Tree, textOf } from '../parsing/tree.js';
import { parseYaml } from '../parsing/yaml.js';
import { folderOf, joinPath, nameOf } from '../repository.js';
import type { Claim, Ecosystem } from './claim.js';
import { parsedNotes } from './notes.js';

const GITHUB = /(^|\/)\.github\/(workflows\/[^/]+|actions\/.+\/action)\.ya?ml$/;
const OTHERS =
  /^(\.gitlab-ci\.yml|\.travis\.yml|azure-pipelines[\w.-]*\.ya?ml|\.?appveyor\.yml|\.cirrus\.ya?ml|\.drone\.yml|bitbucket-pipelines\.yml|buildspec\.yml)$/;

/** Keys whose text is a shell script, in any of these systems. */
const SCRIPT_KEYS = new Set(
  'run script before_script after_script command commands bash install before_install test_script build_script'.split(
    ' ',
  ),
);

/** The commands of a script: one a line, continued lines joined, comments and control words left out. */
function linesOf(script: string, first: number): { readonly text: string; readonly line: number }[] {
  const found: { text: string; line: number }[] = [];
  let pending = '';
  let start = first;
  script.split('\n').forEach((raw, i) => {
    if (pending === '') start = first + i;
    const line = raw.trim();
    if (line.endsWith('\\')) {
      pending += `${line.slice(0, -1).trim()} `;
      return;
    }
    const text = (pending + line)
      .replace(/^(if|then|else|elif|while|do)\s+/, '')
      .replace(/;\s*then$/, '')
      .trim();
    pending = '';
    if (text !== '' && !text.startsWith('#') && !/^(fi|done|else|esac|set\s|echo\s|cd\s[^&;]*$|export\s)/.test(text))
      found.push({ text, line: start });
  });
  return found;
}

function scripts(tree: Tree, lines: readonly string[], folder: string, depth: number): Claim[] {
  if (depth > 12) return [];
  const claims: Claim[] = [];
  const given =
    textOf(at(tree, 'working-directory')) ??
    textOf(at(tree, 'defaults', 'run', 'working-directory')) ??
    textOf(at(tree, 'workingDirectory')) ??
    textOf(at(tree, 'working_directory'));
  const here = given === undefined || given.includes('$') ? folder : (joinPath('', given) ?? folder);
  for (const [key, value] of entriesOf(tree)) {
    if (SCRIPT_KEYS.has(key)) {
      for (const item of itemsOf(value)) {
        const text = textOf(item);
        if (text === undefined) continue;
        // The line of a block scalar is that of its key or of `- |`; its text begins one below.
        const block = /[|>][+-]?\d?\s*(#.*)?$/.test(lines[item.line - 1] ?? '');
        for (const command of linesOf(text, item.line + (block ? 1 : 0))) {
          claims.push({ kind: 'command', source: 'ci', ...command, ...(here === '' ? {} : { folder: here }) });
        }
      }
    }
    if (value.entries || value.items) claims.push(...scripts(value, lines, here, depth + 1));
  }
  for (const item of tree.items ?? []) claims.push(...scripts(item, lines, here, depth + 1));
  return claims;
}

export const ci: Ecosystem = {
  id: 'ci',
  matches: (path) =>
    GITHUB.test(path) ||
    /(^|\/)\.circleci\/config\.yml$/.test(path) ||
    (folderOf(path) === '' && OTHERS.test(nameOf(path))),
  read(_path, text) {
    const { tree, problem } = parseYaml(text);
    return [...parsedNotes(problem), ...scripts(tree, text.split('\n'), '', 0)];
  },
};
