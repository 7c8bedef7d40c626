/** `sidecar run`: what an agent is started with. The agents are scripts that write down what they were given. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { shimsFolder } from '../../src/cli/environment.js';
import { installHook, uninstallHook } from '../../src/cli/hook-install.js';
import { runCommand } from '../../src/cli/run.js';
import { installed } from '../shim/stage.js';
import { Shop } from './shop.js';

let shop: Shop;
beforeAll(async () => {
  shop = await Shop.open();
}, 60_000);
afterAll(() => shop.close());

/** Starts a program of that name, and says what it saw. */
async function start(name: string, args: string[], env: NodeJS.ProcessEnv = {}) {
  const folder = join(shop.base, 'agents');
  mkdirSync(folder, { recursive: true });
  const seen = join(shop.base, 'seen');
  writeFileSync(join(folder, name), `#!/bin/sh\nprintf '%s\\n' "$@" >"${seen}.args"\nenv >"${seen}.env"\nexit 7\n`);
  chmodSync(join(folder, name), 0o755);
  const path = `${folder}${delimiter}${shop.env.PATH}`;
  const status = await runCommand([join(folder, name), ...args], { quiet: true }, shop.streams({ PATH: path, ...env }));
  expect(status).toBe(7);
  const variables = new Map(
    readFileSync(`${seen}.env`, 'utf8')
      .split('\n')
      .map((line) => {
        const at = line.indexOf('=');
        return [line.slice(0, at), line.slice(at + 1)] as const;
      }),
  );
  return { args: readFileSync(`${seen}.args`, 'utf8').split('\n').slice(0, -1), env: variables };
}

test('any agent finds the launchers first on PATH', async () => {
  const seen = await start('aider', ['--model', 'x']);
  expect(seen.args).toEqual(['--model', 'x']);
  expect(seen.env.get('PATH')?.split(delimiter)[0]).toBe(shimsFolder());
  expect(seen.env.get('SIDECAR_NODE')).toBe(process.execPath);
});

test('Claude Code gets its hook for the session, and the ripgrep of PATH', async () => {
  const seen = await start('claude', ['-p', 'hello']);
  expect(seen.env.get('USE_BUILTIN_RIPGREP')).toBe('0');
  expect(seen.args[0]).toBe('--settings');
  const { hooks } = JSON.parse(seen.args[1] ?? '');
  expect(hooks.PostToolUse[0]).toMatchObject({ matcher: 'Bash|Grep', hooks: [{ type: 'command' }] });
  expect(seen.args.slice(2)).toEqual(['-p', 'hello']);
});

test('Claude Code: no second hook, no change to settings of the caller, none to a subcommand', async () => {
  await installHook('claude-code', { quiet: true }, shop.streams());
  expect((await start('claude', ['-p', 'hello'])).args).toEqual(['-p', 'hello']);
  await uninstallHook('claude-code', { quiet: true }, shop.streams());
  expect((await start('claude', ['--settings', '{}'])).args).toEqual(['--settings', '{}']);
  expect((await start('claude', ['mcp', 'list'])).args).toEqual(['mcp', 'list']);
  expect((await start('claude', [], { USE_BUILTIN_RIPGREP: '1' })).env.get('USE_BUILTIN_RIPGREP')).toBe('1');
});

test('Codex: in its login shell, behind the folder that it prepends, the launchers come first', async () => {
  const own = join(shop.base, 'own.bash');
  writeFileSync(own, 'export OWN=1\n');
  const seen = await start('codex', ['exec', 'hello'], { BASH_ENV: own });
  expect(seen.args[0]).toBe('-c');
  expect(seen.args.slice(2)).toEqual(['exec', 'hello']);
  const script = /^shell_environment_policy\.set\.BASH_ENV="(.+)"$/.exec(seen.args[1] ?? '')?.[1] ?? '';
  const { stdout } = spawnSync('bash', ['-lc', 'echo "$OWN $PATH"'], {
    encoding: 'utf8',
    env: { HOME: shop.base, PATH: `/codex/path:${shop.env.PATH}`, BASH_ENV: script },
  });
  expect(stdout.startsWith(`1 ${shimsFolder()}:`)).toBe(true);
  // Within another `sidecar run` the script does not call itself.
  await start('codex', [], { BASH_ENV: script });
  expect(readFileSync(script, 'utf8')).not.toContain(`. ${script}`);
});

test('mini-swe-agent is said to start searches through a shell, unless the caller says otherwise', async () => {
  const seen = await start('mini', ['-t', 'hello']);
  expect(seen.args).toEqual(['-t', 'hello']);
  expect(seen.env.get('SIDECAR_SPAWN')).toBe('shell');
  expect((await start('mini', [], { SIDECAR_SPAWN: 'parser' })).env.get('SIDECAR_SPAWN')).toBe('parser');
});

test.runIf(installed('python3'))('mini-swe-agent: a search that its sh becomes has its block', async () => {
  const { env } = await start('mini', []);
  const { stdout } = spawnSync(
    'python3',
    ['-c', 'import subprocess as s; s.run("grep -rn make_order .", shell=True, stderr=s.STDOUT)'],
    { cwd: shop.root, encoding: 'utf8', env: Object.fromEntries(env) },
  );
  expect(stdout).toContain('[Related files from dependency graph]');
});
