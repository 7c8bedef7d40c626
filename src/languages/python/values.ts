/** Evaluates chains of attributes and calls to what they may mean in the repository. */
import type { Provenance, Target } from '../../graph/edge.js';
import type { LinkView } from '../../graph/view.js';
import { dirOf, type Located, resolveModule } from './modules.js';
import {
  type ClassRef,
  type Hierarchy,
  hierarchy,
  importedFrom,
  type Meaning,
  memberOf,
  nameIn,
  stubsOf,
} from './names.js';
import { asEntry, type Chain, type Entry, type FunctionEntry, fixtureKey, isChain, type Shape } from './types.js';

/** What an expression may evaluate to. `how` is the evidence for a receiver: what an attribute of it rests on. */
export type Value =
  | { readonly k: 'module'; readonly at: Located }
  | { readonly k: 'class'; readonly ref: ClassRef; readonly how?: Provenance }
  | { readonly k: 'instance'; readonly ref: ClassRef; readonly how: Provenance; readonly args?: Arguments }
  | { readonly k: 'super'; readonly ref: ClassRef }
  | { readonly k: 'function'; readonly ref: ClassRef; readonly entry: Entry; readonly receiver?: Value }
  /** An instance of a class outside, of which only the type arguments matter. */
  | { readonly k: 'generic'; readonly name: string; readonly args: Arguments; readonly how: Provenance }
  | { readonly k: 'outside' };

type Arguments = readonly (readonly Value[])[];

/** What an attribute is: where it is defined, and its value when needed. */
export interface Found {
  readonly target?: Target;
  readonly entry?: Entry;
  readonly value: () => readonly Value[];
  readonly how?: Provenance;
}

/** From strong to weak evidence. The weakest step of a chain is the chain's. */
const STRENGTH: readonly Provenance[] = [
  'same-file',
  'imported-name',
  'self-receiver',
  'constructed-receiver',
  'declared-receiver',
  'field-receiver',
  'returned-receiver',
  'fixture',
];

export function weaker(a: Provenance, b: Provenance | undefined): Provenance {
  return b !== undefined && STRENGTH.indexOf(b) > STRENGTH.indexOf(a) ? b : a;
}

const OUTSIDE: readonly Value[] = [{ k: 'outside' }];
const MAX_VALUES = 4;
const MAX_DEPTH = 12;

/** Where an expression stands. */
export interface Site {
  readonly path: string;
  /** The class that `self` is of, and the value that it has. */
  readonly self?: Value | undefined;
  readonly owner?: ClassRef | undefined;
}

const FIRST_ARGUMENT =
  /^(?:list|List|set|Set|frozenset|FrozenSet|deque|Deque|Sequence|MutableSequence|Iterable|Iterator|Collection|Generator|AsyncIterator|AsyncIterable|AsyncGenerator|AbstractSet|MutableSet|KeysView|tuple|Tuple|ContextManager|AsyncContextManager|AbstractContextManager|AbstractAsyncContextManager|QuerySet|DynamicMapped)$/;
const MAPPING = /^(?:dict|Dict|Mapping|MutableMapping|defaultdict|DefaultDict|OrderedDict|WeakValueDictionary)$/;

/** One file's evaluations: remembers them, and asks the view. */
export class Evaluator {
  private depth = 0;
  private readonly known = new Map<string, readonly Value[]>();
  private readonly members = new Map<string, Found | undefined>();
  private readonly roots = new Map<string, Meaning | undefined>();
  private readonly modules = new Map<string, Located | undefined>();
  private readonly hierarchies = new Map<string, Hierarchy>();

  constructor(private readonly view: LinkView) {}

  meaning(path: string, name: string): Meaning | undefined {
    const key = `${path}\0${name}`;
    if (this.roots.has(key)) return this.roots.get(key);
    const meaning = nameIn(this.view, path, name);
    this.roots.set(key, meaning);
    return meaning;
  }

