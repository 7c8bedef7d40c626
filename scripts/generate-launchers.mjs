// Writes shims/rg and shims/grep from the flag table (after tsc); with --check, fails where they differ.
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { launcherFor } from '../dist/shim/launcher.js';

const check = process.argv.includes('--check');
let stale = 0;
mkdirSync('shims', { recursive: true });
for (const tool of ['rg', 'grep']) {
  const target = `shims/${tool}`;
  const text = launcherFor(tool);
  if (existsSync(target) && readFileSync(target, 'utf8') === text) continue;
  stale += 1;
  if (check) console.error(`${target} is not what src/shim says: run \`npm run build\` and commit it`);
  else writeFileSync(target, text);
}
if (check && stale > 0) process.exit(1);
for (const tool of ['rg', 'grep']) chmodSync(`shims/${tool}`, 0o755);
