// Makes dist/cli/main.js and its lazily loaded parts, one file for what each command needs: resolving and loading two
// hundred modules takes longer than an align of one file. Runs after tsc, whose main.js it replaces. Packages with
// native code or wasm of their own stay packages.
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';

const folder = 'dist/cli';
const packages = ['lmdb', 'msgpackr', 'web-tree-sitter'];

// Parts are named after what is in them, so an earlier build may have left others.
for (const name of readdirSync(folder)) if (name.endsWith('.part.js')) rmSync(join(folder, name));

await build({
  configFile: false,
  logLevel: 'error',
  build: {
    ssr: true,
    outDir: folder,
    emptyOutDir: false,
    target: 'node20',
    rollupOptions: {
      input: { main: 'src/cli/main.ts', 'extraction-worker': 'src/io/extraction-worker.ts' },
      external: packages,
      output: {
        format: 'es',
        // Names stay, for reports of errors; blanks and comments cost time to read.
        minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
        entryFileNames: '[name].js',
        // Beside main.js, since code finds files by its own place (queries, the worker, the launchers).
        chunkFileNames: '[name].part.js',
      },
    },
  },
  ssr: { noExternal: true, external: packages },
});
