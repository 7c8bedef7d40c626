/** `sidecar manifest`: what the repository is. */
import { renderManifest } from '../recon/manifest/render.js';
import type { CommonOptions, ExitCode, Streams } from './context.js';
import { manifestFrom, survey } from './reconnaissance.js';

export async function runManifest(args: CommonOptions, streams: Streams): Promise<ExitCode> {
  const reconnaissance = await survey(streams, args);
  try {
    const manifest = await manifestFrom(reconnaissance);
    streams.out(args.json ? `${JSON.stringify(manifest)}\n` : renderManifest(manifest));
    return 0;
  } finally {
    await reconnaissance.close();
  }
}
