/** Agents whose shell tool runs what PATH has: the launchers reach them, and nothing of theirs has to be changed. */
import type { Agent } from './agent.js';

const BASH: [string, ...string[]] = ['bash', '-c'];

export const PATH_ONLY: readonly Agent[] = [
  {
    name: 'copilot-cli',
    title: 'Copilot CLI',
    programs: ['copilot'],
    shell: { argv: BASH, env: { COPILOT_CLI: '1' }, output: 'pipe' },
  },
  { name: 'cline', title: 'Cline', programs: ['cline'], shell: { argv: BASH, env: {}, output: 'pipe' } },
  { name: 'crush', title: 'Crush', programs: ['crush'], shell: { argv: BASH, env: { CRUSH: '1' }, output: 'pipe' } },
  {
    name: 'goose',
    title: 'Goose',
    programs: ['goose'],
    shell: { argv: BASH, env: { GOOSE_TERMINAL: '1' }, output: 'pipe' },
  },
  {
    name: 'mini-swe-agent',
    title: 'mini-swe-agent',
    programs: ['mini', 'mini-swe-agent', 'mini-extra'],
    shell: { argv: ['sh', '-c'], env: {}, output: 'pipe' },
    // It hands every command to Python's `shell=True` and parses none. A `sh` that is dash becomes the last command, so
    // that a search looks as if Python had started it.
    extras: ({ env }) => ({ env: env.SIDECAR_SPAWN === undefined ? { SIDECAR_SPAWN: 'shell' } : {} }),
  },
  { name: 'swe-agent', title: 'SWE-agent', programs: ['sweagent'], shell: { argv: BASH, env: {}, output: 'pipe' } },
  { name: 'openhands', title: 'OpenHands', programs: ['openhands'], shell: { argv: BASH, env: {}, output: 'pipe' } },
  { name: 'aider', title: 'aider', programs: ['aider'], shell: { argv: ['sh', '-c'], env: {}, output: 'pipe' } },
];
