/** Links one Python file: its facts to outgoing edges, everything else asked through the view. */
import type { FileFacts, ReferenceFact } from '../../facts/model.js';
import type { EdgeDraft, Provenance, Target } from '../../graph/edge.js';
import type { LinkView } from '../../graph/view.js';
import { isTest } from './conventions.js';
import { dirOf, type Located, resolveModule, submodule } from './modules.js';
import { namedByString } from './named-by-string.js';
import { type ClassRef, hierarchy, implementationOf, memberOf, stubsOf } from './names.js';
import { UNKNOWN_ROOT } from './scan.js';
import { asEntry, type PythonExtra, type Shape } from './types.js';
import { Evaluator, type Found, type Site, type Value, weaker } from './values.js';

export function link(path: string, facts: FileFacts, view: LinkView): EdgeDraft[] {
  return new Linker(path, facts, view).edges();
}

class Linker {
  private readonly drafts: EdgeDraft[] = [];
  private readonly evaluator: Evaluator;
  private readonly owners: (ClassRef | undefined)[];
  private readonly unique = new Map<string, Target | null>();
  private readonly walked = new Map<string, readonly Walked[]>();

  constructor(
    private readonly path: string,
    private readonly facts: FileFacts,
    private readonly view: LinkView,
  ) {
    this.evaluator = new Evaluator(view);
    this.owners = ownersOf(path, facts);
  }

  edges(): EdgeDraft[] {
    this.linkImports();
    this.linkDeclarations();
    for (const reference of this.facts.references) this.linkReference(reference);
    this.linkFixtures();
    this.linkStrings();
    return this.drafts;
  }

  private add(
    from: number,
    to: Target,
    type: EdgeDraft['type'],
    provenance: Provenance,
    line: number,
    among = 1,
  ): void {
    this.drafts.push({ from, to, type, provenance, line, ...(among > 1 ? { among } : {}) });
  }

  // ---- imports ------------------------------------------------------------------------------------------------

  private linkImports(): void {
    const dir = dirOf(this.path);
    for (const { module, name, line, from, typeOnly } of this.facts.imports) {
      const at = this.evaluator.module(dir, module);
      if (!at) continue;
      if ('path' in at) {
        // What is imported for the compiler is read from the declarations.
        const declarations = typeOnly ? stubsOf(this.view, at.path).find((stub) => stub.endsWith('.pxd')) : undefined;
        this.add(from, { path: declarations ?? at.path }, 'imports', 'import', line);
      }
      if (name === undefined || name === '*') continue;
      const meaning = this.evaluator.inModule(at, name);
      if (meaning?.k === 'module' && 'path' in meaning.at) {
        const direct = samePlace(submodule(this.view, at, name), meaning.at);
        this.add(from, { path: meaning.at.path }, 'imports', direct ? 'import' : 'resolved-import', line);
      } else if (meaning?.k === 'definition') {
        const direct = 'path' in at && at.path === meaning.path;
        const to = { path: meaning.path, symbol: meaning.symbol };
        this.add(from, to, 'imports', direct ? 'import' : 'resolved-import', line);
      }
    }
  }

  /** What a .pxd file declares and the Cython file of the same name implements; that one sees all of the .pxd file. */
  private linkDeclarations(): void {
    const declarations = this.path.endsWith('.pyx')
      ? stubsOf(this.view, this.path).find((stub) => stub.endsWith('.pxd'))
      : undefined;
    if (declarations !== undefined) this.add(-1, { path: declarations }, 'imports', 'cython', 1);
    const implementation = implementationOf(this.view, this.path);
    if (implementation === undefined) return;
    for (const [index, { name, line }] of this.facts.symbols.entries()) {
      const entry = asEntry(this.view.entry(implementation, name));
      if (entry?.k !== 'c' && entry?.k !== 'f') continue;
      this.add(index, { path: implementation, symbol: name }, 'references', 'cython', line);
    }
  }

  // ---- references ---------------------------------------------------------------------------------------------

