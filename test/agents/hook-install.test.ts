/** `sidecar hook install` and `uninstall` on the files of a home folder and of a work tree. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AGENTS } from '../../src/agents/registry.js';
import type { Streams } from '../../src/cli/context.js';
import { hookInstalled, installHook, uninstallHook } from '../../src/cli/hook-install.js';

let home: string;
let printed: string;
let streams: Streams;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'sidecar-home-'));
  printed = '';
  streams = {
    out: (text) => {
      printed += text;
    },
    error: () => {},
    interactive: false,
    colour: false,
    cwd: home,
    env: { HOME: home, PATH: process.env.PATH },
  };
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const inHome = (path: string): string => join(home, path);
const hooked = AGENTS.filter((agent) => agent.hook);
const listed = (): string[] =>
  readdirSync(home, { recursive: true, encoding: 'utf8' })
    .filter((path) => !path.startsWith('.cache'))
    .sort();

test.each(hooked.map((agent) => [agent.name, agent] as const))('%s: nothing is left of it', async (name, agent) => {
  expect(await installHook(name, {}, streams)).toBe(0);
  expect(printed).toContain(`hook ${name}`);
  expect(hookInstalled(agent, streams.env)).toBe(inHome(agent.hook?.install.userFile ?? ''));
  printed = '';
  const before = readFileSync(inHome(agent.hook?.install.userFile ?? ''), 'utf8');
  await installHook(name, {}, streams);
  expect(printed).toContain('already');
  expect(readFileSync(inHome(agent.hook?.install.userFile ?? ''), 'utf8')).toBe(before);
  await uninstallHook(name, {}, streams);
  expect(listed()).toEqual([]);
  expect(hookInstalled(agent, streams.env)).toBeUndefined();
});

test('settings that were there come back to the byte, with their mode', async () => {
  const path = inHome('.claude/settings.json');
  const text = '{\r\n\t"model":"x" , "hooks":{ "PostToolUse":[ ] } }';
  mkdirSync(dirname(path));
  writeFileSync(path, text, { mode: 0o600 });
  await installHook('claude', {}, streams);
  expect(readFileSync(path, 'utf8')).not.toBe(text);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  await uninstallHook('claude', {}, streams);
  expect(readFileSync(path, 'utf8')).toBe(text);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('an entry of another installation is replaced, and the first state comes back', async () => {
  const path = inHome('.claude/settings.json');
  mkdirSync(dirname(path));
  writeFileSync(path, '{ "a": 1 }\n');
  await installHook('claude-code', {}, streams);
  writeFileSync(
    path,
    readFileSync(path, 'utf8').replace(/"command": ".*?"/, '"command": "/old/sidecar hook claude-code"'),
  );
  await installHook('claude-code', {}, streams);
  expect(readFileSync(path, 'utf8').match(/hook claude-code/g)).toHaveLength(1);
  await uninstallHook('claude-code', {}, streams);
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ a: 1 });
});

test('--dry-run shows the change and makes none', async () => {
  await installHook('gemini', { dryRun: true }, streams);
  expect(printed).toContain('AfterTool');
  expect(listed()).toEqual([]);
});

test('--project: a command that does nothing where there is no sidecar', async () => {
  await installHook('claude-code', { project: true }, streams);
  const { hooks } = JSON.parse(readFileSync(inHome('.claude/settings.json'), 'utf8'));
  expect(hooks.PostToolUse[0].hooks[0].command).toBe(
    '! command -v sidecar >/dev/null 2>&1 || sidecar hook claude-code',
  );
  await uninstallHook('claude-code', { project: true }, streams);
  expect(listed()).toEqual([]);
});

test('a plugin of another origin is not overwritten', async () => {
  const path = inHome('.config/opencode/plugin/sidecar.js');
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, 'export const Mine = 1;\n');
  await expect(installHook('opencode', {}, streams)).rejects.toThrow('another file of that name');
  await uninstallHook('opencode', {}, streams);
  expect(existsSync(path)).toBe(true);
});

test('broken settings are named, and left as they are', async () => {
  const path = inHome('.qwen/settings.json');
  mkdirSync(dirname(path));
  writeFileSync(path, '{ "a": ');
  await expect(installHook('qwen', {}, streams)).rejects.toThrow('not valid JSON');
  expect(readFileSync(path, 'utf8')).toBe('{ "a": ');
});

test('agents without a hook, and names that are none', async () => {
  await expect(installHook('aider', {}, streams)).rejects.toThrow('sidecar run -- aider');
  await expect(installHook('nobody', {}, streams)).rejects.toThrow('no agent is called nobody');
  await expect(installHook(undefined, {}, streams)).rejects.toThrow('no agent was named');
});
