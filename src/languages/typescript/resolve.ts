/** Facts of one file to its outgoing edges. */
import type { FileFacts, ImportFact, ReferenceFact } from '../../facts/model.js';
import type { EdgeDraft, Provenance, Target } from '../../graph/edge.js';
import type { LinkView } from '../../graph/view.js';
import { exportOf, type Named } from './members.js';
import { counterpart, isDeclarations, resolveModule } from './modules.js';
import { PLATFORM_MEMBERS } from './platform-members.js';
import { isReached, originOfType } from './provenance.js';
import { fromJson, nameIn, type TypeExpression } from './type-expression.js';
import { outsideOf, type Step, targetOf, Values } from './values.js';

/** Of how many types an object literal may be one: of more, the literal's own keys decide, which are not weighed. */
const MOST_ALTERNATIVES = 4;

class Linking {
  readonly edges: EdgeDraft[] = [];
  private readonly values: Values;

  constructor(
    readonly path: string,
    readonly facts: FileFacts,
    readonly view: LinkView,
  ) {
    this.values = new Values(path, facts, view);
  }

  link(): void {
    if (isDeclarations(this.path)) this.linkImplementation();
    for (const fact of this.facts.imports) this.linkImport(fact);
    for (const reference of this.facts.references) this.linkReference(reference);
  }

  /** From what declarations declare to what the script beside them exports or defines under the same name. */
  private linkImplementation(): void {
    const script = counterpart(this.view, this.path);
    if (script === undefined) return;
    const exportedAs = new Map<string, string>();
    for (const [key, symbol] of Object.entries(this.facts.surface.entries)) {
      if (key.startsWith('x:') && typeof symbol === 'string') exportedAs.set(symbol, key.slice(2));
    }
    this.facts.symbols.forEach(({ name, line }, from) => {
      if (name.includes('#')) return;
      const exported = exportOf(this.view, script, exportedAs.get(name) ?? name);
      const found = exported?.is === 'definition' ? exported : this.ownDefinition(script, name);
      if (!found) return;
      const to = { path: found.path, symbol: found.name };
      this.edges.push({ from, to, type: 'references', provenance: 'declaration', line });
    });
  }

  private ownDefinition(path: string, name: string): Named | undefined {
    return this.view.entry(path, `.${name}`) === undefined ? undefined : { path, name };
  }

  private linkImport(fact: ImportFact): void {
    const module = resolveModule(this.view, this.path, fact.module);
    if (!module || module.path === this.path) return;
    const provenance = module.isDirect ? 'import' : 'resolved-import';
    const { from, line } = fact;
    this.edges.push({ from, to: { path: module.path }, type: 'imports', provenance, line });
    if (fact.name === '*') return;
    const entity = exportOf(this.view, module.path, fact.name ?? '=');
    // A namespace that another module exports: `export * as z`, `import * as z` and `export { z }`.
    if (entity?.is === 'module' && entity.path !== module.path && entity.path !== this.path) {
      this.edges.push({ from, to: { path: entity.path }, type: 'imports', provenance: 'resolved-import', line });
    }
    if (entity?.is !== 'definition' || entity.path === this.path) return;
    const isNamed = entity.path === module.path && module.isDirect;
    this.edges.push({
      from,
      to: { path: entity.path, symbol: entity.name },
      type: 'imports',
      provenance: isNamed ? 'import' : 'resolved-import',
      line,
    });
  }

  private linkReference(reference: ReferenceFact): void {
    const { kind, chain } = reference;
    const root = fromJson(reference.rootType);
    const isType = kind === 'type' || kind === 'inherit';
    const steps = root || !chain[0]?.startsWith('?') ? this.values.walk(chain, root, this.path, 0, isType) : [];
    const origin = this.originOf(chain, root);
    const held = root === undefined ? this.heldBy(steps[0]) : undefined;
    const isKeyOfLiteral = root !== undefined && chain.length === 2 && chain[0] === '?' && kind === 'read';
    const isHeld = kind === 'call' && chain.length === 1 && isReached(root) && this.isFunction(steps[0]);
    const showsRoot = root === undefined || 's' in root || 'm' in root || isHeld;
    steps.forEach((step, index) => {
      const isLast = index === chain.length - 1;
      if (index === 0 && !showsRoot) return;
      if (!isLast && chain[index]?.endsWith('()')) return;
      const isCallee = isLast && (kind === 'call' || kind === 'jsx' || kind === 'decorator');
      for (const target of this.targets(step)) {
        if (isKeyOfLiteral && target.among > MOST_ALTERNATIVES) break;
        this.use(
          reference,
          target.to,
          isLast,
          isCallee,
          this.provenance(index > 0 && held ? held : origin, chain, index, target.to),
          target.among,
        );
      }
    });
    // A type that is declared nowhere is the platform's.
    const isPlatform = root !== undefined && 't' in root && steps.length === 0;
    if (kind === 'call' && steps.length < chain.length && !isPlatform && !outsideOf(steps)) {
      this.linkUnique(reference, steps);
    }
  }

