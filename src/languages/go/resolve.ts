/** Links one Go file: its references and imports to edges. */
import type { FileFacts, ReferenceFact } from '../../facts/model.js';
import type { EdgeDraft, Provenance } from '../../graph/edge.js';
import type { LinkView } from '../../graph/view.js';
import { Drafts } from './drafts.js';
import { Evaluation, type Found, type Holder, type Value } from './evaluation.js';
import type { GoExtra } from './expressions.js';
import { Imports, isStandard } from './imports.js';
import { isTestFile, type Package, Packages } from './packages.js';
import { satisfied } from './satisfaction.js';

export function linkGo(path: string, facts: FileFacts, view: LinkView): EdgeDraft[] {
  return new FileLinker(path, facts, view).link();
}

class FileLinker {
  private readonly drafts = new Drafts();
  private readonly imports: Imports;
  private readonly extra: GoExtra;
  private readonly evaluation: Evaluation;
  private readonly packages: Packages;
  /** Modules of dot imports with their packages. */
  private readonly dotted: readonly { readonly module: string; readonly pkg: Package }[];
  /** By module: files that define what is used of it, with how many alternatives each has. */
  private readonly used = new Map<string, Map<string, number>>();

  constructor(
    private readonly path: string,
    private readonly facts: FileFacts,
    private readonly view: LinkView,
  ) {
    this.extra = facts.extra as unknown as GoExtra;
    this.packages = new Packages(path, this.extra.package, this.extra.ignored === true, this.extra.tagged, view);
    this.imports = new Imports(
      facts.imports.map(({ module, alias, name }) => ({ module, alias: name === '*' ? '.' : alias })),
    );
    const modules = facts.imports.filter(({ name }) => name === '*').map(({ module }) => module);
    const asker = new Evaluation(this.packages, [], []);
    this.dotted = modules.flatMap((module) => {
      const pkg = asker.imported(module, this.packages.current);
      return pkg ? [{ module, pkg }] : [];
    });
    this.evaluation = new Evaluation(
      this.packages,
      this.extra.types,
      this.dotted.map(({ pkg }) => pkg),
    );
  }

  link(): EdgeDraft[] {
    for (const reference of this.facts.references) this.reference(reference);
    this.importEdges();
    for (const [symbol, name] of this.extra.concrete) {
      const line = this.facts.symbols[symbol]?.line ?? 1;
      for (const holder of satisfied(name, this.evaluation)) {
        this.emit(symbol, holder, 'inherits', 'interface-satisfaction', line);
      }
    }
    return this.drafts.all();
  }

  private emit(
    from: number,
    { paths, symbol }: Holder,
    type: EdgeDraft['type'],
    provenance: Provenance,
    line: number,
  ): void {
    const among = paths.length > 1 ? { among: paths.length } : {};
    // That a method belongs to its type is said by its name.
    const own = this.facts.symbols[from]?.name.startsWith(`${symbol}.`) ? this.path : undefined;
    for (const path of paths) {
      if (path !== own) this.drafts.add({ from, to: { path, symbol }, type, provenance, line, ...among });
    }
  }

  private reference(reference: ReferenceFact): void {
    const { chain, rootType } = reference;
    if (typeof rootType !== 'number') {
      this.follow(reference, 0, undefined);
      return;
    }
    const root = this.evaluation.local(rootType);
    if (chain[0] === '{}') {
      this.literal(reference, root);
      return;
    }
    this.follow(reference, 1, chain[0]?.endsWith('()') ? this.evaluation.call(root) : root);
  }

  /** Follows the chain from its segment `at`, emitting an edge for each definition on the way. */
  private follow(reference: ReferenceFact, at: number, start: Value | undefined): void {
    const { chain } = reference;
    let value = start;
    for (let index = at; index < chain.length; index++) {
      const segment = chain[index] ?? '';
      if (index > 0 && value === undefined) return;
      if (segment === '[]') {
        value = value && this.evaluation.index(value, []);
        continue;
      }
      if (segment === '()') {
        value = value && this.evaluation.call(value);
        continue;
      }
      const called = segment.endsWith('()') || isInstantiatedCall(chain, index);
      const name = segment.replace('()', '');
      if (index === 0) {
        const imported = this.importedPackage(name, chain.length > 1);
        if (imported === null) return;
        if (imported) {
          const next = chain[1] ?? '';
          const found = this.evaluation.find(next.replace(/\(\)$/, ''), imported.pkg, false);
          if (!found) return;
          this.use(imported.module, found.holder);
          const calls = next.endsWith('()') || isInstantiatedCall(chain, 1);
          this.edge(reference, found, calls, 'imported-name', chain.length === 2);
          value = next.endsWith('()') ? found.value && this.evaluation.call(found.value) : found.value;
          index = 1;
          continue;
        }
      }
      const found =
        index === 0 ? this.evaluation.find(name, this.packages.current) : value && this.evaluation.select(value, name);
      if (!found) return;
      const provenance = index === 0 ? this.scopeProvenance(found.holder) : receiverProvenance(value);
      this.edge(reference, found, called, provenance, index === chain.length - 1);
      value = segment.endsWith('()') ? found.value && this.evaluation.call(found.value) : found.value;
    }
  }

