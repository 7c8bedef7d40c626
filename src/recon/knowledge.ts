/** Everything that gate, ladder and questions look up, prepared once from plain data. */
import type { FileFacts, SymbolFact } from '../facts/model.js';
import { confidenceOf } from '../graph/confidence.js';
import type { EdgeDraft } from '../graph/edge.js';
import type { Manifest } from './manifest/manifest.generated.js';
import { byText, type ListedFile, nameOf, type RepositoryText } from './repository.js';

export interface Together {
  readonly path: string;
  /** How surely a change of the one goes with one of the other: weighs commits by how few files they touch. */
  readonly score: number;
  /** Commits that touch both. */
  readonly commits: number;
}

export interface KnowledgeInput {
  readonly repository: RepositoryText;
  readonly manifest: Manifest;
  readonly facts: ReadonlyMap<string, FileFacts>;
  readonly edges: ReadonlyMap<string, readonly EdgeDraft[]>;
  /** Files that changed together with one, best first; undefined where that is not known. */
  readonly changedTogether?: (path: string) => readonly Together[] | undefined;
}

/** A file, or a symbol of it. */
export interface Node {
  readonly path: string;
  /** Qualified name; absent for the file itself. */
  readonly symbol?: string;
}

export interface Relation {
  readonly from: Node;
  readonly to: Node;
  readonly type: EdgeDraft['type'];
  readonly provenance: EdgeDraft['provenance'];
  readonly confidence: number;
  /** Line of the use, in the file of `from`. */
  readonly line: number;
}

export const keyOf = ({ path, symbol }: Node): string => (symbol === undefined ? path : `${path}\0${symbol}`);