  /** Whether a local stands for a function, which a call of the local then calls. */
  private isFunction(step: Step | undefined): boolean {
    const target = step?.target;
    if (target?.symbol === undefined) return false;
    const entry = this.values.entry(target.path, target.symbol);
    return entry === undefined || /^[fm]$/.test(entry.kind);
  }

  private targets(step: Step): { readonly to: Target; readonly among: number }[] {
    if (step.target) return [{ to: step.target, among: 1 }];
    if (step.entity?.is !== 'union') return [];
    const all = step.entity.of.map(targetOf).filter((one) => one !== undefined);
    return all.map((to) => ({ to, among: all.length }));
  }

  /** How the type of the variable that a chain starts with is known. */
  private heldBy(step: Step | undefined): Provenance | undefined {
    const target = step?.target;
    if (target?.symbol === undefined) return undefined;
    const entry = this.values.entry(target.path, target.symbol);
    return entry?.kind === 'v' && entry.type && !('b' in entry.type) ? originOfType(entry.type) : undefined;
  }

  /** Where the type at the root of a chain comes from. */
  private originOf(chain: readonly string[], root: TypeExpression | undefined): Provenance | undefined {
    if (!root) return undefined;
    if (chain[0] === 'this' || chain[0] === 'super') return 'self-receiver';
    return originOfType(root);
  }

  private provenance(origin: Provenance | undefined, chain: readonly string[], index: number, to: Target): Provenance {
    if (origin === undefined || origin === 'same-file' || origin === 'imported-name') {
      if (chain.slice(0, index).some((segment) => segment.endsWith('()'))) return 'returned-receiver';
      if (to.path === this.path) return 'same-file';
      return origin === 'imported-name' ? origin : this.bySource(chain, to);
    }
    if (index <= 1) return origin;
    if (chain.slice(0, index).some((segment) => segment.endsWith('()'))) return 'returned-receiver';
    return origin === 'self-receiver' ? 'field-receiver' : origin;
  }

  /** A name of another file: bound by an import, or global. */
  private bySource(chain: readonly string[], to: Target): Provenance {
    const name = nameIn(chain[0] ?? '');
    if (this.view.entry(this.path, `i:${name}`) !== undefined || name.startsWith('?')) return 'imported-name';
    return this.view.entry(this.path, `.${name}`) === undefined && to.symbol === name
      ? 'package-scope'
      : 'imported-name';
  }

  private use(
    reference: ReferenceFact,
    to: Target,
    isLast: boolean,
    isCallee: boolean,
    provenance: Provenance,
    among: number,
  ): void {
    const { from, line, kind } = reference;
    const isOwn = to.path === this.path;
    const shared = among > 1 ? { among } : {};
    if (isLast && kind === 'inherit') {
      this.edges.push({ from, to, type: 'inherits', provenance: 'inheritance', line, ...shared });
      return;
    }
    if (isCallee && kind !== 'decorator') {
      this.edges.push({ from, to, type: 'calls', provenance, line, ...shared });
      if (to.symbol !== undefined && this.values.entry(to.path, to.symbol)?.kind === 'c') {
        const name = `${to.symbol}.constructor`;
        if (kind === 'call' && this.values.entry(to.path, name)) {
          this.edges.push({ from, to: { path: to.path, symbol: name }, type: 'calls', provenance, line, ...shared });
        }
      }
      return;
    }
    if (
      isOwn &&
      (kind === 'read' || !isLast) &&
      !/^[fcm]$/.test(this.values.entry(to.path, to.symbol ?? '')?.kind ?? '')
    )
      return;
    this.edges.push({ from, to, type: 'references', provenance, line, ...shared });
  }

  /** A call of a method that one class of the repository defines, on a receiver of unknown type. */
  private linkUnique(reference: ReferenceFact, steps: readonly Step[]): void {
    const { chain, from, line } = reference;
    if (chain.length < 2) return;
    if (steps.length > 0 && steps.length < chain.length - 1) return;
    if (steps.length > 0 && steps.at(-1)?.entity !== undefined) return;
    const name = chain.at(-1) ?? '';
    if (name.length < 4 || PLATFORM_MEMBERS.has(name)) return;
    const definers = this.view.definers(name);
    if (definers.total !== 1) return;
    const [only] = definers.first;
    if (!only?.symbol.includes('.')) return;
    const to = { path: only.path, symbol: only.symbol };
    this.edges.push({ from, to, type: 'calls', provenance: 'unique-member', line });
  }
}

/** Outgoing edges of the file at `path`. */
export function link(path: string, facts: FileFacts, view: LinkView): EdgeDraft[] {
  const linking = new Linking(path, facts, view);
  linking.link();
  return linking.edges;
}