  /** The package that a qualifier means; null where it is outside the repository, undefined where it is none. */
  private importedPackage(name: string, selects: boolean): { module: string; pkg: Package } | null | undefined {
    if (!selects) return undefined;
    const module = this.imports.moduleOf(name);
    if (module !== undefined) {
      const pkg = this.evaluation.imported(module, this.packages.current);
      return pkg ? { module, pkg } : null;
    }
    if (!this.extra.open || this.packages.find(this.packages.current, name)) return undefined;
    for (const open of this.extra.open) {
      const pkg = this.evaluation.imported(open, this.packages.current);
      if (pkg?.name === name) return { module: open, pkg };
    }
    return undefined;
  }

  private scopeProvenance({ paths }: Holder): Provenance {
    if (paths.includes(this.path)) return 'same-file';
    const dotted = this.dotted.find(({ pkg }) =>
      paths.every((path) => path.slice(0, path.lastIndexOf('/') + 1) === (pkg.dir === '' ? '' : `${pkg.dir}/`)),
    );
    if (!dotted || (dotted.pkg.dir === this.packages.current.dir && dotted.pkg.name === this.packages.current.name))
      return 'package-scope';
    this.use(dotted.module, { paths, symbol: '' });
    return 'imported-name';
  }

  private use(module: string, { paths }: Holder): void {
    const files = this.used.get(module) ?? new Map<string, number>();
    for (const path of paths) files.set(path, Math.min(files.get(path) ?? paths.length, paths.length));
    this.used.set(module, files);
  }

  private edge(
    { from, kind, line }: ReferenceFact,
    found: Found,
    called: boolean,
    provenance: Provenance,
    last: boolean,
  ): void {
    if (kind === 'inherit' && last) this.emit(from, found.holder, 'inherits', 'inheritance', line);
    else this.emit(from, found.holder, called && found.kind === 'func' ? 'calls' : 'references', provenance, line);
  }

  /** Keys of `T{key: ...}`: fields of a struct, or else values. */
  private literal(reference: ReferenceFact, root: Value): void {
    const type = this.evaluation.typeOf(root);
    const underlying = type && this.evaluation.underlying(type);
    const struct = underlying?.expression[0] === 'struct';
    for (const key of reference.chain.slice(1)) {
      if (struct) {
        const found = this.evaluation.member(type as NonNullable<typeof type>, key);
        if (found) this.edge(reference, found, false, receiverProvenance(root), false);
      } else if (underlying) {
        const found = this.evaluation.find(key, this.packages.current);
        if (found) this.edge(reference, found, false, this.scopeProvenance(found.holder), false);
      }
    }
  }

  /** An import leads to the files that define what is used of the package. */
  private importEdges(): void {
    for (const { module, line, alias, name } of this.facts.imports) {
      if (isStandard(module)) continue;
      const files = this.used.get(module);
      if (files) {
        for (const [path, among] of files) this.importEdge(path, line, among);
        continue;
      }
      const pkg = this.evaluation.imported(module, this.packages.current);
      if (!pkg) continue;
      const sources = this.view.list(pkg.dir).filter((file) => file.endsWith('.go') && !isTestFile(file));
      const blank = alias === undefined && name === undefined;
      const file = sources.length === 1 || blank ? representative(pkg, sources) : undefined;
      if (file !== undefined) this.importEdge(pkg.dir === '' ? file : `${pkg.dir}/${file}`, line, 1);
    }
  }

  private importEdge(path: string, line: number, among: number): void {
    const shared = among > 1 ? { among } : {};
    this.drafts.add({ from: -1, to: { path }, type: 'imports', provenance: 'resolved-import', line, ...shared });
  }
}

/** The file that stands for a package of which nothing is named: like its folder, doc.go, or the first. */
function representative({ dir }: Package, sources: readonly string[]): string | undefined {
  const named = `${dir.slice(dir.lastIndexOf('/') + 1)}.go`;
  return [named, 'doc.go'].find((name) => sources.includes(name)) ?? sources[0];
}

/** `F[T]()` calls F where F turns out to be a function. */
function isInstantiatedCall(chain: readonly string[], index: number): boolean {
  return chain[index + 1] === '[]' && chain[index + 2] === '()';
}

function receiverProvenance(value: Value | undefined): Provenance {
  if (value?.is === 'value') return value.origin;
  if (value?.is === 'tuple') return 'returned-receiver';
  return 'declared-receiver';
}
