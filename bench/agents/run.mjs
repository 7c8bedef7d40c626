/**
 * Unmodified agents against a scripted model: does the block arrive in what the model is sent, exactly once for a
 * search, and not at all for another command? Not for CI: the agents are installed by hand, outside the repository.
 *
 *   node bench/agents/run.mjs --agents FOLDER [--only NAME] [--verbose]
 *
 * FOLDER holds one folder for each agent (claude, codex, gemini, qwen, opencode) in which its npm package was installed.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { rgPath } from '@vscode/ripgrep';
import { startEndpoint } from './endpoint.mjs';

const { values } = parseArgs({
  options: { agents: { type: 'string' }, only: { type: 'string' }, verbose: { type: 'boolean', default: false } },
});
const MAIN = join(dirname(fileURLToPath(import.meta.url)), '../../dist/cli/main.js');
const HEADER = '[Related files from dependency graph]';
const LIMIT_MS = 120_000;

const SCRIPT = [
  { kind: 'shell', command: 'rg -n make_order .' },
  { kind: 'shell', command: 'grep -rn send_invoice . | head -5' },
  { kind: 'search', pattern: 'def price_of' },
  { kind: 'shell', command: 'ls' },
];

const FILES = {
  'shop/orders.py':
    'from shop.prices import price_of\nfrom shop.mail import send_invoice\n\n\ndef make_order(items):\n    total = sum(price_of(item) for item in items)\n    send_invoice(total)\n    return total\n',
  'shop/prices.py': 'def price_of(item):\n    return item.price\n',
  'shop/mail.py': 'def send_invoice(total):\n    print(total)\n',
  'shop/web.py':
    'from shop.orders import make_order\n\n\ndef checkout(request):\n    return make_order(request.items)\n',
  'tests/test_orders.py':
    'from shop.orders import make_order\n\n\ndef test_make_order():\n    assert make_order([]) == 0\n',
  'shop/__init__.py': '',
};

/** How each agent is started against the endpoint, without a person. */
const AGENTS = {
  claude: {
    hook: 'claude-code',
    command: () => ['claude', '-p', 'Look.', '--permission-mode', 'bypassPermissions', '--allowedTools', 'Bash,Grep'],
    env: (url) => ({
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: 'none',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      IS_SANDBOX: '1',
    }),
  },
  codex: {
    hook: 'codex',
    command: (url) => [
      'codex',
      'exec',
      '--skip-git-repo-check',
      '--dangerously-bypass-approvals-and-sandbox',
      '--dangerously-bypass-hook-trust',
      '-c',
      'model_provider="loop"',
      '-c',
      'model="gpt-5"',
      '-c',
      `model_providers.loop={name="loop",base_url="${url}/v1",env_key="LOOP_KEY",wire_api="responses"}`,
      'Look.',
    ],
    env: () => ({ LOOP_KEY: 'none' }),
  },
  gemini: {
    hook: 'gemini-cli',
    command: () => ['gemini', '-m', 'gemini-2.5-flash', '-p', 'Look.', '--yolo', '--skip-trust'],
    env: (url) => ({ GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: 'none', GEMINI_CLI_TRUST_WORKSPACE: 'true' }),
    settings: [
      '.gemini/settings.json',
      { security: { auth: { selectedType: 'gemini-api-key' } }, telemetry: { enabled: false } },
    ],
  },
  qwen: {
    hook: 'qwen-code',
    command: () => ['qwen', '-p', 'Look.', '--yolo', '--auth-type', 'openai'],
    env: (url) => ({ OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: 'none', OPENAI_MODEL: 'loop' }),
  },
  opencode: {
    hook: 'opencode',
    command: () => ['opencode', 'run', '--model', 'loop/loop', 'Look.'],
    env: (url) => ({
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_CONFIG_CONTENT: JSON.stringify({
        provider: {
          loop: {
            npm: '@ai-sdk/openai-compatible',
            name: 'loop',
            options: { baseURL: `${url}/v1`, apiKey: 'none' },
            models: { loop: { name: 'loop', tool_call: true } },
          },
        },
        permission: { bash: 'allow' },
      }),
    }),
  },
};