  /** The module that a file of `dir` means by `name`. */
  module(dir: string, name: string): Located | undefined {
    const key = `${dir}\0${name}`;
    if (this.modules.has(key)) return this.modules.get(key);
    const at = resolveModule(this.view, dir, name);
    this.modules.set(key, at);
    return at;
  }

  /** `module.name`. */
  inModule(at: Located, name: string): Meaning | undefined {
    const found = 'path' in at ? this.meaning(at.path, name) : undefined;
    return found && found.k !== 'outside' ? found : memberOf(this.view, at, name);
  }

  private hierarchyOf(ref: ClassRef): Hierarchy {
    const key = `${ref.path}\0${ref.name}`;
    let known = this.hierarchies.get(key);
    if (!known) {
      known = hierarchy(this.view, ref.path, ref.name);
      this.hierarchies.set(key, known);
    }
    return known;
  }

  /** What the shape evaluates to at the site. */
  evaluate(shape: Shape | undefined, site: Site, how: Provenance): readonly Value[] {
    if (shape === undefined) return [];
    if (shape === 'outside') return OUTSIDE;
    const key = `${site.path}\0${site.owner?.path ?? ''}\0${site.owner?.name ?? ''}\0${selfKey(site.self)}\0${how}\0${JSON.stringify(shape)}`;
    const known = this.known.get(key);
    if (known) return known;
    if (this.depth >= MAX_DEPTH) return [];
    this.known.set(key, []);
    this.depth++;
    const values = distinct(this.compute(shape, site, how));
    this.depth--;
    this.known.set(key, values);
    return values;
  }

  private compute(shape: Exclude<Shape, 'outside'>, site: Site, how: Provenance): readonly Value[] {
    if (isChain(shape)) {
      const root = this.root(shape[0] as string, site);
      return root ? this.steps(root.value(), shape.slice(1)) : [];
    }
    if ('u' in shape) return shape.u.flatMap((part) => this.evaluate(part, site, how));
    if ('v' in shape) return this.steps(this.evaluate(shape.v, site, how), shape.c);
    if ('s' in shape) return this.definition({ path: site.path, name: shape.s }).value();
    if ('m' in shape) {
      const meaning = importedFrom(this.view, dirOf(site.path), shape.m, shape.n ?? null);
      return meaning ? this.found(meaning).value() : [];
    }
    if ('f' in shape) {
      const fixture = this.fixture(site.path, shape.f);
      if (!fixture) return [];
      const entry = asEntry(this.view.entry(fixture.path, fixture.name));
      if (entry?.k !== 'f') return [];
      return this.produced(entry, { path: fixture.path }, 'fixture', true);
    }
    const args = shape.a?.map((arg) => this.evaluate(arg, site, how));
    const root = this.root(shape.i[0] as string, site);
    const classes = root ? this.steps(root.value(), shape.i.slice(1)) : OUTSIDE;
    const last = shape.i.at(-1) as string;
    return classes.flatMap((value): readonly Value[] => {
      if (value.k === 'class') return [{ k: 'instance', ref: value.ref, how, ...(args ? { args } : {}) }];
      if (value.k === 'outside') return args ? [{ k: 'generic', name: last, args, how }] : OUTSIDE;
      // An alias of a type, evaluated already.
      return value.k === 'instance' || value.k === 'generic' ? [value] : [];
    });
  }

  /** The first name of a chain, called where it ends in `()`. */
  root(step: string, site: Site): Found | undefined {
    if (step === 'super()') {
      return site.owner && { value: () => [{ k: 'super', ref: site.owner as ClassRef }], how: 'self-receiver' };
    }
    const called = step.endsWith('()');
    const name = called ? step.slice(0, -2) : step;
    if (name === 'self' || name === 'cls') {
      const self: Value | undefined =
        site.self ?? (site.owner && { k: 'instance', ref: site.owner, how: 'self-receiver' });
      if (!self) return undefined;
      const value: Value =
        name === 'cls' && self.k === 'instance' ? { k: 'class', ref: self.ref, how: 'self-receiver' } : self;
      return { value: () => (called ? this.call(value, 'self-receiver') : [value]), how: 'self-receiver' };
    }
    const meaning = this.meaning(site.path, name);
    if (!meaning) return undefined;
    const found = this.found(meaning);
    const how: Provenance = meaning.k === 'definition' && meaning.path === site.path ? 'same-file' : 'imported-name';
    if (!called) return { ...found, how };
    return { ...found, how, value: () => found.value().flatMap((value) => this.call(value, 'constructed-receiver')) };
  }

