/** Qwen Code. Like Gemini CLI, with the hook events of Claude Code. */
import type { Agent } from './agent.js';
import { additionalContext, readToolEvent } from './tool-event.js';

const SHELLS = new Set(['run_shell_command', 'Bash', 'Shell']);
const SEARCHES = new Set(['grep_search', 'search_file_content', 'Grep']);
const EVENT = 'PostToolUse';

export const qwenCode: Agent = {
  name: 'qwen-code',
  title: 'Qwen Code',
  programs: ['qwen'],
  shell: { argv: ['bash', '-c'], env: { QWEN_CODE: '1' }, output: 'pipe' },
  hook: {
    read: (event) => readToolEvent(event, SHELLS, SEARCHES),
    answer: (text) => additionalContext(EVENT, text),
    install: {
      kind: 'settings',
      event: EVENT,
      matcher: '^(run_shell_command|grep_search|search_file_content)$',
      entry: { name: 'sidecar' },
      userFile: '.qwen/settings.json',
      projectFile: '.qwen/settings.json',
    },
  },
};