  private linkReference(reference: ReferenceFact): void {
    const { chain, kind, from, line } = reference;
    if (chain[0] === UNKNOWN_ROOT) {
      this.linkUnknown(reference, stepName(chain.at(-1) as string));
      return;
    }
    const last = chain.length - 1;
    const walked = this.walk(reference);
    for (const [index, { found, hows }] of walked.entries()) {
      const step = chain[index] as string;
      if (index < last && step.endsWith(')')) continue;
      const targets = found.filter(({ target }) => target?.symbol !== undefined);
      for (const [at, { target, entry }] of targets.entries()) {
        if (!target) continue;
        const called = index === last && (kind === 'call' || (kind === 'decorator' && step.endsWith(')')));
        const type =
          index === last && kind === 'inherit'
            ? 'inherits'
            : (called || (index === last && kind === 'decorator')) && entry?.k !== 'v'
              ? 'calls'
              : 'references';
        const provenance = type === 'inherits' ? 'inheritance' : (hows[at] as Provenance);
        this.add(from, target, type, provenance, line, targets.length);
        if (called && entry?.k === 'c') this.linkConstructor(from, target, provenance, line, targets.length);
      }
    }
    const end = walked.at(-1);
    if (kind === 'call' && walked.length === chain.length && end && end.found.length === 0) {
      // Not found on a receiver whose whole hierarchy is in the repository: a mixin's own business.
      const receivers = end.receivers;
      const name = stepName(chain[last] as string);
      if (receivers.length > 0 && receivers.every((value) => value.k === 'class' || value.k === 'instance')) {
        const self = chain[0] === 'self' && chain.length === 2;
        const closed = receivers.every((value) => 'ref' in value && !this.evaluator.isOpen(value.ref));
        if (self && closed) this.linkUnknown(reference, name);
      }
    }
  }

  /** The edges of a class's call onto what runs then. */
  private linkConstructor(from: number, target: Target, provenance: Provenance, line: number, among: number): void {
    const receiver: Value = { k: 'class', ref: { path: target.path, name: target.symbol as string } };
    const made =
      this.evaluator.attribute(receiver, '__init__') ??
      this.evaluator.attribute(receiver, '__new__') ??
      (target.path.endsWith('.pyx') ? this.evaluator.attribute(receiver, '__cinit__') : undefined);
    if (made?.target) this.add(from, made.target, 'calls', provenance, line, among);
  }

  /** Each step of the reference's chain with what it may be. Stops where nothing is known. */
  private walk({ chain, rootType, from }: ReferenceFact): readonly Walked[] {
    const site: Site = { path: this.path, owner: this.owners[from + 1] };
    const key = `${site.owner?.name ?? ''}\0${chain.join('\0')}\0${rootType === undefined ? '' : JSON.stringify(rootType)}`;
    const known = this.walked.get(key);
    if (known) return known;
    const steps: Walked[] = [];
    this.walked.set(key, steps);
    let values: readonly Value[];
    let how: Provenance;
    const root = chain[0] as string;
    if (rootType === undefined) {
      const found = this.evaluator.root(root, site);
      if (!found) return steps;
      how = found.how ?? 'same-file';
      steps.push({ found: [found], hows: [how], receivers: [] });
      if (chain.length === 1) return steps;
      values = found.value();
    } else {
      how = 'same-file';
      const shape = rootType as unknown as Shape;
      const own = this.evaluator.evaluate(shape, site, 'declared-receiver');
      const found = typeof shape === 'object' && ('s' in shape || 'm' in shape) ? this.named(shape) : [];
      if (typeof shape === 'object' && 'm' in shape) how = 'imported-name';
      steps.push({ found, hows: found.map(() => how), receivers: [] });
      if (chain.length === 1) return steps;
      values = root.endsWith('()') ? own.flatMap((value) => this.evaluator.step(value, '()')) : own;
    }
    for (let i = 1; i < chain.length && values.length > 0; i++) {
      const step = chain[i] as string;
      if (step === '()' || step === '[]' || step === '[*]') {
        steps.push({ found: [], hows: [], receivers: [] });
        values = values.flatMap((value) => this.evaluator.step(value, step));
        continue;
      }
      const name = stepName(step);
      const found: Found[] = [];
      const hows: Provenance[] = [];
      for (const value of values) {
        const attribute = this.evaluator.attribute(value, name);
        const key = attribute?.target && `${attribute.target.path}\0${attribute.target.symbol}`;
        if (!attribute || found.some(({ target }) => target && `${target.path}\0${target.symbol}` === key)) continue;
        found.push(attribute);
        hows.push(weaker(how, attribute.how));
      }
      steps.push({ found, hows, receivers: values });
      values = i + 1 < chain.length ? values.flatMap((value) => this.evaluator.step(value, step)) : [];
    }
    return steps;
  }