/** Runs to the end, or to the limit: then its whole process group is ended. */
function run(command, options) {
  return new Promise((done) => {
    const child = spawn(command[0], command.slice(1), {
      ...options,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        output += chunk;
      });
    const limit = setTimeout(() => process.kill(-child.pid, 'SIGKILL'), LIMIT_MS);
    child.on('error', (error) => done({ status: String(error), output }));
    child.on('close', (status, signal) => {
      clearTimeout(limit);
      done({ status: status ?? signal, output });
    });
  });
}

const count = (text) => text.split(HEADER).length - 1;

async function trial(name, way) {
  const agent = AGENTS[name];
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'sidecar-agents-')));
  const [home, repository] = [join(base, 'home'), join(base, 'shop')];
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(repository, path)), { recursive: true });
    writeFileSync(join(repository, path), text);
  }
  mkdirSync(home);
  const { port, turns, stop } = await startEndpoint(SCRIPT);
  const url = `http://127.0.0.1:${port}`;
  const path = [
    join(values.agents, name, 'node_modules/.bin'),
    dirname(process.execPath),
    dirname(rgPath),
    '/usr/local/bin',
    '/usr/bin',
    '/bin',
  ];
  const env = {
    HOME: home,
    PATH: path.join(delimiter),
    TERM: 'dumb',
    LANG: 'C.UTF-8',
    SIDECAR_DEADLINE: '10000',
    SIDECAR_LOG: join(base, 'log'),
    ...agent.env(url),
  };
  const git = (...args) =>
    spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], { cwd: repository, env });
  git('init', '-q');
  git('add', '.');
  git('commit', '-q', '-m', 'shop');
  if (agent.settings) {
    mkdirSync(dirname(join(home, agent.settings[0])), { recursive: true });
    writeFileSync(join(home, agent.settings[0]), JSON.stringify(agent.settings[1]));
  }
  const sidecar = (...args) => spawnSync(process.execPath, [MAIN, ...args], { cwd: repository, env, encoding: 'utf8' });
  sidecar('build', '--quiet');
  if (way !== 'run') sidecar('hook', 'install', agent.hook);
  const command = agent.command(url);
  const started = way === 'hook' ? command : [process.execPath, MAIN, 'run', '--quiet', '--', ...command];
  const { status, output } = await run(started, { cwd: repository, env });
  stop();
  const rows = SCRIPT.map((call) => {
    const what = `${call.kind} ${call.command ?? call.pattern}`;
    const step = turns.findIndex((turn) => turn.call === call);
    if (step < 0) return `${what}: the agent has no such tool`;
    const after = turns[step + 1];
    return `${what}: ${after ? count(after.conversation) - count(turns[step].conversation) : 'its result was not sent'}`;
  });
  if (values.verbose) {
    console.error(output.slice(-3000));
    console.error(turns.at(-1)?.conversation.slice(-6000), turns[0]?.tools);
    if (existsSync(join(base, 'log')))
      console.error(spawnSync('cat', [join(base, 'log')], { encoding: 'utf8' }).stdout.slice(0, 3000));
  }
  rmSync(base, { recursive: true, force: true, maxRetries: 5 });
  return { status, rows };
}

if (!values.agents) throw new Error('use: node bench/agents/run.mjs --agents FOLDER');
console.log(
  'blocks that reach the model, by call; `run`: sidecar run, `hook`: the hook alone, `both`: the two at once\n',
);
for (const name of Object.keys(AGENTS).filter((one) => !values.only || one === values.only)) {
  if (!existsSync(join(values.agents, name, 'node_modules'))) {
    console.log(`${name}: not installed`);
    continue;
  }
  for (const way of ['run', 'hook', 'both']) {
    const { status, rows } = await trial(name, way);
    console.log(`${name} ${way} (exit ${status})\n  ${rows.join('\n  ')}`);
  }
}
