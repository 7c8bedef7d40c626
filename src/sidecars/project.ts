/**
 * Graph to sidecar: one file's view of its edges, capped and in canonical order.
 *
 * Object keys are written in alphabetical order here, so that plain `JSON.stringify` is canonical.
 */
import type { FileFacts, SymbolFact } from '../facts/model.js';
import { confidenceOf } from '../graph/confidence.js';
import type { EdgeDraft, Provenance } from '../graph/edge.js';
import type { ChangedTogether } from '../graph/history.js';
import type { SharedIdentifiers } from '../graph/shared-identifiers.js';
import type { Flow, Historical, Lexical, Neighbours, Sidecar, SidecarSymbol, Structural } from './sidecar.generated.js';
import { packSidecar } from './stored.js';

/** An edge that ends in the file. */
export interface IncomingEdge {
  readonly path: string;
  /** Language of the file that it comes from: confidence is measured by language. */
  readonly language: string;
  /** Qualified name there; absent: module level. */
  readonly from?: string;
  /** Qualified name here; absent: the file. */
  readonly to?: string;
  readonly type: EdgeDraft['type'];
  readonly provenance: Provenance;
  readonly among?: number;
}

export interface ProjectedFile {
  readonly path: string;
  readonly content: string;
  readonly role: Sidecar['role'];
  readonly lines: number;
  readonly language?: string;
  /** Absent where the file was not parsed. */
  readonly facts?: Pick<FileFacts, 'symbols' | 'errors'>;
  readonly outgoing: readonly EdgeDraft[];
  readonly incoming: readonly IncomingEdge[];
  readonly changedTogether: ChangedTogether;
  readonly sharedIdentifiers: SharedIdentifiers;
  readonly community?: { readonly label: string; readonly cohesion: number };
  readonly flows: readonly Flow[];
}

type StructuralKind = Exclude<keyof Neighbours, 'changedTogether' | 'sharedIdentifiers'>;
type Item = Structural['items'][number];

const OUTGOING: Readonly<Record<EdgeDraft['type'], StructuralKind>> = {
  calls: 'callees',
  inherits: 'bases',
  references: 'references',
  imports: 'imports',
  tests: 'testOf',
  documents: 'documents',
  configures: 'configures',
};

const INCOMING: Readonly<Record<EdgeDraft['type'], StructuralKind>> = {
  calls: 'callers',
  inherits: 'subtypes',
  references: 'referencedBy',
  imports: 'importedBy',
  tests: 'tests',
  documents: 'documentedBy',
  configures: 'configuredBy',
};

const KINDS: readonly StructuralKind[] = [...Object.values(OUTGOING), ...Object.values(INCOMING)].sort();

/** Strongest edge of a pair of ends wins; ties go to the name that sorts first. */
const stronger = (a: Item, b: Item): number =>
  b.confidence - a.confidence || (a.provenance < b.provenance ? -1 : a.provenance > b.provenance ? 1 : 0);

class Collector {
  /** Own symbol ('' for the file) -> kind -> far end -> strongest item. */
  private readonly bySymbol = new Map<string, Map<StructuralKind, Map<string, Item>>>();

  add(own: string, kind: StructuralKind, item: Item): void {
    let kinds = this.bySymbol.get(own);
    if (!kinds) {
      kinds = new Map();
      this.bySymbol.set(own, kinds);
    }
    let items = kinds.get(kind);
    if (!items) {
      items = new Map();
      kinds.set(kind, items);
    }
    const end = `${item.path}\0${item.symbol ?? ''}`;
    const known = items.get(end);
    if (!known || stronger(item, known) < 0) items.set(end, item);
  }

  neighbours(
    own: string,
    inOrder: (a: Item, b: Item) => number,
    cap: number,
  ): Partial<Record<StructuralKind, Structural>> {
    const kinds = this.bySymbol.get(own);
    const found: Partial<Record<StructuralKind, Structural>> = {};
    if (!kinds) return found;
    for (const kind of KINDS) {
      const items = kinds.get(kind);
      if (items) found[kind] = { items: [...items.values()].sort(inOrder).slice(0, cap), total: items.size };
    }
    return found;
  }
}

function item(path: string, symbol: string | undefined, confidence: number, provenance: string, line?: number): Item {
  return {
    confidence,
    ...(line === undefined ? {} : { line }),
    path,
    provenance,
    ...(symbol === undefined ? {} : { symbol }),
  };
}

/** The neighbours in the schema's (alphabetical) order. */
function ordered(
  found: Partial<Record<StructuralKind, Structural>>,
  historical?: Historical,
  lexical?: Lexical,
): Neighbours {
  const all: Record<string, unknown> = { ...found };
  if (historical && historical.total > 0) all.changedTogether = historical;
  if (lexical && lexical.total > 0) all.sharedIdentifiers = lexical;
  return Object.fromEntries(
    Object.keys(all)
      .sort()
      .map((kind) => [kind, all[kind]]),
  ) as Neighbours;
}

