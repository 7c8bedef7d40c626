/** What of each file takes part in communities and flows. Apart from their computation, which most aligns do not load. */
import type { FileFacts } from '../facts/model.js';
import type { EdgeDraft } from '../graph/edge.js';
import type { Content } from './contents.js';

/** What of a file the global evidence is made from. */
export interface GlobalInput {
  readonly path: string;
  readonly language: string;
  readonly isTest: boolean;
  readonly symbols: FileFacts['symbols'];
  readonly entryPoints: FileFacts['entryPoints'];
  readonly edges: readonly EdgeDraft[];
}

/** The part of a file in global evidence; undefined where it has none (documents, configuration, what is not parsed). */
export function globalInput(
  { path, language, role }: Pick<Content, 'path' | 'language' | 'role'>,
  facts: Pick<FileFacts, 'symbols' | 'entryPoints'> | undefined,
  edges: readonly EdgeDraft[],
): GlobalInput | undefined {
  if (!facts || !(role === 'source' || role === 'test' || role === 'generated')) return undefined;
  const { symbols, entryPoints } = facts;
  return { path, language: language ?? '', isTest: role === 'test', symbols, entryPoints, edges };
}
