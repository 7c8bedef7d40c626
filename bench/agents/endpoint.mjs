/**
 * A model on loopback that follows a script: at each turn it asks for the next call of the script, then says that it
 * is done. Speaks the protocols of Anthropic, OpenAI (chat completions and responses) and Gemini, as far as the
 * agents of this bench use them. What it was sent is kept for the caller to look at.
 */
import { createServer } from 'node:http';

/** @typedef {{ kind: 'shell', command: string } | { kind: 'search', pattern: string }} Call */

const SHELL_TOOLS = [
  'Bash',
  'bash',
  'run_shell_command',
  'exec_command',
  'shell_command',
  'shell',
  'execute_command',
  'run_commands',
];
const SEARCH_TOOLS = ['Grep', 'grep', 'grep_search', 'search_file_content', 'search_files', 'search_codebase'];

/** The input of a tool for a call, by the parameters that the tool declares. */
function inputFor(call, name, schema) {
  const properties = schema?.properties ?? {};
  const input = {};
  if (call.kind === 'shell') {
    const key = ['command', 'cmd', 'commands'].find((one) => one in properties) ?? 'command';
    const type = properties[key]?.type;
    input[key] =
      type === 'array' ? (key === 'commands' ? [call.command] : ['bash', '-lc', call.command]) : call.command;
  } else {
    const key = ['pattern', 'regex', 'query', 'queries'].find((one) => one in properties) ?? 'pattern';
    input[key] = properties[key]?.type === 'array' ? [call.pattern] : call.pattern;
    if (name === 'Grep') Object.assign(input, { output_mode: 'content', '-n': true });
  }
  for (const one of schema?.required ?? [])
    if (!(one in input)) input[one] = properties[one]?.type === 'boolean' ? false : '.';
  if ('description' in input) input.description = 'search';
  return input;
}

/** @returns name and input of the tool that the call becomes, of those that the agent offers */
function toolFor(call, tools) {
  const wanted = call.kind === 'shell' ? SHELL_TOOLS : SEARCH_TOOLS;
  for (const name of wanted) {
    const tool = tools.find((one) => one.name === name);
    if (tool) return { name, input: inputFor(call, name, tool.schema) };
  }
  return undefined;
}

const events = (list) =>
  list
    .map(
      ([event, data]) =>
        `${event ? `event: ${event}\n` : ''}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`,
    )
    .join('');

