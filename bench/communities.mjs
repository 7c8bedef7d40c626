// Prints the ten largest communities of repositories, for a person to read: are these the names that a maintainer would
// give? And the modularity beside plain Louvain's. Usage: node bench/communities.mjs REPOSITORY... (after
// `npm run build`; each index is built in a temporary folder)
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { communitiesOf } from '../dist/graph/communities.js';
import { factsOf } from '../dist/indexing/contents.js';
import { globalInput } from '../dist/indexing/global-input.js';
import { filePairs } from '../dist/indexing/globals.js';
import { storedContent } from '../dist/indexing/store-source.js';
import { FactsStore } from '../dist/io/facts-store.js';
import { currentGeneration } from '../dist/io/index-folder.js';
import { IndexStore } from '../dist/io/index-store.js';
import { STORE_FOLDER } from '../dist/sidecars/layout.js';

const cli = new URL('../dist/cli/main.js', import.meta.url).pathname;
const SHOWN = 10;
const FOLDERS = 3;

async function inputsOf(folder) {
  const store = new IndexStore(join(currentGeneration(folder), STORE_FOLDER));
  const facts = new FactsStore(join(folder, 'facts'));
  const records = [...store.allFiles()].sort((a, b) => (a.path < b.path ? -1 : 1));
  const inputs = records.flatMap((record) => {
    const content = storedContent(facts, record.path, record);
    return globalInput(content, factsOf(content), store.edgesOf(record.number)) ?? [];
  });
  await store.close();
  await facts.close();
  return inputs;
}

for (const repository of process.argv.slice(2)) {
  const folder = mkdtempSync(join(tmpdir(), 'sidecar-communities-'));
  execFileSync(process.execPath, [cli, 'build', repository, '--quiet', '--index-dir', folder]);
  const inputs = await inputsOf(folder);
  const names = new Map(inputs.map(({ path, symbols }) => [path, symbols.map(({ name }) => name)]));
  const { byFile, count, modularity, plainModularity } = communitiesOf({
    files: inputs.map(({ path }) => path),
    pairs: filePairs(inputs),
    symbols: (path) => names.get(path) ?? [],
  });
  const members = new Map();
  for (const [path, { label }] of byFile) members.set(label, [...(members.get(label) ?? []), path]);
  console.log(
    `\n${basename(repository)}: ${count} communities, modularity ${modularity}, plain Louvain ${plainModularity}\n`,
  );
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
