/** `sidecar manifest`: what the repository is. */
import { renderManifest } from '../recon/manifest/render.js';
import type { CommonOptions, ExitCode, Streams } from './context.js';
import { manifestFrom, survey } from './reconnaissance.js';

export async function runManifest(args: CommonOptions, streams: Streams): Promise<ExitCode> {
  const manifest = manifestFrom(await survey(streams, args));
  streams.out(args.json ? `${JSON.stringify(manifest)}\n` : renderManifest(manifest));
  return 0;
}
