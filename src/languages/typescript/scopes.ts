/** Lexical scopes of one file, and type expressions closed over them. */
import {
  BUILTIN,
  behind,
  nameIn,
  type TypeArguments,
  type TypeExpression,
  WINDOW,
  WINDOW_NAMES,
} from './type-expression.js';

/** What a name stands for in a scope. Values and types are separate spaces in TypeScript. */
export interface Binding {
  /** Index of the symbol that the name has as a value. */
  symbol?: number;
  /** Index of the symbol that it has as a type, where that is another one. */
  type?: number;
  /** What an import binds: its module and the exported name. */
  imported?: { readonly m: string; readonly x: string };
  /** The type of a parameter or a local, or the constraint of a type parameter. */
  value?: TypeExpression | undefined;
  /** Which type parameter of a class, interface or alias it is. */
  parameter?: number;
  readonly scope: Scope;
}

export class Scope {
  readonly names = new Map<string, Binding>();
  /** How many type parameters the class, interface or alias has whose scope this is. */
  typeParameters = 0;

  constructor(
    readonly parent: Scope | undefined,
    /** Function scopes are where `var` lands. */
    readonly isFunction: boolean,
  ) {}

  /** The binding of a name in this very scope, made if need be. */
  own(name: string): Binding {
    let binding = this.names.get(name);
    if (!binding) {
      binding = { scope: this };
      this.names.set(name, binding);
    }
    return binding;
  }

  find(name: string): Binding | undefined {
    for (let scope: Scope | undefined = this; scope; scope = scope.parent) {
      const binding = scope.names.get(name);
      if (binding) return binding;
    }
    return undefined;
  }

  get functionScope(): Scope {
    let scope: Scope = this;
    while (!scope.isFunction && scope.parent) scope = scope.parent;
    return scope;
  }
}

type ObjectType = Extract<TypeExpression, { readonly o: unknown }>;

/** How many locals are followed from one to the next. */
const LONGEST_TRAIL = 8;

/**
 * Rewrites a type expression so that its names are names of the module: locals are replaced by their
 * own types, nested definitions by their qualified names. Undefined where it depends on something of
 * unknown type. A type parameter is its constraint for what stands inside of what has it, and a parameter for others.
 */
export class Closing {
  /** Whether a type parameter was kept since this was last set to false. */
  hasKept = false;

  constructor(
    private readonly module: Scope,
    private readonly nameOf: (symbol: number) => string,
    /** Whether type parameters stay what they are. */
    private readonly keepsParameters = false,
  ) {}

  close(type: TypeExpression | undefined, scope: Scope, depth = 0): TypeExpression | undefined {
    if (!type || depth > LONGEST_TRAIL) return undefined;
    if ('t' in type || 'n' in type) {
      const name = 't' in type ? type.t : type.n;
      const dot = name.indexOf('.');
      const root = dot < 0 ? name : name.slice(0, dot);
      const binding = scope.find(root);
      if (!binding || binding.scope === this.module) return type.g ? this.applied(type, type.g, scope, depth) : type;
      if (this.keepsParameters && binding.parameter !== undefined) {
        this.hasKept = true;
        const constraint = this.close(binding.value, binding.scope, depth + 1);
        return { k: binding.parameter, ...(constraint ? { c: constraint } : {}) };
      }
      if (binding.imported) {
        const { m, x } = binding.imported;
        if (dot >= 0) return { v: ['?', ...name.slice(dot + 1).split('.'), 'new()'], r: { m, x } };
        return { v: ['?', 'new()'], r: { m, x } };
      }
      const symbol = binding.type ?? binding.symbol;
      if (symbol !== undefined) return { i: this.nameOf(symbol) + (dot < 0 ? '' : name.slice(dot)) };
      return dot < 0 && 't' in type ? this.close(binding.value, binding.scope, depth + 1) : undefined;
    }
    if ('v' in type) {
      if (type.r) {
        const root = this.close(type.r, scope, depth + 1);
        return root && ('b' in root ? BUILTIN : shortened(type.v, root));
      }
      const [first = '', ...rest] = type.v;
      if (first === 'this') return undefined;
      const called = first.endsWith('()');
      const name = first.replace(/(\(\))+$/, '');
      const binding = scope.find(name);
      if (!binding) return WINDOW_NAMES.test(first) ? (rest.length > 0 ? behind(WINDOW, ...rest) : WINDOW) : undefined;
      if (binding.scope === this.module && (binding.symbol !== undefined || binding.imported)) return type;
      const root = this.bound(binding, depth);
      if (!root) return undefined;
      if ('b' in root) return BUILTIN;
      if (!called && rest.length === 0) return root;
      return shortened([`?${first.slice(name.length)}`, ...rest], root);
    }
    if ('p' in type) return this.wrap('p', type.p, scope, depth);
    if ('a' in type) return this.wrap('a', type.a, scope, depth);
    if ('d' in type) return this.wrap('d', type.d, scope, depth);
    if ('w' in type) return this.wrap('w', type.w, scope, depth);
    if ('e' in type) return this.wrap('e', type.e, scope, depth);
    if ('z' in type) return this.wrap('z', type.z, scope, depth);
    if ('f' in type) {
      const q = type.q?.map((one) => (one ? (this.close(one, scope, depth + 1) ?? null) : null));
      return { f: this.close(type.f, scope, depth + 1) ?? BUILTIN, ...(q ? { q } : {}) };
    }
    if ('u' in type) {
      const all = type.u
        .map((one) =>
          'o' in one ? this.object(one, scope, depth + 1, one.l === 1) : this.close(one, scope, depth + 1),
        )
        .filter((one) => one !== undefined);
      return all.length > 1 ? { u: all } : all[0];
    }
    if ('o' in type) return this.object(type, scope, depth, false);
    if ('less' in type) {
      const less = this.close(type.less, scope, depth + 1);
      return less && !('b' in less) ? { less, ...(type.not ? { not: type.not } : {}) } : less;
    }
    if ('either' in type) {
      const [yes, no] = type.either.map((one) => this.close(one, scope, depth + 1));
      return yes && no && { either: [yes, no] };
    }
    return type;
  }

