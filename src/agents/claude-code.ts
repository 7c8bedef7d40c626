/**
 * Claude Code. In its shell `grep` is a function over an embedded tool while `rg` is the one on PATH; its Grep tool
 * parses what ripgrep prints. A PostToolUse hook sees both.
 */
import type { Agent } from './agent.js';
import { additionalContext, readToolEvent } from './tool-event.js';

const SHELLS = new Set(['Bash']);
const SEARCHES = new Set(['Grep']);
const EVENT = 'PostToolUse';
const MATCHER = 'Bash|Grep';

/** A first argument like this may be one of its subcommands, before which options of a session do not belong. */
const SUBCOMMAND = /^[a-z][a-z-]*$/;

export const claudeCode: Agent = {
  name: 'claude-code',
  title: 'Claude Code',
  programs: ['claude'],
  shell: { argv: ['bash', '-c'], env: { CLAUDECODE: '1' }, output: 'file' },
  hook: {
    read: (event) => readToolEvent(event, SHELLS, SEARCHES),
    answer: (text) => additionalContext(EVENT, text),
    install: {
      kind: 'settings',
      event: EVENT,
      matcher: MATCHER,
      entry: { timeout: 10 },
      userFile: '.claude/settings.json',
      userFolderVariable: 'CLAUDE_CONFIG_DIR',
      projectFile: '.claude/settings.json',
    },
  },
  extras: ({ args, env, hookCommand }) => {
    const first = args[0] ?? '-';
    const hooked = hookCommand !== undefined && !args.includes('--settings') && !SUBCOMMAND.test(first);
    const settings = {
      hooks: { [EVENT]: [{ matcher: MATCHER, hooks: [{ type: 'command', command: hookCommand, timeout: 10 }] }] },
    };
    return {
      env: { USE_BUILTIN_RIPGREP: env.USE_BUILTIN_RIPGREP ?? '0' },
      args: hooked ? ['--settings', JSON.stringify(settings)] : [],
    };
  },
};
