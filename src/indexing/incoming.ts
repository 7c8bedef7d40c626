/** Edges seen from their far end: what each file's sidecar says about those that refer to it. */
import type { SymbolFact } from '../facts/model.js';
import type { EdgeDraft } from '../graph/edge.js';
import type { IncomingRecord } from '../io/index-store.js';
import type { IncomingEdge } from '../sidecars/project.js';

export interface LinkedSource {
  readonly path: string;
  readonly language: string;
  readonly symbols: readonly Pick<SymbolFact, 'name'>[];
  readonly edges: readonly EdgeDraft[];
}

/** The edges of one file into other files, by target path. */
export function recordsOf({ path, language, symbols, edges }: LinkedSource): Map<string, IncomingRecord> {
  const byTarget = new Map<string, IncomingRecord['edges'][number][]>();
  for (const edge of edges) {
    if (edge.to.path === path) continue;
    const from = symbols[edge.from]?.name ?? '';
    const tuple = [from, edge.to.symbol ?? '', edge.type, edge.provenance, edge.among ?? 0] as const;
    const list = byTarget.get(edge.to.path);
    if (list) list.push(tuple);
    else byTarget.set(edge.to.path, [tuple]);
  }
  return new Map([...byTarget].map(([target, list]) => [target, { language, edges: list }]));
}

/** Target path -> source path -> edges. */
export function incomingRecords(sources: readonly LinkedSource[]): Map<string, Map<string, IncomingRecord>> {
  const all = new Map<string, Map<string, IncomingRecord>>();
  for (const source of sources) {
    for (const [target, record] of recordsOf(source)) {
      const bySource = all.get(target);
      if (bySource) bySource.set(source.path, record);
      else all.set(target, new Map([[source.path, record]]));
    }
  }
  return all;
}

/** Records by source path as edges for the projection. */
export function incomingEdges(bySource: ReadonlyMap<string, IncomingRecord>): IncomingEdge[] {
  const edges: IncomingEdge[] = [];
  for (const [path, { language, edges: tuples }] of bySource) {
    for (const [from, to, type, provenance, among] of tuples) {
      edges.push({
        path,
        language,
        type,
        provenance,
        ...(from === '' ? {} : { from }),
        ...(to === '' ? {} : { to }),
        ...(among === 0 ? {} : { among }),
      });
    }
  }
  return edges;
}