  found(meaning: Meaning): Found {
    if (meaning.k === 'outside') return { value: () => OUTSIDE };
    if (meaning.k === 'module') {
      const target = 'path' in meaning.at ? { target: { path: meaning.at.path } } : {};
      return { ...target, value: () => [{ k: 'module', at: meaning.at }] };
    }
    return this.definition({ path: meaning.path, name: meaning.symbol });
  }

  definition(ref: ClassRef): Found {
    const entry = asEntry(this.view.entry(ref.path, ref.name));
    if (!entry) return { value: () => [] };
    const target = { path: ref.path, symbol: ref.name };
    if (entry.k === 'c') return { target, entry, value: () => [{ k: 'class', ref }] };
    if (entry.k === 'f') return { target, entry, value: () => [{ k: 'function', ref, entry }] };
    if (entry.k === 'v')
      return { target, entry, value: () => this.variable(entry.t, { path: ref.path }, 'field-receiver') };
    return { value: () => [] };
  }

  /** The value of a variable. A class or function that it only renames stays one. */
  private variable(shape: Shape | undefined, site: Site, how: Provenance): readonly Value[] {
    return this.evaluate(shape, site, how).map((value) =>
      value.k === 'instance' || value.k === 'generic' ? { ...value, how: weaker(value.how, how) } : value,
    );
  }

  steps(values: readonly Value[], steps: Chain): readonly Value[] {
    let current = values;
    for (const step of steps) {
      if (current.length === 0) return current;
      current = distinct(current.flatMap((value) => this.step(value, step)));
    }
    return current;
  }

  step(value: Value, step: string): readonly Value[] {
    if (step === '()') return this.call(value, 'constructed-receiver');
    if (step === '[]' || step === '[*]') return this.item(value, step === '[*]');
    const called = step.endsWith('()');
    const found =
      this.attribute(value, called ? step.slice(0, -2) : step) ??
      (step === '__enter__()' ? this.attribute(value, '__aenter__') : undefined);
    if (!found) return value.k === 'outside' ? OUTSIDE : this.builtinMethod(value, step);
    if (!called) return found.value();
    return found.value().flatMap((result) => this.call(result, 'returned-receiver'));
  }

  /** Methods of containers whose results their type arguments tell. */
  private builtinMethod(value: Value, step: string): readonly Value[] {
    if (value.k === 'instance') {
      return step === '__enter__()' ? [value] : [];
    }
    if (value.k !== 'generic') return [];
    if (value.name === 'ContextVar') return step === 'get()' ? (value.args[0] ?? []) : [];
    if (step === 'get()' || step === 'pop()' || step === 'setdefault()' || step === 'popleft()')
      return this.item(value, false);
    if (step === 'copy()') return [value];
    if (step === '__enter__()') return value.args[0] ?? [];
    if (step === 'values()') return [{ ...value, name: 'list', args: value.args.slice(1) }];
    return [];
  }

  attribute(value: Value, name: string): Found | undefined {
    switch (value.k) {
      case 'module': {
        const meaning = this.inModule(value.at, name);
        return meaning && this.found(meaning);
      }
      case 'class':
      case 'instance': {
        if (name === '__class__') return { value: () => [{ k: 'class', ref: value.ref }], how: 'self-receiver' };
        return this.member(value.ref, name, value, 0);
      }
      case 'super':
        return this.member(value.ref, name, { k: 'instance', ref: value.ref, how: 'self-receiver' }, 1);
      default:
        return undefined;
    }
  }

