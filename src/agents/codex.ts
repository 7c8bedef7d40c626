/**
 * Codex. Its login shell resets PATH, and it puts a folder with its own rg first: a script named by BASH_ENV, which
 * bash reads after both, has the last word.
 */
import type { Agent } from './agent.js';
import { additionalContext, readToolEvent } from './tool-event.js';

const SHELLS = new Set(['Bash', 'shell', 'local_shell', 'exec_command', 'shell_command']);
const EVENT = 'PostToolUse';

export const codex: Agent = {
  name: 'codex',
  title: 'Codex',
  programs: ['codex'],
  shell: { argv: ['bash', '-lc'], env: { CODEX_CI: '1' }, output: 'pipe' },
  hook: {
    read: (event) => readToolEvent(event, SHELLS, new Set()),
    answer: (text) => additionalContext(EVENT, text),
    install: {
      kind: 'settings',
      event: EVENT,
      matcher: 'Bash',
      entry: { timeout: 10 },
      userFile: '.codex/hooks.json',
      userFolderVariable: 'CODEX_HOME',
      projectFile: '.codex/hooks.json',
      note: 'Codex runs a new hook only after you have trusted it: open /hooks in Codex once.',
    },
  },
  extras: ({ bashScript }) => ({
    bashEnv: bashScript,
    args: ['-c', `shell_environment_policy.set.BASH_ENV=${JSON.stringify(bashScript)}`],
  }),
};
