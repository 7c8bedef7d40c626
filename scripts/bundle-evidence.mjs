// Makes dist/shim/evidence.cjs, the one file that an augmented search starts: loading it as separate modules would
// take 20 ms of processor time more (bench/shim). Runs after tsc. Exported for the tests, which put another block in.
import { pathToFileURL } from 'node:url';
import { build } from 'vite';

/**
 * @param {string} outDir folder of evidence.cjs
 * @param {Record<string, string>} [replacements] end of a module's path -> code to use in its place
 */
export async function bundleEvidence(outDir, replacements = {}) {
  await build({
    configFile: false,
    logLevel: 'error',
    plugins: [
      {
        name: 'replacements',
        load(id) {
          for (const [end, code] of Object.entries(replacements)) if (id.endsWith(end)) return code;
          return null;
        },
      },
    ],
    build: {
      ssr: 'src/shim/start.ts',
      outDir,
      emptyOutDir: false,
      minify: false,
      target: 'node20',
      rollupOptions: { output: { format: 'cjs', entryFileNames: 'evidence.cjs', chunkFileNames: '[name].part.cjs' } },
    },
    ssr: { noExternal: true },
  });
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await bundleEvidence('dist/shim');
