/** A repository's facts and edges, made in process by the stages in `dist/`. */
import { execFileSync } from 'node:child_process';
import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The stages, compiled. `dist` is a folder. */
export async function loadStages(dist) {
  const load = (name) => import(pathToFileURL(join(dist, name)).href);
  const [parser, registry, memory, tracked, link, confidence] = await Promise.all(
    [
      'io/parser.js',
      'languages/registry.js',
      'graph/memory-source.js',
      'graph/tracked-view.js',
      'graph/link.js',
      'graph/confidence.js',
    ].map(load),
  );
  return { ...parser, ...registry, ...memory, ...tracked, ...link, ...confidence };
}

const isFile = (path) => {
  try {
    return lstatSync(path).isFile();
  } catch {
    return false;
  }
};

/**
 * Reads every file that git lists in `folder` and links all of them.
 * @returns by path, only files with a grammar: `{language, symbols, imports, lines, text, edges}`. `text` is the
 *   lines; edges are `EdgeDraft`s with the `confidence` that is printed for them.
 */
export async function readRepository(folder, stages) {
  const listed = execFileSync('git', ['-C', folder, 'ls-files', '-z'], { encoding: 'utf8', maxBuffer: 1 << 30 });
  const known = [];
  const read = [];
  for (const path of listed.split('\0').filter(Boolean).sort()) {
    const reader = stages.readerOf(path);
    if (!reader || !isFile(join(folder, path))) {
      known.push({ path });
      continue;
    }
    const text = readFileSync(join(folder, path), 'utf8');
    const facts = await stages.extractFacts(reader, text);
    known.push({ path, surface: facts.surface, facts, language: reader.language });
    if (reader.dialect) read.push({ path, facts, language: reader.language, text });
  }
  const view = new stages.TrackedView(new stages.MemorySource(known));
  const files = new Map();
  for (const { path, facts, language, text } of read) {
    const edges = stages
      .linkFile(path, facts, language, view)
      .edges.map((edge) => ({ ...edge, confidence: stages.confidenceOf(language.id, edge) }));
    const { symbols, imports, lines } = facts;
    files.set(path, { language: language.id, symbols, imports, lines, edges, text: text.split('\n') });
  }
  return files;
}
