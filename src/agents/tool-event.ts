/** Reads the events that agents write to their hooks. Tolerant: what is not there is not there. Pure. */
import type { ToolCall } from './agent.js';

type Fields = Readonly<Record<string, unknown>>;

export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {};

export const stringOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** Keys under which agents keep the text of a result, most specific first. */
const TEXT_KEYS = ['stdout', 'llmContent', 'content', 'output', 'text', 'aggregated_output', 'result'];

/** The text of a tool's result, whatever it is wrapped in. */
export function resultText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(resultText).join('\n');
  const fields = fieldsOf(value);
  const names = fields.filenames;
  const listed = Array.isArray(names) ? names.filter((name) => typeof name === 'string').join('\n') : '';
  for (const key of TEXT_KEYS) {
    const text = fields[key] === undefined ? '' : resultText(fields[key]);
    if (text !== '') return listed === '' ? text : `${text}\n${listed}`;
  }
  return listed;
}

/**
 * A call in the form that most agents share: `tool_name`, `tool_input`, `tool_response`, `cwd`, `session_id`.
 * @param shells tools whose input has a `command`
 * @param searches tools whose input has a `pattern`, and maybe a path
 */
export function readToolEvent(
  event: unknown,
  shells: ReadonlySet<string>,
  searches: ReadonlySet<string>,
): ToolCall | undefined {
  const { tool_name: tool, tool_input: input, tool_response: response, cwd, session_id: session } = fieldsOf(event);
  const folder = stringOf(cwd);
  if (typeof tool !== 'string' || folder === undefined) return undefined;
  const given = fieldsOf(input);
  const common = { folder, output: resultText(response), ...(stringOf(session) ? { session: String(session) } : {}) };
  if (shells.has(tool)) {
    const line = given.command ?? given.cmd;
    const command = Array.isArray(line) ? String(line.at(-1) ?? '') : stringOf(line);
    const own = stringOf(given.workdir) ?? stringOf(given.directory) ?? stringOf(given.dir_path);
    const at = own === undefined ? folder : own.startsWith('/') ? own : `${folder}/${own}`;
    return command ? { ...common, folder: at, call: { kind: 'shell', command } } : undefined;
  }
  const pattern = stringOf(given.pattern);
  if (!searches.has(tool) || pattern === undefined) return undefined;
  const path = stringOf(given.path) ?? stringOf(given.dir_path);
  return { ...common, call: { kind: 'search', pattern, ...(path === undefined ? {} : { path }) } };
}

/** The answer that most agents share. */
export const additionalContext = (event: string, text: string): string =>
  `${JSON.stringify({ hookSpecificOutput: { hookEventName: event, additionalContext: text.trimEnd() } })}\n`;
