/** What a name of a module means, through imports, re-exports and star imports; and the class hierarchy. */
import type { LinkView } from '../../graph/view.js';
import { dirOf, type Located, resolveModule, submodule } from './modules.js';
import { ALL, asEntry, type Entry, isChain, type Shape, STAR_IMPORTS } from './types.js';

/** A definition of the repository, a module, or something that is known to lie outside. */
export type Meaning =
  | { readonly k: 'definition'; readonly path: string; readonly symbol: string }
  | { readonly k: 'module'; readonly at: Located }
  | { readonly k: 'outside' };

const OUTSIDE: Meaning = { k: 'outside' };
const MAX_CHAIN = 24;

/** The files beside a source file that declare what is in it: a stub, and in Cython what C code may use of it. */
export function stubsOf(view: LinkView, path: string): readonly string[] {
  if (path.endsWith('.py')) return view.has(`${path}i`) ? [`${path}i`] : [];
  if (!path.endsWith('.pyx')) return [];
  const base = path.slice(0, -'.pyx'.length);
  return [`${base}.pxd`, `${base}.pyi`].filter((stub) => view.has(stub));
}

/** The file beside a .pxd file that implements what it declares. */
export function implementationOf(view: LinkView, path: string): string | undefined {
  if (!path.endsWith('.pxd')) return undefined;
  const base = path.slice(0, -'.pxd'.length);
  return [`${base}.pyx`, `${base}.py`].find((source) => view.has(source));
}

/** The definition that `path` has of the name, or declares: then where it is implemented. */
function definitionOf(view: LinkView, path: string, symbol: string): Meaning {
  const implementation = implementationOf(view, path);
  const entry = implementation === undefined ? undefined : asEntry(view.entry(implementation, symbol));
  return {
    k: 'definition',
    path: implementation !== undefined && entry && entry.k !== 'i' ? implementation : path,
    symbol,
  };
}

/** What `name` means in the module at `path`; undefined where nothing there says. */
export function nameIn(view: LinkView, path: string, name: string): Meaning | undefined {
  return view.derive(`python:name:${path}\0${name}`, () => lookUp(view, path, name, new Set()));
}

function lookUp(view: LinkView, path: string, name: string, seen: Set<string>): Meaning | undefined {
  const key = `${path}\0${name}`;
  if (seen.has(key) || seen.size > MAX_CHAIN) return undefined;
  seen.add(key);
  const entry = asEntry(view.entry(path, name));
  if (entry) {
    if (entry.k !== 'i') return definitionOf(view, path, name);
    let outside = false;
    for (const [module, imported] of entry.o) {
      const found = importedFrom(view, dirOf(path), module, imported, seen);
      if (found && found.k !== 'outside') return found;
      if (found) outside = true;
    }
    return outside ? OUTSIDE : undefined;
  }
  const stars = view.entry(path, STAR_IMPORTS) as readonly string[] | undefined;
  let outside = false;
  for (const module of stars ? [...stars].reverse() : []) {
    const at = resolveModule(view, dirOf(path), module);
    if (!at) outside = true;
    else if ('path' in at && exportsByStar(view, at.path, name)) {
      const found = lookUp(view, at.path, name, seen);
      if (found && found.k !== 'outside') return found;
    }
  }
  for (const stub of stubsOf(view, path)) {
    const found = lookUp(view, stub, name, seen);
    if (found) return found;
  }
  return outside ? OUTSIDE : undefined;
}

function exportsByStar(view: LinkView, path: string, name: string): boolean {
  // What is included is text of the file itself.
  if (path.endsWith('.pxi')) return true;
  const all = view.entry(path, ALL) as readonly string[] | undefined;
  return all ? all.includes(name) || view.entry(path, STAR_IMPORTS) !== undefined : !name.startsWith('_');
}

/** What `from module import name` (or `import module`, name null) binds in a file of `dir`. */
export function importedFrom(
  view: LinkView,
  dir: string,
  module: string,
  name: string | null,
  seen: Set<string> = new Set(),
): Meaning | undefined {
  const at = resolveModule(view, dir, module);
  if (!at) return OUTSIDE;
  if (name === null) return { k: 'module', at };
  return memberOf(view, at, name, seen);
}

