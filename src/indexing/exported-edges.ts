/** Every edge of an index with the lines of both ends, for export. */
import type { FileFacts } from '../facts/model.js';
import { confidenceOf } from '../graph/confidence.js';
import type { ExportEdge, ExportEnd } from '../graph/export.js';
import type { FactsStore } from '../io/facts-store.js';
import { readPublished } from '../io/index-folder.js';
import type { IndexStore } from '../io/index-store.js';
import { sidecarPath } from '../sidecars/layout.js';
import { parseSidecar } from '../sidecars/stored.js';
import { factsOf } from './contents.js';
import { storedContent } from './store-source.js';

type Symbols = ReadonlyMap<string, number>;

/**
 * Edges file by file in path order: structural ones from the store, history and identifiers as the sidecars
 * list them. Types as DESIGN names them: a test's edge is written from the tested side (`tested_by`).
 */
export function* exportedEdges(generation: string, store: IndexStore, facts: FactsStore): Generator<ExportEdge> {
  const records = [...store.allFiles()].sort((a, b) => (a.path < b.path ? -1 : 1));
  const lines = new Map<string, Symbols>();
  const symbolLists = new Map<string, FileFacts['symbols']>();
  for (const record of records) {
    const symbols = factsOf(storedContent(facts, record.path, record))?.symbols ?? [];
    symbolLists.set(record.path, symbols);
    lines.set(record.path, new Map(symbols.map((symbol) => [symbol.name, symbol.line])));
  }
  const end = (path: string, symbol: string | undefined): ExportEnd => {
    if (symbol === undefined) return { path };
    const line = lines.get(path)?.get(symbol);
    return { path, symbol, ...(line === undefined ? {} : { line }) };
  };
  for (const { path, number, language } of records) {
    for (const edge of store.edgesOf(number)) {
      const from = end(path, symbolLists.get(path)?.[edge.from]?.name);
      const to = end(edge.to.path, edge.to.symbol);
      const confidence = confidenceOf(language ?? '', edge);
      const tested = edge.type === 'tests';
      yield {
        from: tested ? to : from,
        to: tested ? from : to,
        type: tested ? 'tested_by' : edge.type,
        provenance: edge.provenance,
        confidence,
        line: edge.line,
      };
    }
    const sidecar = readPublished(generation, sidecarPath(path));
    if (sidecar === undefined) continue;
    const neighbours = parseSidecar(sidecar)?.neighbours ?? {};
    for (const { path: other, score } of neighbours.changedTogether?.items ?? []) {
      yield { from: { path }, to: { path: other }, type: 'changed_together', provenance: 'history', confidence: score };
    }
    for (const { path: other, score } of neighbours.sharedIdentifiers?.items ?? []) {
      yield {
        from: { path },
        to: { path: other },
        type: 'shares_identifiers',
        provenance: 'identifiers',
        confidence: score,
      };
    }
  }
}
