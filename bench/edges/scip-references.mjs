// Prints every reference that a SCIP index resolves, one JSON object a line:
//
//   {"from","line","name","to","toLine","symbol","kind","also"?}
//
// `name` is the text at the reference, `symbol` the last part of what it resolves to. `to` is null
// where that lies outside the repository, and may be `from` itself. `also` holds [path, line] of
// further definitions of the same symbol (overloads, merged declarations, conditional definitions).
// Lines count from 1.
//
//   npm install @sourcegraph/scip-typescript @sourcegraph/scip-python     (in a scratch folder)
//   node PATH/scip-references.mjs index.scip REPOSITORY > references.ndjson    (run in that folder)
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const { scip } = createRequire(pathToFileURL(`${process.cwd()}/`))('@sourcegraph/scip-typescript/dist/src/scip.js');
const DEFINITION = 1;

/** The last character of a SCIP symbol tells what it names. */
const KINDS = { '#': 'type', ')': 'parameter', ']': 'parameter', ':': 'module', '/': 'module', '.': 'term' };
/** Members of enums and of object literals: `Name0:`. */
const NUMBERED = /\d+:$/;

const kindOf = (symbol) => {
  if (symbol.startsWith('local ')) return 'local';
  if (symbol.endsWith(').')) return 'function';
  return NUMBERED.test(symbol) ? 'term' : (KINDS[symbol.at(-1)] ?? 'term');
};

/** The package part of a SCIP symbol: scheme, manager, name and version. */
const packageOf = (symbol) => symbol.split(' ', 4).join(' ');

/** A descriptor of a SCIP symbol: a name, bare or in backticks, and punctuation that tells its kind. */
const DESCRIPTOR = /(?:`((?:[^`]|``)+)`|([\w$+-]+))(?:\([^)]*\)\.|[/#.:!])|[([]`?([\w$+-]+)`?[)\]]/g;

/** `a/b/Class#method().` to `method`; of a parameter, its own name. */
function lastName(symbol) {
  const path = symbol.split(' ').slice(4).join(' ');
  const last = [...path.matchAll(DESCRIPTOR)].at(-1);
  const name = last?.[1] ?? last?.[2] ?? last?.[3] ?? '';
  return (NUMBERED.test(symbol) ? name.replace(/\d+$/, '') : name).replace(/^<[gs]et>/, '');
}

const [indexFile, repository] = process.argv.slice(2);
const index = scip.Index.deserializeBinary(readFileSync(indexFile));

const isDefinition = (occurrence) => (occurrence.symbol_roles & DEFINITION) !== 0;
const keyOf = (doc, symbol) => (symbol.startsWith('local ') ? `${doc.relative_path}\0${symbol}` : symbol);

const definitions = new Map();
const ownPackages = new Set();
for (const doc of index.documents) {
  for (const occurrence of doc.occurrences) {
    if (!occurrence.symbol || !isDefinition(occurrence)) continue;
    const key = keyOf(doc, occurrence.symbol);
    const place = [doc.relative_path, occurrence.range[0] + 1];
    const known = definitions.get(key);
    if (known) known.push(place);
    else definitions.set(key, [place]);
    if (kindOf(occurrence.symbol) !== 'local') ownPackages.add(packageOf(occurrence.symbol));
  }
}

const out = [];
for (const doc of [...index.documents].sort((a, b) => (a.relative_path < b.relative_path ? -1 : 1))) {
  const lines = readFileSync(join(repository, doc.relative_path), 'utf8').split('\n');
  for (const { symbol, symbol_roles, range } of doc.occurrences) {
    if (!symbol || isDefinition({ symbol_roles })) continue;
    const places = definitions.get(keyOf(doc, symbol));
    // Of the repository, but without a place: the oracle does not know.
    if (!places && (symbol.startsWith('local ') || ownPackages.has(packageOf(symbol)))) continue;
    const [line, start] = range;
    const end = range.length === 3 ? range[2] : undefined;
    const [first, ...also] = places ?? [[null, undefined]];
    out.push(
      JSON.stringify({
        from: doc.relative_path,
        line: line + 1,
        name: lines[line]?.slice(start, end),
        to: first[0],
        toLine: first[1],
        symbol: symbol.startsWith('local ') ? undefined : lastName(symbol),
        kind: kindOf(symbol),
        also: also.length > 0 ? also : undefined,
      }),
    );
  }
}
process.stdout.write(`${out.join('\n')}\n`);
