/** `sidecar hook AGENT`: what each agent writes to it after a tool call, and what it answers. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { answerHook } from '../../src/cli/hook.js';
import { Shop } from './shop.js';

const HEADER = '[Related files from dependency graph]';
const MATCHES = 'shop/orders.py:4:def make_order(items):\n';

let shop: Shop;
let session = 0;
beforeAll(async () => {
  shop = await Shop.open();
}, 60_000);
afterAll(() => shop.close());
beforeEach(() => {
  session += 1;
});

/** The answer to an event, as the agent gets it. */
async function answer(agent: string, event: object | string, env: NodeJS.ProcessEnv = {}): Promise<string> {
  const input = typeof event === 'string' ? event : JSON.stringify({ session_id: `s${session}`, ...event });
  expect(await answerHook(agent, input, shop.streams(env))).toBe(0);
  return shop.printed;
}

const bash = (command: string, stdout: string, more: object = {}): object => ({
  cwd: shop.root,
  hook_event_name: 'PostToolUse',
  tool_name: 'Bash',
  tool_input: { command },
  tool_response: { stdout, stderr: '', interrupted: false },
  ...more,
});

const context = (printed: string): string => JSON.parse(printed).hookSpecificOutput.additionalContext;

test('Claude Code: a search in the shell', async () => {
  const printed = await answer('claude-code', bash('rg -n make_order shop', MATCHES));
  expect(JSON.parse(printed).hookSpecificOutput.hookEventName).toBe('PostToolUse');
  expect(context(printed)).toContain(`${HEADER}\nshop/orders.py`);
  expect(context(printed)).toContain('Callers: shop/web.py:checkout:4');
});

test('Claude Code: its Grep tool, lines and lists', async () => {
  const grep = (response: object): object => ({
    cwd: shop.root,
    tool_name: 'Grep',
    tool_input: { pattern: 'make_order' },
    tool_response: response,
  });
  expect(context(await answer('claude', grep({ mode: 'content', filenames: [], content: MATCHES })))).toContain(
    'make_order:4',
  );
  session += 1;
  const listed = grep({ mode: 'files_with_matches', filenames: ['shop/orders.py'], numFiles: 1 });
  expect(context(await answer('claude', listed))).toContain(HEADER);
});

test('Codex: the result is a text', async () => {
  const event = { ...bash('rg -n make_order', ''), tool_response: `Exit code: 0\nOutput:\n${MATCHES}` };
  expect(context(await answer('codex', event))).toContain('make_order:4');
});

test('Gemini CLI and Qwen Code: shell and search tool', async () => {
  for (const agent of ['gemini-cli', 'qwen-code']) {
    const shell = {
      cwd: shop.root,
      tool_name: 'run_shell_command',
      tool_input: { command: 'grep -rn make_order .' },
      tool_response: { llmContent: `Output: ./${MATCHES}\nProcess Group PGID: 1`, returnDisplay: '' },
    };
    expect(context(await answer(agent, shell))).toContain('make_order:4');
    session += 1;
    const search = {
      cwd: shop.root,
      tool_name: 'grep_search',
      tool_input: { pattern: 'make_order' },
      tool_response: {
        llmContent:
          'Found 1 match for pattern "make_order" in path ".":\n---\nFile: shop/orders.py\nL4: def make_order(items):\n---',
      },
    };
    expect(context(await answer(agent, search))).toContain('make_order:4');
    session += 1;
  }
});

test('OpenCode: its plugin adds the text itself', async () => {
  const event = {
    tool: 'grep',
    args: { pattern: 'make_order' },
    output: `Found 1 matches\n${shop.root}/shop/orders.py:\n  Line 4: def make_order(items):\n`,
    directory: shop.root,
    session: `s${session}`,
  };
  const printed = await answer('opencode', event);
  expect(printed).toMatch(/^\[Related files/);
  // Named as the result does.
  expect(printed).toContain(`${shop.root}/shop/orders.py`);
});

test('lines without a number are found in their file', async () => {
  const printed = await answer('claude', bash('rg make_order shop', 'shop/orders.py:def make_order(items):\n'));
  expect(context(printed)).toContain('make_order:4');
});

test('the folder before and after a cd of the command', async () => {
  const command = 'cd shop && rg -n make_order';
  const result = 'orders.py:4:def make_order(items):\n';
  expect(context(await answer('claude', bash(command, result)))).toContain('make_order:4');
  session += 1;
  const after = bash(command, result, { cwd: join(shop.root, 'shop') });
  expect(context(await answer('claude', after))).toContain('make_order:4');
});

test('a block that the launcher has printed is not printed again', async () => {
  expect(await answer('claude', bash('rg -n make_order', `${MATCHES}${HEADER}\nshop/orders.py\n`))).toBe('');
  expect(readFileSync(shop.log, 'utf8').trim().split('\n').at(-1)).toContain('"repeated"');
});

test('silent for what is no search of this repository', async () => {
  expect(await answer('claude', bash('ls', 'shop\ntests\n'))).toBe('');
  expect(await answer('claude', bash('cat shop/orders.py', MATCHES))).toBe('');
  expect(await answer('claude', bash('rg -n make_order | wc -l', '3\n'))).toBe('');
  expect(await answer('claude', bash('rg -n nothing', ''))).toBe('');
  expect(await answer('claude', bash('rg -n make_order', MATCHES), { SIDECAR_MODE: 'off' })).toBe('');
  expect(await answer('claude', bash('rg -n make_order', MATCHES, { cwd: shop.base }))).toBe('');
  expect(await answer('claude', { ...bash('', MATCHES), tool_name: 'Read' })).toBe('');
});

test.each(['', 'not json', '[]', 'null', '{}', '{"tool_name": 5}', '{"cwd": "/nowhere", "tool_name": "Bash"}'])(
  'never fails: %s',
  async (event) => {
    for (const agent of ['claude-code', 'codex', 'opencode', 'gemini-cli', 'aider', 'nobody']) {
      expect(await answer(agent, event)).toBe('');
    }
  },
);

test('a folder or a result that is not what it should be', async () => {
  expect(await answer('claude', bash('rg x', MATCHES, { cwd: '/no/such/folder' }))).toBe('');
  expect(await answer('claude', bash('rg x', MATCHES, { tool_response: 7 }))).toBe('');
  expect(await answer('claude', bash('rg x ../..', '../../etc/passwd:1:root\n\u0000:1:x\n'))).toBe('');
});
