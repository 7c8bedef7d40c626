// Copies what tsc leaves behind (tree-sitter queries) next to the compiled code, so that source
// and distribution find their assets at the same relative path.
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

for (const entry of readdirSync('src', { recursive: true })) {
  if (!entry.endsWith('.scm')) continue;
  const target = join('dist', entry);
  mkdirSync(dirname(target), { recursive: true });
  copyFileSync(join('src', entry), target);
}
if (existsSync('dist/cli/main.js')) chmodSync('dist/cli/main.js', 0o755);
