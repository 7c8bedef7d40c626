/** Everything that gate, ladder and questions look up, worked out from the evidence of the files that are asked about. */
import type { SymbolFact } from '../facts/model.js';
import { confidenceOf } from '../graph/confidence.js';
import type { EdgeDraft } from '../graph/edge.js';
import { type Evidence, lastSegment } from './evidence.js';
import type { Manifest } from './manifest/manifest.generated.js';
import { type ListedFile, nameOf, type RepositoryText } from './repository.js';

export interface Together {
  readonly path: string;
  /** How surely a change of the one goes with one of the other: weighs commits by how few files they touch. */
  readonly score: number;
  /** Commits that touch both. */
  readonly commits: number;
}

export interface KnowledgeInput {
  readonly repository: RepositoryText;
  /** Absent: nothing is said about components and commands. */
  readonly manifest?: Manifest;
  readonly evidence: Evidence;
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

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

const NO_MANIFEST: Knowledge['manifest'] = { components: [], commands: {}, entryPoints: [] };

/** A file as it is looked up: its definitions by name, and the relations from each of them. */
interface Known {
  readonly symbols: ReadonlyMap<string, SymbolFact>;
  readonly from: ReadonlyMap<string, readonly Relation[]>;
}

export class Knowledge {
  readonly repository: RepositoryText;
  readonly manifest: Pick<Manifest, 'components' | 'commands' | 'entryPoints'>;
  readonly changedTogether: NonNullable<KnowledgeInput['changedTogether']>;
  private readonly evidence: Evidence;
  private readonly listed: ReadonlyMap<string, ListedFile>;
  private readonly byBasename = new Map<string, string[]>();
  private readonly known = new Map<string, Known>();
  private readonly incoming = new Map<string, readonly Relation[]>();
  private readonly named = new Map<string, readonly Node[]>();

  constructor(input: KnowledgeInput) {
    this.repository = input.repository;
    this.manifest = input.manifest ?? NO_MANIFEST;
    this.evidence = input.evidence;
    this.changedTogether = input.changedTogether ?? (() => undefined);
    this.listed = new Map(input.repository.files.map((file) => [file.path, file]));
    for (const { path } of input.repository.files) push(this.byBasename, nameOf(path), path);
  }

  private file(path: string): Known {
    let known = this.known.get(path);
    if (!known) {
      const symbols = this.evidence.symbols(path);
      const from = new Map<string, Relation[]>();
      for (const edge of this.evidence.edges(path)) {
        const own = symbols[edge.from]?.name;
        const node: Node = own === undefined ? { path } : { path, symbol: own };
        push(from, keyOf(node), {
          from: node,
          to: edge.to,
          type: edge.type,
          provenance: edge.provenance,
          confidence: confidenceOf(this.evidence.language(path), edge),
          line: edge.line,
        });
      }
      known = { symbols: new Map(symbols.map((symbol) => [symbol.name, symbol])), from };
      this.known.set(path, known);
    }
    return known;
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
    return node.symbol === undefined ? undefined : this.file(node.path).symbols.get(node.symbol);
  }

  /** Line of a node, 1 for files. */
  lineOf(node: Node): number {
    return this.symbolOf(node)?.line ?? 1;
  }

  from(node: Node): readonly Relation[] {
    return this.file(node.path).from.get(keyOf(node)) ?? [];
  }

  to(node: Node): readonly Relation[] {
    const key = keyOf(node);
    let found = this.incoming.get(key);
    if (!found) {
      found = this.evidence
        .sources(node.path, node.symbol)
        .flatMap((path) => [...this.file(path).from.values()].flat())
        .filter(({ to }) => to.path === node.path && to.symbol === node.symbol);
      this.incoming.set(key, found);
    }
    return found;
  }

  /** The node itself with the members of a class, or all symbols of a file. */
  withMembers(node: Node): Node[] {
    const symbols = this.evidence.symbols(node.path);
    const prefix = node.symbol === undefined ? '' : `${node.symbol}.`;
    return [
      node,
      ...symbols.filter(({ name }) => name.startsWith(prefix)).map(({ name }) => ({ path: node.path, symbol: name })),
    ];
  }

  private called(name: string): readonly Node[] {
    let nodes = this.named.get(name);
    if (!nodes) {
      nodes = this.evidence.mayDefine(name).flatMap((path) =>
        this.evidence
          .symbols(path)
          .filter((symbol) => lastSegment(symbol.name) === name)
          .map((symbol) => ({ path, symbol: symbol.name })),
      );
      this.named.set(name, nodes);
    }
    return nodes;
  }

  /** Every definition of a bare or qualified name, by path. `a.b.C.f` also fits as module plus qualified name. */
  definitions(name: string): readonly Node[] {
    const cleaned = name.replace(/\(\)$/, '').replaceAll('::', '.').replaceAll('#', '.');
    const all = this.called(lastSegment(cleaned));
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
  resolve(written: string): readonly Node[] {
    const at = /^(.+?):(\d+)$/.exec(written);
    const name = at?.[1] ?? written;
    const defined = this.definitions(name);
    if (defined.length > 0) return defined;
    const files = this.filesNamed(name);
    if (files.length > 0) return files.map((path) => (at ? this.enclosing(path, Number(at[2])) : { path }));
    const module = name.replaceAll('.', '/');
    return this.evidence
      .paths()
      .filter((path) => {
        const stem = path.replace(/(\/__init__|\/index)?\.[^./]+$/, '');
        return stem === module || stem.endsWith(`/${module}`);
      })
      .map((path) => ({ path }));
  }

  /** The innermost definition around a line, the file where there is none. */
  enclosing(path: string, line: number): Node {
    let best: SymbolFact | undefined;
    for (const symbol of this.evidence.symbols(path)) {
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