const lastSegment = (name: string): string => name.slice(name.lastIndexOf('.') + 1).replace(/#\d+$/, '');

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

export class Knowledge {
  readonly repository: RepositoryText;
  readonly manifest: Manifest;
  readonly facts: ReadonlyMap<string, FileFacts>;
  readonly changedTogether: NonNullable<KnowledgeInput['changedTogether']>;
  private readonly listed: ReadonlyMap<string, ListedFile>;
  private readonly byName = new Map<string, Node[]>();
  private readonly byBasename = new Map<string, string[]>();
  private readonly symbols = new Map<string, SymbolFact>();
  private readonly outgoing = new Map<string, Relation[]>();
  private readonly incoming = new Map<string, Relation[]>();

  constructor(input: KnowledgeInput) {
    this.repository = input.repository;
    this.manifest = input.manifest;
    this.facts = input.facts;
    this.changedTogether = input.changedTogether ?? (() => undefined);
    this.listed = new Map(input.repository.files.map((file) => [file.path, file]));
    for (const { path } of input.repository.files) push(this.byBasename, nameOf(path), path);
    for (const path of [...input.facts.keys()].sort(byText)) {
      for (const symbol of input.facts.get(path)?.symbols ?? []) {
        this.symbols.set(keyOf({ path, symbol: symbol.name }), symbol);
        push(this.byName, lastSegment(symbol.name), { path, symbol: symbol.name });
      }
    }
    for (const path of [...input.edges.keys()].sort(byText)) this.addEdges(path, input.edges.get(path) ?? []);
  }

  private addEdges(path: string, edges: readonly EdgeDraft[]): void {
    const facts = this.facts.get(path);
    for (const edge of edges) {
      const own = facts?.symbols[edge.from]?.name;
      const from: Node = own === undefined ? { path } : { path, symbol: own };
      const relation: Relation = {
        from,
        to: edge.to,
        type: edge.type,
        provenance: edge.provenance,
        confidence: confidenceOf(facts?.language ?? '', edge),
        line: edge.line,
      };
      push(this.outgoing, keyOf(from), relation);
      push(this.incoming, keyOf(edge.to), relation);
    }
  }

  /** Whether the repository lists the path. */
  has(path: string): boolean {
    return this.listed.has(path);
  }

  roleOf(path: string): ListedFile['role'] | undefined {
    return this.listed.get(path)?.role;
  }

  /** The definition behind a node, undefined for files and unknown symbols. */
  symbolOf(node: Node): SymbolFact | undefined {
    return node.symbol === undefined ? undefined : this.symbols.get(keyOf(node));
  }

  /** Line of a node, 1 for files. */
  lineOf(node: Node): number {
    return this.symbolOf(node)?.line ?? 1;
  }

  from(node: Node): readonly Relation[] {
    return this.outgoing.get(keyOf(node)) ?? [];
  }

  to(node: Node): readonly Relation[] {
    return this.incoming.get(keyOf(node)) ?? [];
  }

  /** The node itself with the members of a class, or all symbols of a file. */
  withMembers(node: Node): Node[] {
    const symbols = this.facts.get(node.path)?.symbols ?? [];
    const prefix = node.symbol === undefined ? '' : `${node.symbol}.`;
    return [
      node,
      ...symbols.filter(({ name }) => name.startsWith(prefix)).map(({ name }) => ({ path: node.path, symbol: name })),
    ];
  }

  /** Every definition of a bare or qualified name, by path. `a.b.C.f` also fits as module plus qualified name. */
  definitions(name: string): Node[] {
    const cleaned = name.replace(/\(\)$/, '').replaceAll('::', '.').replaceAll('#', '.');
    const all = this.byName.get(lastSegment(cleaned)) ?? [];
    if (!cleaned.includes('.')) return all;
    return all.filter(({ path, symbol = '' }) => {
      if (symbol === cleaned || symbol.endsWith(`.${cleaned}`)) return true;
      if (!cleaned.endsWith(`.${symbol}`)) return false;
      const module = cleaned.slice(0, -symbol.length - 1).replaceAll('.', '/');
      const stem = path.replace(/(\/__init__|\/index)?\.[^./]+$/, '');
      return stem === module || stem.endsWith(`/${module}`);
    });
  }

  /** Listed files whose path ends with the written one, segment by segment. */
  filesNamed(written: string): string[] {
    const wanted = written.replace(/^\.?\//, '');
    return (this.byBasename.get(nameOf(wanted)) ?? []).filter((path) => path === wanted || path.endsWith(`/${wanted}`));
  }

  /** What a written name may mean: definitions first, else files, else a module. */
  resolve(written: string): Node[] {
    const at = /^(.+?):(\d+)$/.exec(written);
    const name = at?.[1] ?? written;
    const defined = this.definitions(name);
    if (defined.length > 0) return defined;
    const files = this.filesNamed(name);
    if (files.length > 0) return files.map((path) => (at ? this.enclosing(path, Number(at[2])) : { path }));
    const module = name.replaceAll('.', '/');
    return [...this.facts.keys()]
      .filter((path) => {
        const stem = path.replace(/(\/__init__|\/index)?\.[^./]+$/, '');
        return stem === module || stem.endsWith(`/${module}`);
      })
      .sort(byText)
      .map((path) => ({ path }));
  }

  /** The innermost definition around a line, the file where there is none. */
  enclosing(path: string, line: number): Node {
    let best: SymbolFact | undefined;
    for (const symbol of this.facts.get(path)?.symbols ?? []) {
      if (symbol.line > line || symbol.endLine < line) continue;
      if (!best || symbol.endLine - symbol.line <= best.endLine - best.line) best = symbol;
    }
    return best ? { path, symbol: best.name } : { path };
  }

  /** The component that a path belongs to: the one with the longest folder that holds it. */
  componentOf(path: string): Manifest['components'][number] | undefined {
    let best: Manifest['components'][number] | undefined;
    for (const component of this.manifest.components) {
      if (component.kind === 'service' || component.kind === 'image') continue;
      const inside = component.folder === '.' || path.startsWith(`${component.folder}/`);
      const length = (folder: string): number => (folder === '.' ? 0 : folder.length);
      if (inside && (!best || length(component.folder) > length(best.folder))) best = component;
    }
    return best;
  }
}
