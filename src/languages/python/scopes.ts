/** The lexical scopes of one file and what each name in them is bound to. */
import { parseType, parseValue, union } from './expressions.js';
import type { Chain, Shape } from './types.js';
import { isChain } from './types.js';

export type ScopeKind = 'module' | 'class' | 'function' | 'inner';

/** How a binding gets its value from the source range that it names. */
export type BindingKind =
  | 'value'
  | 'default'
  | 'type'
  | 'iterate'
  | 'enter'
  | 'caught'
  | 'import'
  | 'symbol'
  | 'self'
  | 'cls'
  | 'fixture'
  /** By a C declaration, whose type it keeps. */
  | 'declared'
  | 'opaque';

export interface Binding {
  readonly kind: BindingKind;
  readonly at: number;
  /** Range of the expression or annotation. */
  readonly start: number;
  readonly end: number;
  /** Scope in which the expression is evaluated. */
  readonly scope: Scope;
  readonly shape?: Shape;
  /** Steps to take from the value. */
  readonly steps?: Chain;
}

/** A scope, with its body's range. Lambdas and comprehensions are `inner`. */
export class Scope {
  readonly bindings = new Map<string, Binding[]>();
  readonly fields = new Map<string, Binding[]>();
  readonly elsewhere = new Map<string, Scope>();
  readonly returns: [number, number][] = [];
  readonly yields: [number, number][] = [];

  constructor(
    readonly kind: ScopeKind,
    readonly parent: Scope | undefined,
    readonly start: number,
    readonly end: number,
    /** Qualified name in the file; '' for the module. */
    readonly name: string,
  ) {}

  bind(name: string, binding: Binding): void {
    const owner = this.elsewhere.get(name) ?? this;
    const bindings = owner.bindings.get(name);
    if (bindings) bindings.push(binding);
    else owner.bindings.set(name, [binding]);
  }
}

/** What a name means at some place. */
export type Meaning =
  | { readonly kind: 'module' | 'unbound' }
  | { readonly kind: 'receiver'; readonly name: 'self' | 'cls' }
  /** A local, parameter or class member; no shape where nothing is known about it. */
  | { readonly kind: 'local'; readonly shape: Shape | undefined };

const MAX_DEPTH = 6;
const MAX_READ = 4;

/** Looks names up from a file's scopes, and turns source ranges into shapes whose roots are bound. */
export class Names {
  private depth = 0;
  private readonly shapes = new Map<Binding, Shape | undefined>();

  constructor(
    private readonly source: string,
    readonly module: Scope,
  ) {}

  /** The meaning of `name`, used at offset `at` in `scope`. */
  meaning(name: string, scope: Scope, at: number): Meaning {
    let current: Scope | undefined = scope;
    let direct = true;
    while (current) {
      if (current.kind === 'module') return { kind: current.bindings.has(name) ? 'module' : 'unbound' };
      const redirected = current.elsewhere.get(name);
      if (redirected?.kind === 'module') return { kind: 'module' };
      const bindings = this.visible(current, name, direct, at);
      if (bindings) {
        if (current.kind === 'class') return { kind: 'local', shape: { s: `${current.name}.${name}` } };
        const first = bindings[0] as Binding;
        if (bindings.length === 1 && (first.kind === 'self' || first.kind === 'cls')) {
          return { kind: 'receiver', name: first.kind };
        }
        return { kind: 'local', shape: this.reaching(bindings, at, direct) };
      }
      if (current.kind !== 'inner') direct = false;
      current = current.parent;
    }
    return { kind: 'unbound' };
  }

  /**
   * The bindings of `name` in the scope. A class body is not seen from its methods, and a name that it has not
   * bound yet is the one around it: `Timer = Timer`.
   */
  private visible(scope: Scope, name: string, direct: boolean, at: number): readonly Binding[] | undefined {
    if (scope.kind !== 'class') return scope.bindings.get(name);
    if (!direct) return undefined;
    const bindings = scope.bindings.get(name);
    return bindings?.some((binding) => binding.at < at && !(binding.start <= at && at < binding.end))
      ? bindings
      : undefined;
  }

  /**
   * The value of the assignments that may reach a use at `at`: back from there, up to one that is not indented
   * deeper than the use. From a nested function all count.
   */
  private reaching(bindings: readonly Binding[], at: number, direct: boolean): Shape | undefined {
    if (!direct) return this.any(bindings);
    const indent = bindings.length > 1 ? this.indentAt(at) : 0;
    const shapes: (Shape | undefined)[] = [];
    for (let i = bindings.length - 1; i >= 0 && shapes.length < MAX_READ; i--) {
      const binding = bindings[i] as Binding;
      if (binding.at >= at || (binding.start <= at && at < binding.end)) continue;
      shapes.push(this.shapeOf(binding));
      if (bindings.length === 1 || this.indentAt(binding.at) <= indent) break;
    }
    return shapes.length > 0 ? union(shapes) : this.any(bindings);
  }