/** `module.name`: a name in the module, else its submodule. */
export function memberOf(view: LinkView, at: Located, name: string, seen?: Set<string>): Meaning | undefined {
  const found = 'path' in at ? (seen ? lookUp(view, at.path, name, seen) : nameIn(view, at.path, name)) : undefined;
  if (found && found.k !== 'outside') return found;
  const inner = submodule(view, at, name);
  return inner ? { k: 'module', at: inner } : found;
}

export interface ClassRef {
  readonly path: string;
  readonly name: string;
}

export interface Hierarchy {
  /** The class itself first, then its bases in the order in which attributes are looked up. */
  readonly classes: readonly ClassRef[];
  /** Whether some base is outside the repository or unknown, so that attributes may come from there. */
  readonly open: boolean;
}

const MAX_CLASSES = 60;

/**
 * The classes that attributes of `path:name` are looked up in. Depth first, where a class that several bases
 * share comes after the last of them, which is the C3 order for hierarchies that people write.
 */
export function hierarchy(view: LinkView, path: string, name: string): Hierarchy {
  return view.derive(`python:hierarchy:${path}\0${name}`, () => {
    const order: ClassRef[] = [];
    let open = false;
    const visit = (at: ClassRef, above: readonly string[]): void => {
      const key = `${at.path}\0${at.name}`;
      if (above.includes(key) || order.length >= MAX_CLASSES) return;
      order.push(at);
      const entry = asEntry(view.entry(at.path, at.name));
      if (entry?.k !== 'c') {
        open = true;
        return;
      }
      for (const base of entry.b ?? []) {
        const found = classOf(view, at.path, base, 0);
        if (found === 'object') continue;
        if (found) visit(found, [...above, key]);
        else open = true;
      }
    };
    visit({ path, name }, []);
    const last = new Map(order.map((at, index) => [`${at.path}\0${at.name}`, index]));
    return { classes: order.filter((at, index) => last.get(`${at.path}\0${at.name}`) === index), open };
  });
}

/** The class that a base expression names. */
function classOf(view: LinkView, path: string, shape: Shape, depth: number): ClassRef | 'object' | undefined {
  if (shape === 'outside' || depth > 6) return undefined;
  if (isChain(shape)) {
    const steps = shape.filter((step) => step !== '[]');
    if (steps[0] === 'object' && steps.length === 1) return 'object';
    let current: Meaning | undefined = nameIn(view, path, steps[0] as string);
    if (current?.k === 'outside' && /^(?:Generic|Protocol|ABC)$/.test(steps[0] as string)) return 'object';
    for (const step of steps.slice(1)) current = current && attribute(view, current, step);
    return current && classFrom(view, current, depth);
  }
  if ('s' in shape) return classFrom(view, { k: 'definition', path, symbol: shape.s }, depth);
  if ('m' in shape) {
    const found = importedFrom(view, dirOf(path), shape.m, shape.n ?? null);
    return found && classFrom(view, found, depth);
  }
  if ('v' in shape) {
    let current: Meaning | undefined =
      isChain(shape.v) || typeof shape.v === 'string'
        ? undefined
        : 's' in shape.v
          ? { k: 'definition', path, symbol: shape.v.s }
          : 'm' in shape.v
            ? importedFrom(view, dirOf(path), shape.v.m, shape.v.n ?? null)
            : undefined;
    for (const step of shape.c) if (step !== '[]') current = current && attribute(view, current, step);
    return current && classFrom(view, current, depth);
  }
  return undefined;
}

function attribute(view: LinkView, of: Meaning, name: string): Meaning | undefined {
  if (of.k === 'module') return memberOf(view, of.at, name);
  if (of.k === 'outside') return of;
  const symbol = `${of.symbol}.${name}`;
  return view.entry(of.path, symbol) === undefined ? undefined : { k: 'definition', path: of.path, symbol };
}

function classFrom(view: LinkView, meaning: Meaning, depth: number): ClassRef | 'object' | undefined {
  if (meaning.k !== 'definition') return undefined;
  const entry: Entry | undefined = asEntry(view.entry(meaning.path, meaning.symbol));
  if (entry?.k === 'c') return { path: meaning.path, name: meaning.symbol };
  if (entry?.k === 'v' && entry.t !== undefined) return classOf(view, meaning.path, entry.t, depth + 1);
  return undefined;
}