const PROTOCOLS = [
  {
    matches: (path) => path.endsWith('/messages'),
    tools: (body) => (body.tools ?? []).map((tool) => ({ name: tool.name, schema: tool.input_schema })),
    conversation: (body) => body.messages,
    answer: (tool, id, body) => {
      const block = tool ? { type: 'tool_use', id, name: tool.name, input: {} } : { type: 'text', text: '' };
      const delta = tool
        ? { type: 'input_json_delta', partial_json: JSON.stringify(tool.input) }
        : { type: 'text_delta', text: 'Done.' };
      const stop = tool ? 'tool_use' : 'end_turn';
      const message = {
        id: `msg_${id}`,
        type: 'message',
        role: 'assistant',
        model: body.model,
        stop_sequence: null,
        usage: { input_tokens: 1, output_tokens: 1 },
      };
      if (!body.stream) {
        const content = [tool ? { ...block, input: tool.input } : { type: 'text', text: 'Done.' }];
        return { json: { ...message, content, stop_reason: stop } };
      }
      return {
        stream: events([
          ['message_start', { type: 'message_start', message: { ...message, content: [], stop_reason: null } }],
          ['content_block_start', { type: 'content_block_start', index: 0, content_block: block }],
          ['content_block_delta', { type: 'content_block_delta', index: 0, delta }],
          ['content_block_stop', { type: 'content_block_stop', index: 0 }],
          [
            'message_delta',
            { type: 'message_delta', delta: { stop_reason: stop, stop_sequence: null }, usage: { output_tokens: 1 } },
          ],
          ['message_stop', { type: 'message_stop' }],
        ]),
      };
    },
  },
  {
    matches: (path) => path.endsWith('/responses'),
    tools: (body) => (body.tools ?? []).map((tool) => ({ name: tool.name ?? tool.type, schema: tool.parameters })),
    conversation: (body) => body.input,
    answer: (tool, id) => {
      const item = tool
        ? {
            type: 'function_call',
            id: `fc_${id}`,
            call_id: id,
            name: tool.name,
            arguments: JSON.stringify(tool.input),
            status: 'completed',
          }
        : {
            type: 'message',
            id: `m_${id}`,
            role: 'assistant',
            status: 'completed',
            content: [{ type: 'output_text', text: 'Done.', annotations: [] }],
          };
      const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
      const response = { id: `resp_${id}`, object: 'response', status: 'completed', output: [item], usage };
      return {
        stream: events([
          [
            'response.created',
            { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
          ],
          ['response.output_item.added', { type: 'response.output_item.added', output_index: 0, item }],
          ['response.output_item.done', { type: 'response.output_item.done', output_index: 0, item }],
          ['response.completed', { type: 'response.completed', response }],
        ]),
      };
    },
  },
  {
    matches: (path) => path.endsWith('/chat/completions'),
    tools: (body) => (body.tools ?? []).map((tool) => ({ name: tool.function.name, schema: tool.function.parameters })),
    conversation: (body) => body.messages,
    answer: (tool, id, body) => {
      const call = tool && {
        index: 0,
        id,
        type: 'function',
        function: { name: tool.name, arguments: JSON.stringify(tool.input) },
      };
      const message = tool
        ? { role: 'assistant', content: null, tool_calls: [call] }
        : { role: 'assistant', content: 'Done.' };
      const finish = tool ? 'tool_calls' : 'stop';
      const common = { id: `chat_${id}`, created: 1, model: body.model };
      const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
      if (!body.stream)
        return {
          json: {
            ...common,
            object: 'chat.completion',
            choices: [{ index: 0, message, finish_reason: finish }],
            usage,
          },
        };
      const chunk = (delta, reason) => ({
        ...common,
        object: 'chat.completion.chunk',
        choices: [{ index: 0, delta, finish_reason: reason }],
      });
      return {
        stream: events([
          [null, chunk(message, null)],
          [null, { ...chunk({}, finish), usage }],
          [null, '[DONE]'],
        ]),
      };
    },
  },
  {
    matches: (path) => /:(?:streamG|g)enerateContent$/.test(path),
    tools: (body) =>
      (body.tools ?? []).flatMap((tool) =>
        (tool.functionDeclarations ?? []).map((one) => ({
          name: one.name,
          schema: one.parametersJsonSchema ?? one.parameters,
        })),
      ),
    conversation: (body) => body.contents,
    answer: (tool, _id, _body, path) => {
      const parts = [tool ? { functionCall: { name: tool.name, args: tool.input } } : { text: 'Done.' }];
      const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 };
      const response = {
        candidates: [{ index: 0, content: { role: 'model', parts }, finishReason: 'STOP' }],
        usageMetadata,
      };
      return path.includes(':stream') ? { stream: events([[null, response]]) } : { json: response };
    },
  },
];

/**
 * @param {readonly Call[]} script
 * @returns the port, and for each turn what the conversation was when the model was asked
 */
export async function startEndpoint(script) {
  const turns = [];
  let position = 0;
  const server = createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const path = new URL(request.url ?? '/', 'http://localhost').pathname;
      const protocol = PROTOCOLS.find((one) => one.matches(path));
      let body = {};
      try {
        body = JSON.parse(Buffer.concat(chunks).toString('utf8') || '{}');
      } catch {
        // Not a request of a model.
      }
      if (!protocol || request.method !== 'POST') {
        response.writeHead(path.endsWith('/models') ? 200 : 404, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ data: [], models: [] }));
        return;
      }
      const tools = protocol.tools(body);
      // Agents ask side questions (a title, a topic) without their tools: those are answered and not counted.
      const isTurn = toolFor({ kind: 'shell', command: '' }, tools) !== undefined;
      let tool;
      if (isTurn) {
        // What the agent has no tool for is left out.
        while (position < script.length && !toolFor(script[position], tools)) position += 1;
        const call = script[position];
        tool = call && toolFor(call, tools);
        position += 1;
        turns.push({
          conversation: JSON.stringify(protocol.conversation(body)),
          tools: tools.map(({ name }) => name),
          call,
        });
      }
      const { stream, json } = protocol.answer(tool, `call_${turns.length}`, body, path);
      response.writeHead(200, { 'content-type': stream ? 'text/event-stream' : 'application/json' });
      response.end(stream ?? JSON.stringify(json));
    });
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return { port: server.address().port, turns, stop: () => server.close() };
}
