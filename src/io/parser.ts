/** The tree-sitter parser: source text to the matches of a language's query, as plain data. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { Language as Grammar, Parser, Query } from 'web-tree-sitter';
import type { FileFacts } from '../facts/model.js';
import type { Capture, Dialect, Language, ParsedFile, QueryMatch } from '../languages/language.js';
import { MENTIONS, type Reader } from '../languages/registry.js';

const require = createRequire(import.meta.url);

/** The folders of the languages, which hold their queries: beside this one, or beside that of the bundled command. */
const LANGUAGES = fileURLToPath(new URL('../languages', import.meta.url));

interface Loaded {
  readonly parser: Parser;
  readonly query: Query;
}

const loaded = new Map<string, Promise<Loaded>>();
let initialised: Promise<void> | undefined;

/**
 * Runs `work`, which parses a few files, without the compiler that optimises WebAssembly: it would spend 200 ms of
 * processor time on a grammar that runs for 20 ms (flask, one file). Of many files each would then take longer.
 */
export async function parsingFew<T>(work: () => Promise<T>): Promise<T> {
  setFlagsFromString('--liftoff-only');
  try {
    return await work();
  } finally {
    // With what the first one implies. Compiled JavaScript is kept under the flags of the process (code-cache.ts).
    for (const flag of ['--no-liftoff-only', '--wasm-tier-up', '--wasm-dynamic-tiering']) setFlagsFromString(flag);
  }
}

async function load(language: Language, dialect: Dialect, wasm: string): Promise<Loaded> {
  initialised ??= Parser.init();
  await initialised;
  const grammar = await Grammar.load(readFileSync(require.resolve(wasm)));
  const source = dialect.queries.map((name) => readFileSync(join(LANGUAGES, language.id, name), 'utf8')).join('\n');
  const parser = new Parser();
  parser.setLanguage(grammar);
  return { parser, query: new Query(grammar, source) };
}

function loadOnce(language: Language, dialect: Dialect, wasm: string): Promise<Loaded> {
  const id = `${language.id}/${dialect.id}`;
  let pending = loaded.get(id);
  if (!pending) {
    pending = load(language, dialect, wasm);
    loaded.set(id, pending);
  }
  return pending;
}

/** Runs the dialect's query over `text`. */
export async function parse(language: Language, dialect: Dialect, text: string): Promise<ParsedFile> {
  const source = dialect.prepare ? dialect.prepare(text) : text;
  if (dialect.grammar === undefined) return { source, matches: [], errors: 0, dialect: dialect.id };
  const { parser, query } = await loadOnce(language, dialect, dialect.grammar);
  const tree = parser.parse(source);
  if (!tree) return { source, matches: [], errors: 1, dialect: dialect.id };
  try {
    const within = dialect.queryDepth === undefined ? {} : { maxStartDepth: dialect.queryDepth };
    const matches: QueryMatch[] = query.matches(tree.rootNode, within).map((match) => ({
      pattern: match.patternIndex,
      captures: match.captures.map(
        ({ name, node }): Capture => ({
          name,
          start: node.startIndex,
          end: node.endIndex,
          row: node.startPosition.row,
        }),
      ),
    }));
    const written = source === text ? {} : { written: text };
    return { source, ...written, matches, errors: tree.rootNode.hasError ? 1 : 0, dialect: dialect.id };
  } finally {
    tree.delete();
  }
}

/**
 * Facts of one file, whichever way it is read. A file that resolvers read is also text that mentions
 * code: its facts are those of a text file, with the resolvers' entries. Text is decoded already; see text.ts.
 */
export async function extractFacts(reader: Reader, text: string): Promise<FileFacts> {
  const { language, dialect, configuration } = reader;
  if (dialect) return language.extract(await parse(language, dialect, text));
  const facts = MENTIONS.extract({ source: text, matches: [], errors: 0, dialect: 'configuration' });
  return {
    ...facts,
    language: 'configuration',
    surface: { entries: (await configuration?.read(text)) ?? {}, defines: [] },
  };
}
