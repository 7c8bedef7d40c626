/** `sidecar map`: signatures under a token budget, ranked for a query or for what changed. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { SidecarError } from '../errors.js';
import { listModified } from '../io/git.js';
import { mapOf } from '../recon/map/map.js';
import type { Ranker } from '../recon/map/rankers.js';
import { tokensOf } from '../recon/tokens.js';
import { type CommonOptions, type ExitCode, locate, type Streams } from './context.js';
import { indexedCorpus } from './indexed-corpus.js';

export interface MapArguments extends CommonOptions {
  readonly query?: string;
  /** A file that holds the query, an issue with a traceback for instance. */
  readonly issue?: string;
  readonly budget?: number;
  readonly ranker?: Ranker;
}

export const MAP_BUDGET = 2048;

/** The text of a file named on the command line. */
export function readTask(streams: Streams, path: string): string {
  try {
    return readFileSync(resolve(streams.cwd, path), 'utf8');
  } catch (error) {
    throw new SidecarError(
      `cannot read ${path}`,
      (error as NodeJS.ErrnoException).code ?? 'unreadable',
      'name a text file',
    );
  }
}

export async function runMap(args: MapArguments, streams: Streams): Promise<ExitCode> {
  const query = args.issue === undefined ? args.query : readTask(streams, args.issue);
  const place = await locate(streams, args);
  const { target } = place;
  const index = await indexedCorpus(place, streams, args);
  const { corpus } = index;
  const changed =
    query === undefined && target.repository && !target.repository.bare ? await listModified(target.root) : [];
  const filled = mapOf(index, {
    budget: args.budget ?? MAP_BUDGET,
    tokens: tokensOf,
    changed,
    ...(query === undefined ? {} : { query }),
    ...(args.ranker === undefined ? {} : { ranker: args.ranker }),
  });
  if (args.json) {
    const files = filled.files.map(({ file, symbols }) => ({
      path: corpus.paths[file],
      symbols: symbols.flatMap((i) => {
        const symbol = corpus.symbols[i];
        return symbol ? [{ name: symbol.name, kind: symbol.kind, line: symbol.line, signature: symbol.signature }] : [];
      }),
    }));
    streams.out(`${JSON.stringify({ tokens: filled.tokens, files, text: filled.text })}\n`);
  } else if (filled.text === '') {
    streams.error(
      corpus.symbols.length === 0 ? 'no symbols: no file of a known language\n' : 'nothing fits this budget\n',
    );
  } else {
    if (query !== undefined && !filled.matched)
      streams.error('no word of the query occurs here: this is what is central\n');
    streams.out(filled.text);
  }
  return 0;
}
