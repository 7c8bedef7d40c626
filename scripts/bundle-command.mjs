// Makes dist/cli/main.js and its lazily loaded parts, one file for what each command needs: resolving and loading two
// hundred modules takes longer than an align of one file. CommonJS, since compiled code can be kept for it
// (src/io/code-cache.ts). Replaces what tsc leaves there. Packages with native code or wasm of their own stay packages.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';

const folder = 'dist/cli';
const packages = ['lmdb', 'msgpackr', 'web-tree-sitter'];

await build({
  configFile: false,
  logLevel: 'error',
  build: {
    ssr: true,
    outDir: folder,
    emptyOutDir: true,
    target: 'node20',
    rollupOptions: {
      input: {
        main: 'src/cli/start.ts',
        'extraction-worker': 'src/io/extraction-worker.ts',
        'writing-worker': 'src/io/writing-worker.ts',
      },
      external: packages,
      output: {
        format: 'cjs',
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
writeFileSync(join(folder, 'package.json'), '{ "type": "commonjs" }\n');
