/** A progress line on a terminal; nothing elsewhere. */
import type { Streams } from './context.js';

const WIDTH = 24;
const EVERY_MS = 80;

export interface Progress {
  readonly update: (phase: string, done: number, total: number) => void;
  /** Removes the line. */
  readonly clear: () => void;
}

export function progressOn(streams: Streams, quiet: boolean): Progress {
  if (!streams.interactive || quiet) return { update: () => undefined, clear: () => undefined };
  let last = 0;
  return {
    update: (phase, done, total) => {
      const now = performance.now();
      if (now - last < EVERY_MS && done < total) return;
      last = now;
      const filled = total === 0 ? WIDTH : Math.round((WIDTH * done) / total);
      streams.error(`\r\x1b[K${phase.padEnd(8)} [${'#'.repeat(filled)}${'.'.repeat(WIDTH - filled)}] ${done}/${total}`);
    },
    clear: () => streams.error('\r\x1b[K'),
  };
}
