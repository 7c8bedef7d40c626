/** Every agent that is known, and how to find one. */
import type { Agent } from './agent.js';
import { claudeCode } from './claude-code.js';
import { codex } from './codex.js';
import { geminiCli } from './gemini-cli.js';
import { opencode } from './opencode.js';
import { PATH_ONLY } from './path-only.js';
import { qwenCode } from './qwen-code.js';

export const AGENTS: readonly Agent[] = [claudeCode, codex, opencode, geminiCli, qwenCode, ...PATH_ONLY];

/** By its name or the name of its program. */
export const agentNamed = (name: string): Agent | undefined =>
  AGENTS.find((agent) => agent.name === name || agent.programs.includes(name));
