/** `sidecar ask`: answers with evidence. */
import { SidecarError } from '../errors.js';
import { ask, renderAnswer } from '../recon/ask/ask.js';
import { parseQuestion, QUESTION_KINDS } from '../recon/ask/plain-language.js';
import { Knowledge } from '../recon/knowledge.js';
import type { CommonOptions, ExitCode, Streams } from './context.js';
import { changedTogetherIn, linked, manifestFrom, survey } from './reconnaissance.js';

export interface AskArguments extends CommonOptions {
  readonly question: readonly string[];
}

export async function runAsk(args: AskArguments, streams: Streams): Promise<ExitCode> {
  const question = parseQuestion(args.question);
  if (!question) {
    throw new SidecarError(
      `cannot understand '${args.question.join(' ').slice(0, 80)}'`,
      'it fits no known question',
      `ask one of ${QUESTION_KINDS.join(', ')} with a name: sidecar ask tests-for Foo`,
    );
  }
  const reconnaissance = await survey(streams, args);
  const { facts, edges } =
    question.kind === 'command' || question.kind === 'config'
      ? { facts: new Map(), edges: new Map() }
      : await linked(reconnaissance);
  const knowledge = new Knowledge({
    repository: reconnaissance.repository,
    manifest: manifestFrom(reconnaissance),
    facts,
    edges,
    changedTogether: changedTogetherIn(reconnaissance.place),
  });
  const answer = ask(knowledge, question);
  streams.out(args.json ? `${JSON.stringify(answer)}\n` : renderAnswer(answer));
  return 0;
}