  /** Whether an attribute of the class that was not found may come from outside the repository. */
  isOpen(ref: ClassRef): boolean {
    return this.hierarchyOf(ref).open;
  }

  private member(ref: ClassRef, name: string, receiver: Value, skip: number): Found | undefined {
    const key = `${ref.path}\0${ref.name}\0${name}\0${skip}\0${receiver.k}\0${'how' in receiver ? receiver.how : ''}`;
    if (this.members.has(key)) return this.members.get(key);
    const found = this.findMember(ref, name, receiver, skip);
    this.members.set(key, found);
    return found;
  }

  /** As type checkers do: what some class of the hierarchy declares comes before what any merely assigns. */
  private findMember(ref: ClassRef, name: string, receiver: Value, skip: number): Found | undefined {
    const { classes } = this.hierarchyOf(ref);
    let assigned: (() => Found) | undefined;
    for (let i = skip; i < classes.length; i++) {
      const at = classes[i] as ClassRef;
      const symbol = `${at.name}.${name}`;
      let path = at.path;
      let entry = asEntry(this.view.entry(path, symbol));
      if (!entry) {
        for (const stub of stubsOf(this.view, at.path)) {
          entry ??= asEntry(this.view.entry(stub, symbol));
          if (entry && path === at.path) path = stub;
        }
        if (!entry) continue;
      }
      const known = entry;
      if (known.k !== 'v' || known.d) return this.memberFound(known, { path, name: symbol }, at, receiver);
      const file = path;
      assigned ??= () => this.memberFound(known, { path: file, name: symbol }, at, receiver);
    }
    return assigned?.();
  }

  private memberFound(entry: Entry, ref: ClassRef, owner: ClassRef, receiver: Value): Found {
    const how = 'how' in receiver && receiver.how !== undefined ? { how: receiver.how } : {};
    const target: Target = { path: ref.path, symbol: ref.name };
    const site: Site = { path: ref.path, owner, self: receiver };
    if (entry.k === 'c') return { target, entry, ...how, value: () => [{ k: 'class', ref }] };
    if (entry.k === 'f') {
      if (entry.d === 'p' && receiver.k === 'instance') {
        return { target, entry, ...how, value: () => this.result(entry, site, 'returned-receiver') };
      }
      return { target, entry, ...how, value: () => [{ k: 'function', ref, entry, receiver }] };
    }
    if (entry.k === 'v') return { target, entry, ...how, value: () => this.variable(entry.t, site, 'field-receiver') };
    return { value: () => [] };
  }

  /** What calling the value returns. */
  call(value: Value, how: Provenance): readonly Value[] {
    switch (value.k) {
      case 'class':
        return [
          {
            k: 'instance',
            ref: value.ref,
            how: weaker(this.makesOthers(value) ? 'returned-receiver' : how, value.how),
          },
        ];
      case 'function': {
        const owner = this.ownerOf(value.ref);
        const site: Site = { path: value.ref.path, owner, self: value.receiver };
        return this.result(value.entry, site, 'returned-receiver', value.ref.name);
      }
      case 'instance': {
        const found = this.attribute(value, '__call__');
        return found ? found.value().flatMap((method) => this.call(method, 'returned-receiver')) : [];
      }
      case 'outside':
        return OUTSIDE;
      default:
        return [];
    }
  }

  /** Whether a `__new__` of the repository decides what a call of the class gives: often another class. */
  private makesOthers(value: Value): boolean {
    return this.attribute(value, '__new__') !== undefined;
  }

  private ownerOf(ref: ClassRef): ClassRef | undefined {
    const dot = ref.name.lastIndexOf('.');
    if (dot < 0) return undefined;
    const name = ref.name.slice(0, dot);
    return asEntry(this.view.entry(ref.path, name))?.k === 'c' ? { path: ref.path, name } : undefined;
  }

