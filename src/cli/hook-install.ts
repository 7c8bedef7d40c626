/** `sidecar hook install|uninstall AGENT`: writes the agent's settings or plugin, and gives back what was there. */
import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, sep } from 'node:path';
import type { Agent, HookPlugin, HookSettings } from '../agents/agent.js';
import { AGENTS, agentNamed } from '../agents/registry.js';
import { installedHook, withHook, withoutHook } from '../agents/settings-file.js';
import { SidecarError } from '../errors.js';
import { cacheRoot } from '../io/index-location.js';
import { sha256 } from '../io/sha256.js';
import { readUserFile, removeUserFile, writeUserFile } from '../io/user-file.js';
import { shellQuoted } from '../shim/environment.js';
import { type CommonOptions, type ExitCode, locate, type Streams } from './context.js';
import { findOnPath, mainScript, shimsFolder } from './environment.js';

export interface HookArguments extends CommonOptions {
  readonly project?: boolean;
  readonly user?: boolean;
  /** Only show what would change. */
  readonly dryRun?: boolean;
}

/** What an install leaves behind to be undone by: in the cache, and never needed. */
interface Installed {
  readonly path: string;
  /** The file before, base64; null where there was none. */
  readonly before: string | null;
  /** SHA-256 of the file as we wrote it. */
  readonly after: string;
  readonly inserted: string;
  /** The outermost folder that was made for the file. */
  readonly made?: string;
}

/**
 * The command that answers the hook. In a user's own settings it is this installation; in a project's, which others
 * share, it is whatever sidecar they have, or nothing.
 */
export function hookCommand(agent: Agent, project: boolean, env: NodeJS.ProcessEnv): string {
  if (project) return `! command -v sidecar >/dev/null 2>&1 || sidecar hook ${agent.name}`;
  const named = findOnPath('sidecar', env.PATH ?? '', shimsFolder());
  const main = mainScript();
  return named !== undefined && realpathSync(named) === main
    ? `sidecar hook ${agent.name}`
    : `${shellQuoted(process.execPath)} ${shellQuoted(main)} hook ${agent.name}`;
}

/** The file that an agent reads for the user. */
export function userFile(install: HookSettings | HookPlugin, env: NodeJS.ProcessEnv): string {
  const moved = install.kind === 'settings' && install.userFolderVariable ? env[install.userFolderVariable] : undefined;
  if (moved) return join(moved, install.userFile.split('/').slice(1).join(sep));
  if (install.userFile.startsWith('.config/') && env.XDG_CONFIG_HOME?.startsWith('/')) {
    return join(env.XDG_CONFIG_HOME, install.userFile.slice('.config/'.length));
  }
  return join(env.HOME || homedir(), install.userFile);
}

function recordFile(path: string, env: NodeJS.ProcessEnv): string | undefined {
  const root = cacheRoot(env);
  return root && join(root, 'installed', `${sha256(path).slice(0, 24)}.json`);
}

function readRecord(path: string, env: NodeJS.ProcessEnv): Installed | undefined {
  const file = recordFile(path, env);
  try {
    const record = JSON.parse(file === undefined ? '' : (readUserFile(file)?.toString('utf8') ?? '')) as Installed;
    return record.path === path && typeof record.after === 'string' ? record : undefined;
  } catch {
    return undefined;
  }
}

/** The lines that differ, with one `+` or `-` before each, below the file's name. */
export function renderChange(path: string, before: string, after: string): string {
  const [a, b] = [before.split('\n'), after.split('\n')];
  let top = 0;
  while (top < a.length && top < b.length && a[top] === b[top]) top += 1;
  let [endA, endB] = [a.length, b.length];
  while (endA > top && endB > top && a[endA - 1] === b[endB - 1]) [endA, endB] = [endA - 1, endB - 1];
  const lines = [...a.slice(top, endA).map((line) => `- ${line}`), ...b.slice(top, endB).map((line) => `+ ${line}`)];
  return `${path}\n${lines.map((line) => `  ${line}\n`).join('')}`;
}

function agentFor(name: string | undefined): Agent & { hook: NonNullable<Agent['hook']> } {
  const hooked = AGENTS.filter((agent) => agent.hook).map((agent) => agent.name);
  const agent = name === undefined ? undefined : agentNamed(name);
  if (!agent) {
    throw new SidecarError(
      name === undefined ? 'no agent was named' : `no agent is called ${name}`,
      `agents with a hook are ${hooked.join(', ')}`,
      'name one of them',
    );
  }
  if (!agent.hook) {
    throw new SidecarError(
      `${agent.title} needs no hook`,
      'its shell tool runs the rg and grep on PATH',
      `start it with: sidecar run -- ${agent.programs[0]}`,
    );
  }
  return agent as Agent & { hook: NonNullable<Agent['hook']> };
}

