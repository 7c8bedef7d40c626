/** `sidecar align`: make the index describe a revision, or the work tree as it is. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { AlignOptions } from '../indexing/align.js';
import type { Target } from '../indexing/target.js';
import { differences } from '../io/compare-generations.js';
import { currentGeneration, readIndex } from '../io/index-folder.js';
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
import { siblingIndexes } from './siblings.js';

export interface AlignArguments extends CommonOptions {
  readonly revision?: string;
  readonly check?: boolean;
  readonly globals?: AlignOptions['globals'];
  readonly workers?: number;
}

export async function runAlign(args: AlignArguments, streams: Streams): Promise<ExitCode> {
  const started = performance.now();
  // Git answers while the code is loaded.
  const [place, { align }] = await Promise.all([
    locate(streams, args, '.', args.revision),
    import('../indexing/align.js'),
  ]);
  // A compact index stays compact.
  const present = readIndex(place.folder);
  const settings = { ...settingsFor(place, false), ...pick(present?.settings.neighbours) };
  const lock = await requireLock(place.folder, LOCK_WAIT_MS);
  const progress = progressOn(streams, args.quiet ?? false);
  const options: AlignOptions = {
    folder: place.folder,
    factsFolder: place.factsFolder,
    settings,
    workers: args.workers ?? defaultWorkers(),
    onProgress: progress.update,
    globals: args.globals ?? 'auto',
    ...(present ? {} : { siblings: await siblingIndexes(place, streams.env) }),
  };
  try {
    const report = await align(place.target, options);
    progress.clear();
    const found = args.check ? await check(place.target, options) : [];
    progress.clear();
    const seconds = (performance.now() - started) / 1000;
    if (args.json) {
      streams.out(
        `${JSON.stringify({ ...report, seconds: Number(seconds.toFixed(3)), ...(args.check ? { differences: found } : {}) })}\n`,
      );
    } else if (!args.quiet) {
      const at = report.index.commit === null ? '' : ` at ${report.index.commit.slice(0, 10)}`;
      const what =
        report.outcome === 'built'
          ? `built anew (${report.why}): ${plural(report.changed, 'file')}`
          : `${report.adopted ? "started from another worktree's index, " : ''}aligned: ${plural(report.changed, 'file')} changed, ${report.linked} linked, ${plural(report.written, 'sidecar')} written`;
      streams.out(`${what} in ${seconds.toFixed(2)} s${at}\n`);
    }
    if (args.check && !args.json) {
      for (const path of found) streams.out(`differs from a build: ${path}\n`);
      if (!args.quiet && found.length === 0) streams.out('equal to a build from scratch\n');
    }
    return found.length > 0 ? 1 : 0;
  } finally {
    progress.clear();
    lock.release();
  }
}

const pick = (neighbours: number | undefined): { neighbours?: number } =>
  neighbours === undefined ? {} : { neighbours };

/**
 * Builds the same beside the index and compares every byte. Communities and flows are global: unless they were
 * asked for every time, they (or their labels) may be those of an earlier state, and are left out.
 */
async function check(target: Target, options: AlignOptions): Promise<string[]> {
  const carried = options.globals !== 'always';
  const folder = join(options.folder, 'check');
  try {
    const { build } = await import('../indexing/build.js');
    await build(target, { ...options, folder });
    const [mine, fresh] = [currentGeneration(options.folder), currentGeneration(folder)];
    return mine === undefined || fresh === undefined ? ['index.json'] : differences(mine, fresh, carried);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
