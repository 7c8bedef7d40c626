// Prints the ten largest communities of repositories, for a person to read: are these the names that a maintainer would
// give? Usage: node bench/communities.mjs REPOSITORY... (builds each index in a temporary folder)
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const cli = new URL('../dist/cli/main.js', import.meta.url).pathname;
const SHOWN = 10;
const FOLDERS = 3;

for (const repository of process.argv.slice(2)) {
  const folder = mkdtempSync(join(tmpdir(), 'sidecar-communities-'));
  const built = JSON.parse(
    execFileSync(process.execPath, [cli, 'build', repository, '--json', '--index-dir', folder], { maxBuffer: 1 << 28 }),
  );
  const members = new Map();
  for (const entry of readdirSync(join(folder, 'current', 'files'), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const { path, community } = JSON.parse(readFileSync(join(entry.parentPath, entry.name), 'utf8'));
    if (community) members.set(community.label, [...(members.get(community.label) ?? []), path]);
  }
  const { communities, modularity } = built.index.globals;
  console.log(`\n${basename(repository)}: ${communities} communities, modularity ${modularity}\n`);
  console.log('| label | files | mostly in |\n| --- | --- | --- |');
  const largest = [...members].sort(([a, x], [b, y]) => y.length - x.length || (a < b ? -1 : 1)).slice(0, SHOWN);
  for (const [label, paths] of largest) {
    const folders = new Map();
    for (const path of paths) {
      const name = path.split('/').slice(0, -1).slice(0, 3).join('/') || '.';
      folders.set(name, (folders.get(name) ?? 0) + 1);
    }
    const most = [...folders].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).slice(0, FOLDERS);
    console.log(`| ${label} | ${paths.length} | ${most.map(([name, n]) => `${name} ${n}`).join(', ')} |`);
  }
  rmSync(folder, { recursive: true, force: true });
}