async function targetFile(agent: ReturnType<typeof agentFor>, args: HookArguments, streams: Streams): Promise<string> {
  const { install } = agent.hook;
  if (!args.project) return userFile(install, streams.env);
  const { target } = await locate(streams, args);
  return join(target.root, install.projectFile);
}

function report(args: HookArguments, streams: Streams, path: string, changed: boolean, text: string): void {
  if (args.json) streams.out(`${JSON.stringify({ path, changed: changed && !args.dryRun })}\n`);
  else if (!args.quiet) streams.out(text);
}

export async function installHook(name: string | undefined, args: HookArguments, streams: Streams): Promise<ExitCode> {
  const agent = agentFor(name);
  const { install } = agent.hook;
  const path = await targetFile(agent, args, streams);
  const command = hookCommand(agent, args.project ?? false, streams.env);
  const bytes = readUserFile(path);
  let before = bytes?.toString('utf8');
  const known = readRecord(path, streams.env);
  let change: { text: string; inserted: string };
  if (install.kind === 'plugin') {
    const text = install.content(command);
    if (before !== undefined && before !== text && !before.includes('sidecar hook install')) {
      throw new SidecarError(`cannot write ${path}`, 'there is another file of that name', 'rename it, then try again');
    }
    change = { text, inserted: text };
  } else {
    const present = before === undefined ? undefined : installedHook(before, install, agent.name);
    if (before !== undefined && present) {
      if (present.command === command) {
        report(args, streams, path, false, `${agent.title}: the hook is there already (${path})\n`);
        return 0;
      }
      // Of another installation: taken out, so that what is kept to undo it by is the file without any of ours.
      before = undoneText(before, install, agent.name, known) ?? undefined;
    }
    change = withHook(before, install, command, path);
  }
  if (change.text === bytes?.toString('utf8')) {
    report(args, streams, path, false, `${agent.title}: the hook is there already (${path})\n`);
    return 0;
  }
  const note = install.kind === 'settings' && install.note ? `${install.note}\n` : '';
  report(args, streams, path, true, renderChange(path, bytes?.toString('utf8') ?? '', change.text) + note);
  if (args.dryRun) return 0;
  const made = writeUserFile(path, change.text);
  const kept = install.kind === 'plugin' ? undefined : before;
  const record: Installed = {
    path,
    before: kept === undefined ? null : Buffer.from(kept).toString('base64'),
    after: sha256(change.text),
    inserted: change.inserted,
    ...(made === undefined ? (known?.made ? { made: known.made } : {}) : { made }),
  };
  const file = recordFile(path, streams.env);
  if (file !== undefined) writeUserFile(file, `${JSON.stringify(record)}\n`, 0o600);
  return 0;
}

/** The settings without our entry; null: there was no file. */
function undoneText(text: string, install: HookSettings, agent: string, record: Installed | undefined): string | null {
  if (record && sha256(text) === record.after) {
    return record.before === null ? null : Buffer.from(record.before, 'base64').toString('utf8');
  }
  return withoutHook(text, install, agent, record?.inserted);
}

export async function uninstallHook(
  name: string | undefined,
  args: HookArguments,
  streams: Streams,
): Promise<ExitCode> {
  const agent = agentFor(name);
  const { install } = agent.hook;
  const path = await targetFile(agent, args, streams);
  const bytes = readUserFile(path);
  const text = bytes?.toString('utf8');
  const record = readRecord(path, streams.env);
  const present =
    text !== undefined &&
    (install.kind === 'plugin' ? text.includes('sidecar hook install') : installedHook(text, install, agent.name));
  if (text === undefined || !present) {
    report(args, streams, path, false, `${agent.title}: there is no hook of ours in ${path}\n`);
    return 0;
  }
  const after = install.kind === 'plugin' ? null : undoneText(text, install, agent.name, record);
  report(args, streams, path, true, renderChange(path, text, after ?? ''));
  if (args.dryRun) return 0;
  if (after === null) removeUserFile(path, record?.made);
  else writeUserFile(path, after);
  const file = recordFile(path, streams.env);
  if (file !== undefined) removeUserFile(file);
  return 0;
}

/** Whether the agent's hook is installed for the user or, where `root` is given, in the project. */
export function hookInstalled(agent: Agent, env: NodeJS.ProcessEnv, root?: string): string | undefined {
  const install = agent.hook?.install;
  if (!install) return undefined;
  const files = [userFile(install, env), ...(root === undefined ? [] : [join(root, install.projectFile)])];
  return files.find((path) => {
    try {
      const text = readUserFile(path)?.toString('utf8');
      if (text === undefined) return false;
      return install.kind === 'plugin'
        ? text.includes('sidecar hook install')
        : installedHook(text, install, agent.name) !== undefined;
    } catch {
      return false;
    }
  });
}