  /** With `keepsAll`, also the names of members of which nothing is known: they hide what is spread beside them. */
  private object(type: ObjectType, scope: Scope, depth: number, keepsAll: boolean): TypeExpression | undefined {
    const members: { [name: string]: TypeExpression } = {};
    for (const [name, member] of Object.entries(type.o)) {
      const closed = this.close(member, scope, depth + 1);
      if (closed && !('b' in closed)) members[name] = closed;
      else if (keepsAll) members[name] = BUILTIN;
    }
    if (Object.keys(members).length === 0) return type.l && BUILTIN;
    return type.l ? { o: members, l: 1 } : { o: members };
  }

  private applied(
    type: { readonly t: string } | { readonly n: string },
    given: TypeArguments,
    scope: Scope,
    depth: number,
  ): TypeExpression {
    const g = given.map((one) => (one && this.close(one, scope, depth + 1)) ?? null);
    const isWorthIt = g.some((one) => one && !('b' in one));
    const bare: TypeExpression = 't' in type ? { t: type.t } : { n: type.n };
    return isWorthIt ? { ...bare, g } : bare;
  }

  /** What a reference through a name that is not the module's own starts from. */
  bound(binding: Binding, depth = 0): TypeExpression | undefined {
    if (binding.symbol !== undefined) return { s: this.nameOf(binding.symbol) };
    if (binding.imported) return binding.imported;
    if (binding.type !== undefined) return { s: this.nameOf(binding.type) };
    return this.close(binding.value, binding.scope, depth + 1);
  }

  private wrap(
    key: 'p' | 'a' | 'd' | 'w' | 'e' | 'z',
    inner: TypeExpression,
    scope: Scope,
    depth: number,
  ): TypeExpression | undefined {
    const closed = this.close(inner, scope, depth + 1);
    return closed && ({ [key]: closed } as unknown as TypeExpression);
  }
}

/**
 * A chain behind a type, without its steps into objects that are written out, which are no definitions. Undefined
 * where one ends there. With `keepsLast`, the last step stays for the linker to say what it is.
 */
export function shortened(
  chain: readonly string[],
  root: TypeExpression,
  keepsLast = false,
): TypeExpression | undefined {
  let type = root;
  let at = 1;
  for (; 'o' in type && at < chain.length && chain[0] === '?'; at++) {
    const segment = chain[at] ?? '';
    const name = nameIn(segment);
    const member = Object.hasOwn(type.o, name) ? type.o[name] : undefined;
    if (!member) return type.l && BUILTIN;
    if (segment !== name || (keepsLast && at === chain.length - 1)) {
      const only: TypeExpression = { o: { [name]: member }, ...(type.l ? { l: 1 } : {}) };
      return { v: ['?', ...chain.slice(at)], r: only };
    }
    type = member;
  }
  if (at === 1) return { v: chain, r: root };
  return at === chain.length ? type : { v: ['?', ...chain.slice(at)], r: type };
}
