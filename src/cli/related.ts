/** `sidecar related`: the block for given anchors, as a search for them would get it. */
import { relative } from 'node:path';
import { SidecarError } from '../errors.js';
import { blockFor } from '../retrieval/block.js';
import type { Match } from '../retrieval/request.js';
import { DiskReader } from '../shim/reader.js';
import { type CommonOptions, type ExitCode, locate, type Streams } from './context.js';
import { repositoryPath } from './show.js';

export interface RelatedArguments extends CommonOptions {
  readonly anchors: readonly string[];
  readonly query?: string;
  readonly k?: number;
  readonly theta?: number;
  readonly budget?: number;
}

export async function runRelated(args: RelatedArguments, streams: Streams): Promise<ExitCode> {
  const { target, folder } = await locate(streams, args);
  const reader = DiskReader.open(folder);
  if (!reader)
    throw new SidecarError('no evidence to show', 'there is no index of this repository', 'run: sidecar build');
  const lines = new Map<string, number[]>();
  for (const anchor of args.anchors) {
    const [, name = anchor, line] = /^(.*?)(?::(\d+))?$/s.exec(anchor) ?? [];
    const path = repositoryPath(streams, target.root, name);
    if (!reader.sidecar(path)) {
      throw new SidecarError(`no evidence about ${path}`, 'it is not in the index', 'run: sidecar align');
    }
    lines.set(path, [...(lines.get(path) ?? []), ...(line === undefined ? [] : [Number(line)])]);
  }
  const matches: Match[] = [...lines].map(([path, found]) => ({ path, lines: found.sort((a, b) => a - b) }));
  const here = relative(target.root, streams.cwd);
  const { text, shown, log } = blockFor({
    matches,
    patterns: args.query === undefined ? [] : [args.query],
    reader,
    ...(args.k === undefined ? {} : { k: args.k }),
    ...(args.theta === undefined ? {} : { theta: args.theta }),
    ...(args.budget === undefined ? {} : { budget: args.budget }),
    display: (path) => (here === '' ? path : relative(here, path)),
  });
  if (args.json) streams.out(`${JSON.stringify({ text, shown, log })}\n`);
  else if (text !== '') streams.out(text);
  else if (!args.quiet) streams.error(`sidecar: nothing worth showing (${log.decision})\n`);
  return 0;
}
