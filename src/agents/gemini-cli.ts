/** Gemini CLI. Its shell tool runs what PATH has; its search tool calls ripgrep with --json and parses that. */
import type { Agent } from './agent.js';
import { additionalContext, readToolEvent } from './tool-event.js';

const SHELLS = new Set(['run_shell_command']);
const SEARCHES = new Set(['grep_search', 'search_file_content']);
const EVENT = 'AfterTool';

export const geminiCli: Agent = {
  name: 'gemini-cli',
  title: 'Gemini CLI',
  programs: ['gemini'],
  shell: { argv: ['bash', '-c'], env: { GEMINI_CLI: '1' }, output: 'pipe' },
  hook: {
    read: (event) => readToolEvent(event, SHELLS, SEARCHES),
    answer: (text) => additionalContext(EVENT, text),
    install: {
      kind: 'settings',
      event: EVENT,
      matcher: '^(run_shell_command|grep_search|search_file_content)$',
      entry: { name: 'sidecar', timeout: 10_000 },
      userFile: '.gemini/settings.json',
      projectFile: '.gemini/settings.json',
    },
  },
};
