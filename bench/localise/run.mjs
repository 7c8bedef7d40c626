// Runs the benchmark from its TypeScript source: node bench/localise/run.mjs --help
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';

const { module } = await runnerImport(fileURLToPath(new URL('./main.ts', import.meta.url)), { logLevel: 'error' });
process.exitCode = await module.main(process.argv.slice(2));
