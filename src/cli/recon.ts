/** `sidecar recon`: does the task need context, and which slice does it earn? */
import { SidecarError } from '../errors.js';
import { READING, scoresOf } from '../recon/map/rankers.js';
import { entitiesOf } from '../recon/slice/entities.js';
import { decide } from '../recon/slice/gate.js';
import { bestOf, climb } from '../recon/slice/ladder.js';
import { readingOrder } from '../recon/slice/regions.js';
import { renderSlice } from '../recon/slice/render.js';
import { tokensOf } from '../recon/tokens.js';
import type { CommonOptions, ExitCode, Streams } from './context.js';
import { corpusOfState } from './indexed-corpus.js';
import { knowledgeOf, manifestFrom, survey } from './reconnaissance.js';

export interface ReconArguments extends CommonOptions {
  readonly task: string;
  readonly budget?: number;
}

export const RECON_BUDGET = 2048;

export async function runRecon(args: ReconArguments, streams: Streams): Promise<ExitCode> {
  if (args.task.trim() === '') {
    throw new SidecarError(
      'no slice to show',
      'the task is empty',
      "say what is to be done: sidecar recon --task 'Cart.total is off by one'",
    );
  }
  const reconnaissance = await survey(streams, args);
  try {
    const index = await corpusOfState(reconnaissance);
    const { corpus } = index;
    const knowledge = knowledgeOf(reconnaissance, await manifestFrom(reconnaissance));
    const entities = entitiesOf(knowledge, corpus, args.task);
    const scores = scoresOf(index, args.task, 'layered', READING);
    const decision = decide(knowledge, entities, args.task, bestOf(corpus, scores));
    const slice = climb(knowledge, corpus, scores, entities, decision);
    const { text: textOf } = reconnaissance.repository;
    const regions = decision.fires ? readingOrder(index, args.task, scores, textOf) : [];
    const text = renderSlice(knowledge, slice, regions, args.budget ?? RECON_BUDGET, tokensOf);
    if (!args.json && text === '') streams.error('nothing fits this budget\n');
    streams.out(args.json ? `${JSON.stringify({ ...slice, regions, text })}\n` : text);
    return 0;
  } finally {
    await reconnaissance.close();
  }
}