const historicalOf = ({ items, total }: ChangedTogether): Historical => ({
  items: items.map(({ path, score, commits }) => ({ commits, path, score })),
  total,
});

const lexicalOf = ({ items, total }: SharedIdentifiers): Lexical => ({
  items: items.map(({ path, score, words }) => ({ path, score, words: [...words] })),
  total,
});

function orderedSymbol(symbol: SymbolFact, neighbours: Neighbours): SidecarSymbol {
  return {
    endLine: symbol.endLine,
    kind: symbol.kind,
    line: symbol.line,
    name: symbol.name,
    ...(Object.keys(neighbours).length === 0 ? {} : { neighbours }),
    signature: symbol.signature,
  };
}

/**
 * The sidecar of a file.
 * @param cap most structural neighbours listed for a symbol (or the file) and kind
 * @param isAside by path: among equally sure neighbours, such files (tests, generated code) are listed last
 */
export function projectSidecar(file: ProjectedFile, cap: number, isAside: (path: string) => boolean): Sidecar {
  const symbols = file.facts?.symbols ?? [];
  const known = new Set(symbols.map((symbol) => symbol.name));
  const collector = new Collector();
  const own = (name: string | undefined): string => (name !== undefined && known.has(name) ? name : '');
  const language = file.language ?? '';
  for (const edge of file.outgoing) {
    const from = symbols[edge.from]?.name;
    const confidence = confidenceOf(language, edge);
    collector.add(
      own(from),
      OUTGOING[edge.type],
      item(edge.to.path, edge.to.symbol, confidence, edge.provenance, edge.line),
    );
    if (edge.to.path === file.path) {
      collector.add(own(edge.to.symbol), INCOMING[edge.type], item(file.path, from, confidence, edge.provenance));
    }
  }
  for (const edge of file.incoming) {
    const confidence = confidenceOf(edge.language, edge);
    collector.add(own(edge.to), INCOMING[edge.type], item(edge.path, edge.from, confidence, edge.provenance));
  }
  const aside = new Map<string, boolean>();
  const isLast = (path: string): boolean => {
    let last = aside.get(path);
    if (last === undefined) {
      last = isAside(path);
      aside.set(path, last);
    }
    return last;
  };
  const inOrder = (a: Item, b: Item): number =>
    b.confidence - a.confidence ||
    Number(isLast(a.path)) - Number(isLast(b.path)) ||
    (a.path < b.path ? -1 : a.path > b.path ? 1 : 0) ||
    ((a.symbol ?? '') < (b.symbol ?? '') ? -1 : 1);
  return {
    ...(file.community ? { community: { cohesion: file.community.cohesion, label: file.community.label } } : {}),
    content: file.content,
    ...(file.facts && file.facts.errors > 0 ? { errors: file.facts.errors } : {}),
    flows: file.flows.map(({ entry, name, step, steps, symbol }) => ({
      entry: { path: entry.path, ...(entry.symbol === undefined ? {} : { symbol: entry.symbol }) },
      name,
      step,
      steps,
      ...(symbol === undefined ? {} : { symbol }),
    })),
    ...(file.language === undefined ? {} : { language: file.language }),
    lines: file.lines,
    neighbours: ordered(
      collector.neighbours('', inOrder, cap),
      historicalOf(file.changedTogether),
      lexicalOf(file.sharedIdentifiers),
    ),
    path: file.path,
    role: file.role,
    schemaVersion: 1,
    symbols: symbols.map((symbol) => orderedSymbol(symbol, ordered(collector.neighbours(symbol.name, inOrder, cap)))),
  };
}

/** The sidecar with its lists for ranking replaced, where they are given; all else is as `sidecar` has it. */
export function withLists(
  sidecar: Sidecar,
  lists: { readonly changedTogether?: ChangedTogether; readonly sharedIdentifiers?: SharedIdentifiers },
): Sidecar {
  const { changedTogether, sharedIdentifiers, ...structural } = sidecar.neighbours;
  return {
    ...sidecar,
    neighbours: ordered(
      structural,
      lists.changedTogether ? historicalOf(lists.changedTogether) : changedTogether,
      lists.sharedIdentifiers ? lexicalOf(lists.sharedIdentifiers) : sharedIdentifiers,
    ),
  };
}

/** The text of a sidecar as the index keeps it. */
export function encodeSidecar(sidecar: Sidecar): string {
  return `${JSON.stringify(packSidecar(sidecar))}\n`;
}