  private named(shape: Shape): readonly Found[] {
    if (typeof shape !== 'object') return [];
    if ('s' in shape) {
      const found = this.evaluator.definition({ path: this.path, name: shape.s });
      return found.target ? [found] : [];
    }
    if ('m' in shape) {
      const at = resolveModule(this.view, dirOf(this.path), shape.m);
      const meaning = at && (shape.n === undefined ? undefined : memberOf(this.view, at, shape.n));
      return meaning ? [this.evaluator.found(meaning)] : [];
    }
    return [];
  }

  /** A method called on a receiver of unknown type, where a single hierarchy of classes has one of that name. */
  private linkUnknown({ from, line }: ReferenceFact, name: string): void {
    let target = this.unique.get(name);
    if (target === undefined) {
      target = uniqueMember(this.view, name) ?? null;
      this.unique.set(name, target);
    }
    if (!target) return;
    if (isTest(target.path) && target.path !== this.path) return;
    this.add(from, target, 'calls', 'unique-member', line);
  }

  // ---- fixtures and strings -----------------------------------------------------------------------------------

  private linkFixtures(): void {
    const injected = (this.facts.extra as unknown as PythonExtra | undefined)?.injected;
    if (!injected) return;
    for (const [symbol, line, ...names] of injected) {
      for (const name of names) {
        const fixture = this.evaluator.fixture(this.path, name, this.facts.symbols[symbol]?.name);
        if (fixture) this.add(symbol, { path: fixture.path, symbol: fixture.name }, 'references', 'fixture', line);
      }
    }
  }

  private linkStrings(): void {
    // A setup.py is a manifest: what it names at its top are entry points and modules to build.
    const manifest = /(?:^|\/)setup\.py$/.test(this.path);
    for (const { text, line, from } of this.facts.strings) {
      const target = namedByString(this.view, dirOf(this.path), text);
      if (target && (target.path !== this.path || target.symbol !== undefined)) {
        if (manifest && from < 0) this.add(from, target, 'configures', 'configuration', line);
        else this.add(from, target, 'references', 'string', line);
      }
    }
  }
}

interface Walked {
  readonly found: readonly Found[];
  /** The evidence for each of them. */
  readonly hows: readonly Provenance[];
  /** What the step was taken from. */
  readonly receivers: readonly Value[];
}

const stepName = (step: string): string => (step.endsWith('()') ? step.slice(0, -2) : step);

const samePlace = (a: Located | undefined, b: Located): boolean =>
  a !== undefined && 'path' in a && 'path' in b && a.path === b.path;

/** The class that `self` is of in each symbol, at index + 1; none at module level. */
function ownersOf(path: string, facts: FileFacts): (ClassRef | undefined)[] {
  const classes = new Set(facts.symbols.filter(({ kind }) => kind === 'class').map(({ name }) => name));
  const owners: (ClassRef | undefined)[] = [undefined];
  for (const { name } of facts.symbols) {
    let owner = name;
    while (owner !== '' && !classes.has(owner)) owner = owner.slice(0, Math.max(0, owner.lastIndexOf('.')));
    owners.push(owner === '' ? undefined : { path, name: owner });
  }
  return owners;
}

/** The method that all definers of the name in the repository override, or are. */
function uniqueMember(view: LinkView, name: string): Target | undefined {
  return view.derive(`python:unique:${name}`, () => {
    const { total, first } = view.definers(name);
    if (total === 0 || total > first.length) return undefined;
    const owners: ClassRef[] = [];
    for (const { path, symbol } of first) {
      if (!/\.py[iwx]?$/.test(path)) return undefined;
      const dot = symbol.lastIndexOf('.');
      if (dot < 0) return undefined;
      const owner = { path, name: symbol.slice(0, dot) };
      if (asEntry(view.entry(path, owner.name))?.k !== 'c') return undefined;
      owners.push(owner);
    }
    const top = owners.find((candidate) =>
      owners.every(({ path, name: owner }) =>
        hierarchy(view, path, owner).classes.some((at) => at.path === candidate.path && at.name === candidate.name),
      ),
    );
    return top && { path: top.path, symbol: `${top.name}.${name}` };
  });
}
