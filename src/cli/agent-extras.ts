/** What `sidecar run` adds for the agent that it starts (docs/agents.md). */
import { basename, join } from 'node:path';
import type { RunExtras } from '../agents/agent.js';
import { agentNamed } from '../agents/registry.js';
import { cacheRoot } from '../io/index-location.js';
import { readUserFile, writeUserFile } from '../io/user-file.js';
import { shellCode, shellQuoted } from '../shim/environment.js';
import { launcherEnvironment, shimsFolder } from './environment.js';
import { hookCommand, hookInstalled } from './hook-install.js';

/**
 * A script for BASH_ENV that puts the launchers first on PATH, whatever a login profile or the agent has put there.
 * A BASH_ENV of the user's own runs first.
 */
function bashScript(env: NodeJS.ProcessEnv, script: string): string {
  const shims = shellQuoted(shimsFolder());
  const variables = launcherEnvironment(env).filter(([name]) => name !== 'PATH');
  const own =
    env.BASH_ENV && env.BASH_ENV !== script
      ? `[ ! -r ${shellQuoted(env.BASH_ENV)} ] || . ${shellQuoted(env.BASH_ENV)}\n`
      : '';
  return `# Written by \`sidecar run\`.\n${own}${shellCode(variables)}case $PATH in ${shims}:*) ;; *) export PATH=${shims}:"$PATH" ;; esac\n`;
}

/** Undefined for a program that is no agent that we know. */
export function extrasFor(command: readonly string[], env: NodeJS.ProcessEnv, root: string): RunExtras | undefined {
  const [program = '', ...args] = command;
  const agent = agentNamed(basename(program).replace(/\.(?:exe|cmd|js)$/, ''));
  const cache = cacheRoot(env);
  if (!agent?.extras || cache === undefined) return undefined;
  const script = join(cache, 'shell', `${agent.name}.bash`);
  const installed = hookInstalled(agent, env, root) !== undefined;
  const extras = agent.extras({
    args,
    env,
    bashScript: script,
    ...(installed ? {} : { hookCommand: hookCommand(agent, false, env) }),
  });
  const text = bashScript(env, script);
  if (extras.bashEnv !== undefined && readUserFile(script)?.toString('utf8') !== text) writeUserFile(script, text);
  return extras;
}
