/** `sidecar hook AGENT`: adds the block to the searches of an agent that the launchers do not reach. */
import { readFileSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { agentNamed } from '../agents/registry.js';
import { searchesIn } from '../agents/searches.js';
import type { Streams } from './context.js';

/**
 * Answers one event of the agent's hook. Never fails: an agent must not notice anything but the block, so whatever
 * goes wrong means no output.
 * @param input what the agent wrote to stdin
 */
export async function answerHook(name: string, input: string, streams: Streams): Promise<0> {
  try {
    const agent = agentNamed(name);
    if (!agent?.hook || streams.env.SIDECAR_MODE === 'off') return 0;
    const call = agent.hook.read(JSON.parse(input));
    if (!call || !isAbsolute(call.folder)) return 0;
    const searches = searchesIn(call);
    if (searches.length === 0) return 0;
    // Most calls are no searches: only a search pays for loading what answers it.
    const { blockForCall } = await import('./hook-block.js');
    const text = await blockForCall(agent, call, searches, streams.env);
    if (text !== '') streams.out(agent.hook.answer(text));
  } catch {
    // See above.
  }
  return 0;
}

export async function runHook(name: string, streams: Streams): Promise<0> {
  let input = '';
  try {
    input = readFileSync(0, 'utf8');
  } catch {
    return 0;
  }
  return answerHook(name, input, streams);
}