  /** What a function's call returns. A stub beside the file speaks for an unannotated function called `name`. */
  private result(entry: Entry, site: Site, how: Provenance, name?: string): readonly Value[] {
    if (entry.k !== 'f') return [];
    if (entry.r === undefined && entry.y === undefined && name !== undefined) {
      for (const stub of stubsOf(this.view, site.path)) {
        const declared = asEntry(this.view.entry(stub, name));
        if (declared?.k === 'f') return this.result(declared, { ...site, path: stub }, how);
      }
      return [];
    }
    return this.produced(entry, site, how, false);
  }

  private produced(entry: FunctionEntry, site: Site, how: Provenance, asFixture: boolean): readonly Value[] {
    const mark = (value: Value): Value =>
      value.k === 'instance' || value.k === 'generic' ? { ...value, how: weaker(value.how, how) } : value;
    if (entry.y !== undefined) {
      const yielded = this.evaluate(entry.y, site, how).map(mark);
      return asFixture ? yielded : [{ k: 'generic', name: 'Generator', args: [yielded], how }];
    }
    const returned = this.evaluate(entry.r, site, how).map(mark);
    if (!asFixture) return returned;
    return returned.flatMap((value) =>
      value.k === 'generic' && /Generator|Iterator|Iterable/.test(value.name) ? (value.args[0] ?? []) : [value],
    );
  }

  private item(value: Value, iterated: boolean): readonly Value[] {
    if (value.k === 'generic') {
      if (MAPPING.test(value.name)) return (iterated ? value.args[0] : value.args[1]) ?? [];
      return FIRST_ARGUMENT.test(value.name) ? (value.args[0] ?? []) : [];
    }
    if (value.k === 'instance') {
      const found = this.attribute(value, iterated ? '__iter__' : '__getitem__');
      const results = found ? found.value().flatMap((method) => this.call(method, 'returned-receiver')) : [];
      if (!iterated) return results;
      return results.flatMap((result) => (result.k === 'generic' ? this.item(result, true) : []));
    }
    if (value.k === 'class' && !iterated) return [value];
    return value.k === 'outside' ? OUTSIDE : [];
  }

  /** The fixture that pytest injects under the name into a file, other than the definition `not`. */
  fixture(path: string, name: string, not?: string): ClassRef | undefined {
    const inFile = (file: string): ClassRef | undefined => {
      const own = this.view.entry(file, fixtureKey(name));
      if (typeof own === 'string') return file === path && own === not ? undefined : { path: file, name: own };
      const meaning = this.meaning(file, name);
      if (meaning?.k !== 'definition' || meaning.path === file) return undefined;
      const foreign = this.view.entry(meaning.path, fixtureKey(name));
      return typeof foreign === 'string' ? { path: meaning.path, name: foreign } : undefined;
    };
    const own = inFile(path);
    if (own) return own;
    let dir = dirOf(path);
    for (;;) {
      const conftest = dir === '' ? 'conftest.py' : `${dir}/conftest.py`;
      if (conftest !== path && this.view.has(conftest)) {
        const found = inFile(conftest);
        if (found) return found;
      }
      if (dir === '') return undefined;
      dir = dirOf(dir);
    }
  }
}

function selfKey(self: Value | undefined): string {
  if (!self || !('ref' in self)) return '';
  return `${self.k}\0${self.ref.path}\0${self.ref.name}\0${'how' in self ? self.how : ''}`;
}

function distinct(values: readonly Value[]): readonly Value[] {
  if (values.length < 2) return values;
  const seen = new Map<string, Value>();
  for (const value of values) {
    const key =
      'ref' in value
        ? `${value.k}\0${value.ref.path}\0${value.ref.name}`
        : value.k === 'module'
          ? JSON.stringify(value.at)
          : value.k === 'generic'
            ? JSON.stringify(value)
            : value.k;
    if (!seen.has(key)) seen.set(key, value);
  }
  return [...seen.values()].slice(0, MAX_VALUES);
}
