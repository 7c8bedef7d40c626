/** `sidecar build`: index a work tree or a commit. */
import { rmSync } from 'node:fs';
import { build } from '../indexing/build.js';
import { isFollowed } from '../indexing/summary.js';
import { requireLock } from '../io/lock.js';
import {
  type CommonOptions,
  defaultWorkers,
  type ExitCode,
  LOCK_WAIT_MS,
  locate,
  plural,
  type Streams,
  settingsFor,
} from './context.js';
import { progressOn } from './progress.js';

export interface BuildArguments extends CommonOptions {
  readonly path?: string;
  readonly commit?: string;
  readonly workers?: number;
  readonly compact?: boolean;
  readonly full?: boolean;
}

export async function runBuild(args: BuildArguments, streams: Streams): Promise<ExitCode> {
  const started = performance.now();
  const place = await locate(streams, args, args.path, args.commit);
  const settings = settingsFor(place, args.compact ?? false);
  const lock = await requireLock(place.folder, LOCK_WAIT_MS);
  const progress = progressOn(streams, args.quiet ?? false);
  try {
    if (args.full) rmSync(place.factsFolder, { recursive: true, force: true });
    const { index, parsed, phases, cpu } = await build(place.target, {
      folder: place.folder,
      factsFolder: place.factsFolder,
      settings,
      workers: args.workers ?? defaultWorkers(),
      onProgress: progress.update,
    });
    progress.clear();
    const seconds = (performance.now() - started) / 1000;
    if (args.json) {
      streams.out(
        `${JSON.stringify({ folder: place.folder, parsed, seconds: Number(seconds.toFixed(3)), phases, cpu, index })}\n`,
      );
    } else if (!args.quiet) {
      const { files, symbols, edges } = index.counts;
      const counted = (followed: boolean): string =>
        index.skipped
          .filter(({ reason }) => isFollowed(reason) === followed)
          .map(({ reason, count }) => `${count} ${reason}`)
          .join(', ');
      const skipped = counted(false);
      const inPart = counted(true);
      streams.out(
        `indexed ${plural(files, 'file')}, ${plural(symbols, 'symbol')}, ${plural(edges, 'edge')} in ${seconds.toFixed(1)} s` +
          `${index.commit === null ? '' : ` at ${index.commit.slice(0, 10)}`}${index.tree === 'dirty' ? ' with changes' : ''}` +
          `${skipped === '' ? '' : `; not followed: ${skipped}`}${inPart === '' ? '' : `; read in part: ${inPart}`}\n`,
      );
    }
    return 0;
  } finally {
    progress.clear();
    lock.release();
  }
}
