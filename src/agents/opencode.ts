/** OpenCode. Its search tool calls rg with --json; a plugin sees the result of every tool and may add to it. */
import type { Agent, ToolCall } from './agent.js';
import { fieldsOf, stringOf } from './tool-event.js';

/** What the plugin below writes: the tool, its arguments and its result. */
function read(event: unknown): ToolCall | undefined {
  const { tool, args, output, directory, session } = fieldsOf(event);
  const given = fieldsOf(args);
  const folder = stringOf(directory);
  if (folder === undefined) return undefined;
  const common = {
    folder: stringOf(given.workdir) ?? folder,
    output: stringOf(output) ?? '',
    ...(stringOf(session) ? { session: String(session) } : {}),
  };
  const command = stringOf(given.command);
  if (tool === 'bash' && command !== undefined) return { ...common, call: { kind: 'shell', command } };
  const pattern = stringOf(given.pattern);
  if (tool !== 'grep' || pattern === undefined) return undefined;
  const path = stringOf(given.path);
  return { ...common, call: { kind: 'search', pattern, ...(path === undefined ? {} : { path }) } };
}

const content = (
  command: string,
): string => `// Written by \`sidecar hook install opencode\`; \`sidecar hook uninstall opencode\` removes it.
import { spawn } from 'node:child_process';

const COMMAND = ${JSON.stringify(command)};
const TOOLS = new Set(['bash', 'grep']);

/** What sidecar has to add to a search; nothing where anything goes wrong. */
function evidence(event) {
  return new Promise((done) => {
    const child = spawn('sh', ['-c', COMMAND], { stdio: ['pipe', 'pipe', 'ignore'], timeout: 10000 });
    let text = '';
    child.stdout.on('data', (chunk) => { text += chunk; });
    child.on('error', () => done(''));
    child.on('close', () => done(text));
    child.stdin.on('error', () => {});
    child.stdin.end(JSON.stringify(event));
  });
}

export const Sidecar = async ({ directory }) => ({
  'tool.execute.after': async (input, result) => {
    if (!TOOLS.has(input.tool) || typeof result?.output !== 'string') return;
    const args = input.args ?? result.args ?? {};
    const text = await evidence({ tool: input.tool, args, output: result.output, directory, session: input.sessionID });
    if (text) result.output += (result.output.endsWith('\\n') ? '' : '\\n') + text;
  },
});
`;

export const opencode: Agent = {
  name: 'opencode',
  title: 'OpenCode',
  programs: ['opencode'],
  shell: { argv: ['bash', '-c'], env: { OPENCODE: '1' }, output: 'pipe' },
  hook: {
    read,
    answer: (text) => text,
    install: {
      kind: 'plugin',
      userFile: '.config/opencode/plugin/sidecar.js',
      projectFile: '.opencode/plugin/sidecar.js',
      content,
    },
  },
};
