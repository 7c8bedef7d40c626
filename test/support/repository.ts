/** A repository in memory: files to facts to edges, without disk or git. For tests of languages and graph. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { FileFacts } from '../../src/facts/model.js';
import type { EdgeDraft } from '../../src/graph/edge.js';
import { linkFile } from '../../src/graph/link.js';
import { MemorySource } from '../../src/graph/memory-source.js';
import { TrackedView } from '../../src/graph/tracked-view.js';
import { extractFacts } from '../../src/io/parser.js';
import { linkerOf, readerOf } from '../../src/languages/registry.js';

export interface LinkedRepository {
  readonly facts: ReadonlyMap<string, FileFacts>;
  readonly edges: ReadonlyMap<string, readonly EdgeDraft[]>;
  /** Every edge on a line, sorted: `a.py:f -> b.py:g calls imported-name`, `(1 of 3)` where ambiguous. */
  readonly listing: string;
}

export async function linkRepository(files: Readonly<Record<string, string>>): Promise<LinkedRepository> {
  const facts = new Map<string, FileFacts>();
  const known = [];
  for (const path of Object.keys(files).sort()) {
    const reader = readerOf(path);
    if (!reader) {
      known.push({ path });
      continue;
    }
    const extracted = await extractFacts(reader, files[path] ?? '');
    facts.set(path, extracted);
    known.push({ path, surface: extracted.surface, facts: extracted, language: reader.language });
  }
  const view = new TrackedView(new MemorySource(known));
  const edges = new Map<string, readonly EdgeDraft[]>();
  const lines: string[] = [];
  for (const [path, extracted] of facts) {
    const reader = readerOf(path);
    if (!reader) continue;
    const linked = linkFile(path, extracted, linkerOf(reader), view).edges;
    edges.set(path, linked);
    for (const edge of linked) {
      const from = edge.from < 0 ? path : `${path}:${extracted.symbols[edge.from]?.name}`;
      const to = edge.to.symbol === undefined ? edge.to.path : `${edge.to.path}:${edge.to.symbol}`;
      lines.push(`${from} -> ${to} ${edge.type} ${edge.provenance}${edge.among ? ` (1 of ${edge.among})` : ''}`);
    }
  }
  return { facts, edges, listing: `${lines.sort().join('\n')}\n` };
}

/** The files under a fixture folder, by repository path. Files named `expected*` are the fixture's own. */
export function readFixture(folder: string): Record<string, string> {
  const files: Record<string, string> = {};
  for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    const full = join(folder, entry);
    if (entry.startsWith('expected') || !statSync(full).isFile()) continue;
    files[entry] = readFileSync(full, 'utf8');
  }
  return files;
}
