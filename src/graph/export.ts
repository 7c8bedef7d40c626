/** The whole graph in the formats of other tools. Pure text of plain edges. */

export interface ExportEnd {
  readonly path: string;
  readonly symbol?: string;
  readonly line?: number;
}

export interface ExportEdge {
  readonly from: ExportEnd;
  readonly to: ExportEnd;
  readonly type: string;
  readonly provenance: string;
  readonly confidence: number;
  /** Line of the first use in `from.path`. */
  readonly line?: number;
}

export const EXPORT_FORMATS = ['ndjson', 'dot', 'mermaid', 'graphml'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

interface FileEdge {
  readonly from: string;
  readonly to: string;
  readonly type: string;
  readonly weight: number;
}

/** Edges between files, by type, with how many there are. */
function fileEdges(edges: Iterable<ExportEdge>): FileEdge[] {
  const found = new Map<string, FileEdge>();
  for (const { from, to, type } of edges) {
    if (from.path === to.path) continue;
    const key = `${from.path}\0${to.path}\0${type}`;
    found.set(key, { from: from.path, to: to.path, type, weight: (found.get(key)?.weight ?? 0) + 1 });
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, edge]) => edge);
}

const dotText = (text: string): string => JSON.stringify(text).replaceAll('\\\\', '\\');
/** Control characters are no XML and end a Mermaid label: they become the replacement character. */
const printable = (text: string): string => text.replace(/\p{Cc}/gu, '\uFFFD');
const xmlText = (text: string): string => printable(text).replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);

function* dot(edges: readonly FileEdge[]): Generator<string> {
  yield 'digraph repository {\n  node [shape=box];\n';
  for (const { from, to, type, weight } of edges) {
    yield `  ${dotText(from)} -> ${dotText(to)} [label=${dotText(type)}, weight=${weight}];\n`;
  }
  yield '}\n';
}

function* mermaid(edges: readonly FileEdge[]): Generator<string> {
  const numbers = new Map<string, number>();
  const node = (path: string): string => {
    const known = numbers.get(path);
    if (known !== undefined) return `n${known}`;
    numbers.set(path, numbers.size);
    return `n${numbers.size - 1}["${printable(path).replaceAll('"', '#quot;')}"]`;
  };
  yield 'flowchart LR\n';
  for (const { from, to, type } of edges) yield `  ${node(from)} -->|${type}| ${node(to)}\n`;
}

function* graphml(edges: readonly FileEdge[]): Generator<string> {
  yield '<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n';
  yield '  <key id="type" for="edge" attr.name="type" attr.type="string"/>\n';
  yield '  <key id="weight" for="edge" attr.name="weight" attr.type="int"/>\n  <graph edgedefault="directed">\n';
  const paths = [...new Set(edges.flatMap(({ from, to }) => [from, to]))].sort();
  for (const path of paths) yield `    <node id="${xmlText(path)}"/>\n`;
  for (const { from, to, type, weight } of edges) {
    yield `    <edge source="${xmlText(from)}" target="${xmlText(to)}"><data key="type">${type}</data><data key="weight">${weight}</data></edge>\n`;
  }
  yield '  </graph>\n</graphml>\n';
}

/** Pieces of the export. `ndjson` has every edge; the drawn formats have the edges between files. */
export function* exportGraph(edges: Iterable<ExportEdge>, format: ExportFormat): Generator<string> {
  if (format === 'ndjson') {
    for (const edge of edges) yield `${JSON.stringify(edge)}\n`;
    return;
  }
  const drawn = fileEdges(edges);
  if (format === 'dot') yield* dot(drawn);
  else if (format === 'mermaid') yield* mermaid(drawn);
  else yield* graphml(drawn);
}