  private any(bindings: readonly Binding[]): Shape | undefined {
    const declared = bindings.find(({ kind }) => kind === 'type' || kind === 'declared');
    if (declared) return this.shapeOf(declared);
    return union(bindings.slice(0, MAX_READ).map((binding) => this.shapeOf(binding)));
  }

  /** Column of the first character of the line: tells which assignments certainly come before a use. */
  private indentAt(at: number): number {
    const line = this.source.lastIndexOf('\n', at - 1) + 1;
    let i = line;
    while (this.source.charCodeAt(i) === 32 || this.source.charCodeAt(i) === 9) i++;
    return i - line;
  }

  /** The value that a name or field has over all its assignments. */
  valueOf(bindings: readonly Binding[]): Shape | undefined {
    return this.any(bindings);
  }

  private shapeOf(binding: Binding): Shape | undefined {
    if (this.shapes.has(binding)) return this.shapes.get(binding);
    if (this.depth >= MAX_DEPTH) return undefined;
    // Guards against `x = x.next()`: while it is being read, a binding says nothing.
    this.shapes.set(binding, undefined);
    this.depth++;
    const shape = this.read(binding);
    this.depth--;
    this.shapes.set(binding, shape);
    return shape;
  }

  private read({ kind, start, end, scope, shape, steps }: Binding): Shape | undefined {
    switch (kind) {
      case 'default': {
        // Callers may pass anything else: a literal says nothing.
        const value = this.expression(start, end, scope);
        return value === 'outside' ? undefined : value;
      }
      case 'value':
        return extend(this.expression(start, end, scope), steps);
      case 'type':
        return extend(this.annotation(start, end, scope), steps);
      case 'iterate':
        return extend(this.expression(start, end, scope), steps ?? ['[*]']);
      case 'enter':
        return extend(this.expression(start, end, scope), ['__enter__()']);
      case 'caught':
        return extend(this.expression(start, end, scope), ['()']);
      case 'self':
        return ['self'];
      case 'cls':
        return ['cls'];
      case 'opaque':
        return undefined;
      default:
        return shape;
    }
  }

  /** The value of the expression in `[start, end)`, bound in `scope`. */
  expression(start: number, end: number, scope: Scope): Shape | undefined {
    return this.bound(parseValue(this.source, start, end), scope, start);
  }

  annotation(start: number, end: number, scope: Scope): Shape | undefined {
    return this.bound(parseType(this.source, start, end), scope, start);
  }

  /** Replaces roots that are local names by what these stand for; undefined where that is unknown. */
  bound(shape: Shape | undefined, scope: Scope, at: number): Shape | undefined {
    if (shape === undefined || shape === 'outside') return shape;
    if (isChain(shape)) {
      const [root, ...rest] = shape as [string, ...string[]];
      const call = root.endsWith('()');
      const name = call ? root.slice(0, -2) : root;
      if (name === 'self' && rest.length === 0 && !call) return shape;
      if (name === 'super') return shape;
      const meaning = this.meaning(name, scope, at);
      if (meaning.kind === 'receiver') return [call ? `${meaning.name}()` : meaning.name, ...rest];
      if (meaning.kind !== 'local') return shape;
      return extend(meaning.shape, call ? ['()', ...rest] : rest);
    }
    if ('u' in shape) return union(shape.u.map((part) => this.bound(part, scope, at)));
    if ('v' in shape) return extend(this.bound(shape.v, scope, at), shape.c);
    if ('i' in shape) {
      const chain = this.bound(shape.i, scope, at);
      if (chain === undefined) return undefined;
      const args = shape.a?.map((arg) => this.bound(arg, scope, at) ?? 'outside');
      if (isChain(chain)) return args ? { i: chain, a: args } : { i: chain };
      return extend(chain, ['()']);
    }
    return shape;
  }
}

/** Steps taken from a shape. */
export function extend(shape: Shape | undefined, steps: Chain | undefined): Shape | undefined {
  if (shape === undefined || shape === 'outside' || steps === undefined || steps.length === 0) return shape;
  if (isChain(shape)) {
    if (shape.length + steps.length > 10) return undefined;
    return [...shape, ...steps];
  }
  if ('v' in shape) {
    if (shape.c.length + steps.length > 10) return undefined;
    return { v: shape.v, c: [...shape.c, ...steps] };
  }
  return { v: shape, c: steps };
}
