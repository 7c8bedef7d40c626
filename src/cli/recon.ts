/** `sidecar recon`: does the task need context, and which slice does it earn? */
import { Knowledge } from '../recon/knowledge.js';
import { indexCorpus } from '../recon/map/documents.js';
import { scoresOf } from '../recon/map/rankers.js';
import { entitiesOf } from '../recon/slice/entities.js';
import { decide } from '../recon/slice/gate.js';
import { climb } from '../recon/slice/ladder.js';
import { renderSlice } from '../recon/slice/render.js';
import { tokensOf } from '../recon/tokens.js';
import type { CommonOptions, ExitCode, Streams } from './context.js';
import { corpusFrom, linked, manifestFrom, survey } from './reconnaissance.js';

export interface ReconArguments extends CommonOptions {
  readonly task: string;
  readonly budget?: number;
}

export const RECON_BUDGET = 2048;

export async function runRecon(args: ReconArguments, streams: Streams): Promise<ExitCode> {
  const reconnaissance = await survey(streams, args);
  const { facts, edges } = await linked(reconnaissance);
  const corpus = corpusFrom(reconnaissance, { facts, edges });
  const knowledge = new Knowledge({
    repository: reconnaissance.repository,
    manifest: manifestFrom(reconnaissance),
    facts,
    edges,
  });
  const entities = entitiesOf(knowledge, corpus, args.task);
  const decision = decide(knowledge, entities, args.task);
  const scores = scoresOf(indexCorpus(corpus), args.task, 'layered');
  const slice = climb(knowledge, corpus, scores, entities, decision);
  const regions: never[] = [];
  const text = renderSlice(knowledge, slice, regions, args.budget ?? RECON_BUDGET, tokensOf);
  streams.out(args.json ? `${JSON.stringify({ ...slice, text })}\n` : text);
  return 0;
}
