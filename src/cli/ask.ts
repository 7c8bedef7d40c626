/** `sidecar ask`: answers with evidence. */
import { SidecarError } from '../errors.js';
import { ask, renderAnswer } from '../recon/ask/ask.js';
import { parseQuestion, QUESTION_KINDS } from '../recon/ask/plain-language.js';
import { PURPOSES } from '../recon/ecosystems/claim.js';
import type { CommonOptions, ExitCode, Streams } from './context.js';
import { knowledgeOf, manifestFrom, survey } from './reconnaissance.js';

export interface AskArguments extends CommonOptions {
  readonly question: readonly string[];
}

export async function runAsk(args: AskArguments, streams: Streams): Promise<ExitCode> {
  const question = parseQuestion(args.question);
  if (!question) {
    throw new SidecarError(
      `cannot understand '${args.question.join(' ').slice(0, 80)}'`,
      'it fits no known question',
      `ask one of ${QUESTION_KINDS.filter((kind) => kind !== 'command').join(', ')} with a name (sidecar ask tests-for Foo), or command with one of ${PURPOSES.join(', ')}`,
    );
  }
  const reconnaissance = await survey(streams, args);
  try {
    const manifest = question.kind === 'command' ? await manifestFrom(reconnaissance) : undefined;
    const answer = ask(knowledgeOf(reconnaissance, manifest), question);
    streams.out(args.json ? `${JSON.stringify(answer)}\n` : renderAnswer(answer));
    return 0;
  } finally {
    await reconnaissance.close();
  }
}
