/** Evaluates type and value expressions across files: what a name, a member or a call's result is. */
import type { Provenance } from '../../graph/edge.js';
import type { GoEntry, TypeExpression, ValueExpression } from './expressions.js';
import { folderOfImport } from './modules.js';
import { type Package, type Packages, packageOf } from './packages.js';

/** Where an expression stands: what its names mean and which definition holds it. */
interface Place {
  readonly pkg: Package;
  /** The definition that the expression is a part of; fields of unnamed structs count as its own. */
  readonly holder?: Holder;
  readonly args?: readonly (Type | undefined)[];
}

export interface Holder {
  readonly paths: readonly string[];
  readonly symbol: string;
}

type Literal = Extract<TypeExpression, readonly unknown[]>;

export type Type =
  | {
      readonly is: 'named';
      readonly pkg: Package;
      readonly name: string;
      readonly holder: Holder;
      readonly entry: Extract<GoEntry, { k: 'type' }>;
      readonly args?: readonly (Type | undefined)[];
    }
  | { readonly is: 'literal'; readonly expression: Literal; readonly place: Place };

export type Value =
  | { readonly is: 'package'; readonly pkg: Package }
  | { readonly is: 'type'; readonly type: Type }
  | {
      readonly is: 'function';
      readonly results: readonly TypeExpression[];
      readonly place: Place;
      /** Of a generic function without type arguments. */
      readonly open?: { readonly parameters: readonly TypeExpression[]; readonly isVariadic: boolean };
    }
  | { readonly is: 'tuple'; readonly types: readonly TypeExpression[]; readonly place: Place }
  | { readonly is: 'value'; readonly type: Type | undefined; readonly origin: Provenance };

/** Something found by name: where it is defined, and what it is as a value. */
export interface Found {
  readonly holder: Holder;
  readonly kind: GoEntry['k'] | 'field';
  readonly value: Value | undefined;
}

/** Steps of one evaluation, so that definitions in terms of each other end. */
const MAX_STEPS = 40;
/** Levels of embedding that are searched for a member. */
const MAX_EMBEDDING = 6;

export class Evaluation {
  private steps = 0;
  private readonly ownTypes = new Map<number, Type | undefined>();

  constructor(
    readonly packages: Packages,
    private readonly types: readonly TypeExpression[],
    /** Packages of dot imports. */
    private readonly dotted: readonly Package[],
  ) {}

  private limited<T>(compute: () => T): T | undefined {
    if (this.steps >= MAX_STEPS) return undefined;
    this.steps++;
    try {
      return compute();
    } finally {
      this.steps--;
    }
  }

  private get here(): Place {
    return { pkg: this.packages.current };
  }

  /** The package of an import path, as files of `from` import it. */
  imported(module: string, from: Package): Package | undefined {
    const dir = folderOfImport(module, from.dir, this.packages.view);
    return dir === undefined ? undefined : packageOf(dir, this.packages.view);
  }

  /** The type of the file's table, and how a value of it came by it. */
  local(index: number): Value {
    const expression = this.types[index] ?? null;
    return { is: 'value', type: this.type(index, this.here), origin: originOf(expression) };
  }

  type(expression: TypeExpression, place: Place): Type | undefined {
    if (expression === null) return undefined;
    if (typeof expression === 'number') {
      if (this.ownTypes.has(expression)) return this.ownTypes.get(expression);
      this.ownTypes.set(expression, undefined);
      const type = this.type(this.types[expression] ?? null, place);
      this.ownTypes.set(expression, type);
      return type;
    }
    return this.limited(() => this.composed(expression, place));
  }

  private composed(expression: Exclude<TypeExpression, null | number>, place: Place): Type | undefined {
    if (typeof expression === 'string') return typeIn(this.find(expression, place.pkg));
    switch (expression[0]) {
      case '@':
      case '?':
        return typeIn(this.across(expression, place.pkg));
      case '$':
        // Inside the generic definition a parameter has the members of its constraint; outside it is what was given.
        return place.args ? place.args[expression[1]] : this.type(expression[2], place);
      case '<>': {
        const [, base, ...args] = expression;
        const type = this.type(base, place);
        return type?.is === 'named' ? { ...type, args: args.map((arg) => this.type(arg, place)) } : type;
      }
      case 'self':
      case 'made':
        return this.type(expression[1], place);
      case 'of': {
        const value = this.value(expression[1], place);
        return value && this.typeOf(value);
      }
      default:
        return { is: 'literal', expression, place };
    }
  }

  value(expression: ValueExpression, place: Place): Value | undefined {
    if (typeof expression === 'string') return this.find(expression, place.pkg)?.value;
    return this.limited((): Value | undefined => {
      switch (expression[0]) {
        case '@':
        case '?':
          return this.across(expression, place.pkg)?.value;
        case 'as':
          return { is: 'value', type: this.type(expression[1], place), origin: originOf(expression[1]) };
        case 'select': {
          const of = this.value(expression[1], place);
          return of && this.select(of, expression[2])?.value;
        }
        case 'call': {
          const [, callee, ...args] = expression;
          const of = this.value(callee, place);
          return of && this.call(this.inferred(of, args, place));
        }
        case 'result': {
          const call = this.value(expression[1], place);
          if (call?.is !== 'tuple') return undefined;
          return {
            is: 'value',
            type: this.type(call.types[expression[2]] ?? null, call.place),
            origin: 'returned-receiver',
          };
        }
        case 'element':
        case 'key': {
          const of = this.value(expression[1], place);
          const type = of && this.typeOf(of);
          return type && { is: 'value', type: this.ranged(type, expression[0]), origin: 'declared-receiver' };
        }
        case 'index': {
          const [, inner, ...args] = expression;
          const of = this.value(inner, place);
          return (
            of &&
            this.index(
              of,
              args.map((arg) => this.type(arg, place)),
            )
          );
        }
      }
    });
  }

  /** The type that a value has where it is used. */
  typeOf(value: Value): Type | undefined {
    if (value.is === 'value') return value.type;
    if (value.is === 'tuple') return this.type(value.types[0] ?? null, value.place);
    if (value.is === 'function') {
      return { is: 'literal', expression: ['func', value.results, []], place: value.place };
    }
    return undefined;
  }

  private across(expression: readonly ['@' | '?', string, string, ...string[]], from: Package): Found | undefined {
    if (expression[0] === '@') {
      const pkg = this.imported(expression[1], from);
      return pkg && this.find(expression[2], pkg, false);
    }
    const [, qualifier, name, ...modules] = expression;
    for (const module of modules) {
      const pkg = this.imported(module, from);
      if (pkg?.name === qualifier) return this.find(name, pkg, false);
    }
    return undefined;
  }

  /** The definition of a package-level name. */
  find(name: string, pkg: Package, dotted = true): Found | undefined {
    const definition = this.packages.find(pkg, name);
    if (definition) return this.defined(name, pkg, definition.paths, definition.entry);
    if (!dotted || !this.packages.isOwn(pkg)) return undefined;
    for (const imported of this.dotted) {
      const found = this.packages.find(imported, name);
      if (found) return this.defined(name, imported, found.paths, found.entry);
    }
    return undefined;
  }

  private defined(name: string, pkg: Package, paths: readonly string[], entry: GoEntry): Found {
    const holder = { paths, symbol: name };
    const place = { pkg, holder };
    switch (entry.k) {
      case 'type': {
        const type: Type | undefined = entry.alias
          ? this.type(entry.t, place)
          : { is: 'named', pkg, name, holder, entry };
        return { holder, kind: 'type', value: type && { is: 'type', type } };
      }
      case 'func': {
        const { r: results = [], p: parameters } = entry;
        if (!parameters) return { holder, kind: 'func', value: { is: 'function', results, place } };
        const open = { parameters, isVariadic: entry.v === true };
        return { holder, kind: 'func', value: { is: 'function', results, place: { ...place, args: [] }, open } };
      }
      default:
        return {
          holder,
          kind: entry.k,
          value: { is: 'value', type: this.type(entry.t ?? null, place), origin: originOf(entry.t ?? null) },
        };
    }
  }

  /** `value.name`. */
  select(value: Value, name: string): Found | undefined {
    if (value.is === 'package') return this.find(name, value.pkg, false);
    const type = value.is === 'type' ? value.type : this.typeOf(value);
    return type && this.member(type, name);
  }

  call(value: Value): Value | undefined {
    if (value.is === 'type') return { is: 'value', type: value.type, origin: 'constructed-receiver' };
    if (value.is === 'function') return { is: 'tuple', types: value.results, place: value.place };
    const type = this.typeOf(value);
    const literal = type && this.underlying(type);
    if (literal?.expression[0] !== 'func') return undefined;
    return { is: 'tuple', types: literal.expression[1], place: literal.place };
  }

  /** A generic function with the type arguments that follow from the types of its arguments; the others stay unknown. */
  private inferred(value: Value, args: readonly (ValueExpression | null)[], from: Place): Value {
    if (value.is !== 'function' || !value.open) return value;
    const { parameters, isVariadic } = value.open;
    const found: (Type | undefined)[] = [];
    args.forEach((arg, at) => {
      const given = arg === null ? undefined : this.value(arg, from);
      const type = given && this.typeOf(given);
      if (!type) return;
      const isRest = isVariadic && at >= parameters.length - 1;
      const parameter = parameters[isRest ? parameters.length - 1 : at] ?? null;
      if (!isRest) this.unify(parameter, type, value.place, found);
      // A slice may be one argument, or all of them (`xs...`).
      else if (this.underlying(type)?.expression[0] !== '[]' && Array.isArray(parameter)) {
        this.unify(parameter[1] as TypeExpression, type, value.place, found);
      }
    });
    return { ...value, place: { ...value.place, args: found } };
  }

  /** Finds the type parameters in a parameter's type by what is passed for it. */
  private unify(parameter: TypeExpression, type: Type, place: Place, found: (Type | undefined)[]): void {
    if (!Array.isArray(parameter)) return;
    const written = parameter as Literal;
    if (written[0] === '$') {
      found[written[1]] ??= type;
      return;
    }
    if (written[0] === '<>') {
      const [, base, ...args] = written;
      const wanted = this.type(base, place);
      if (type.is !== 'named' || wanted?.is !== 'named' || !sameNamed(wanted, type)) return;
      this.unifyAll(
        args,
        args.map((_, at) => type.args?.[at]),
        place,
        found,
      );
      return;
    }
    const literal = this.underlying(type);
    if (!literal || literal.expression[0] !== written[0]) return;
    const wanted = partsOf(written);
    const given = partsOf(literal.expression).map((part) => this.type(part, literal.place));
    this.unifyAll(wanted, given, place, found);
  }

  private unifyAll(
    wanted: readonly TypeExpression[],
    given: readonly (Type | undefined)[],
    place: Place,
    found: (Type | undefined)[],
  ): void {
    wanted.forEach((part, at) => {
      const type = given[at];
      if (type) this.unify(part, type, place, found);
    });
  }

  /** `value[i]`, or a generic function or type with its arguments. */
  index(value: Value, args: readonly (Type | undefined)[]): Value | undefined {
    if (value.is === 'function') {
      return { is: 'function', results: value.results, place: { ...value.place, args } };
    }
    if (value.is === 'type') return value.type.is === 'named' ? { is: 'type', type: { ...value.type, args } } : value;
    const type = this.typeOf(value);
    return type && { is: 'value', type: this.ranged(type, 'element'), origin: 'declared-receiver' };
  }

  private ranged(type: Type, which: 'element' | 'key'): Type | undefined {
    const literal = this.underlying(type);
    if (!literal) return undefined;
    const { expression, place } = literal;
    switch (expression[0]) {
      case '[]':
        return which === 'element' ? this.type(expression[1], place) : undefined;
      case 'map':
        return this.type(expression[which === 'element' ? 2 : 1], place);
      case 'chan':
        return this.type(expression[1], place);
      case 'func': {
        // An iterator: what it hands to its yield function.
        const yielded = expression[2][0];
        const types = Array.isArray(yielded) && yielded[0] === 'func' ? yielded[2] : [];
        return this.type(types[which === 'element' ? 1 : 0] ?? null, place);
      }
      default:
        return undefined;
    }
  }

  /** The type without names. */
  underlying(type: Type): Extract<Type, { is: 'literal' }> | undefined {
    let at: Type | undefined = type;
    for (let step = 0; at?.is === 'named' && step < MAX_EMBEDDING; step++) at = this.inside(at);
    return at?.is === 'literal' ? at : undefined;
  }

  private inside({ pkg, holder, entry, args }: Extract<Type, { is: 'named' }>): Type | undefined {
    return this.type(entry.t, { pkg, holder, ...(args ? { args } : {}) });
  }

  /** The field or method that a selector means: the shallowest by embedding, none where two are equally deep. */
  member(type: Type, name: string): Found | undefined {
    let level: readonly Type[] = [type];
    const seen = new Set<string>();
    for (let depth = 0; depth < MAX_EMBEDDING && level.length > 0; depth++) {
      const found: Found[] = [];
      const next: Type[] = [];
      for (const at of level) {
        if (at.is === 'named') {
          const key = `${at.pkg.dir}:${at.name}`;
          if (seen.has(key)) continue;
          seen.add(key);
        }
        const own = this.ownMember(at, name);
        if (own) found.push(own);
        else next.push(...this.embedded(at));
      }
      if (found.length > 0) return found.length === 1 ? found[0] : undefined;
      level = next;
    }
    return undefined;
  }

  private ownMember(type: Type, name: string): Found | undefined {
    if (type.is === 'named') {
      const symbol = `${type.name}.${name}`;
      const method = this.packages.find(type.pkg, symbol);
      if (method?.entry.k === 'func') {
        const holder = { paths: method.paths, symbol };
        const place = { pkg: type.pkg, holder, ...(type.args ? { args: type.args } : {}) };
        return { holder, kind: 'func', value: { is: 'function', results: method.entry.r ?? [], place } };
      }
    }
    const literal = this.underlying(type);
    if (!literal) return undefined;
    const { expression, place } = literal;
    const { holder } = place;
    if (!holder) return this.unheld(literal, name);
    if (expression[0] === 'struct' && Object.hasOwn(expression[1], name)) {
      const value: Value = {
        is: 'value',
        type: this.type(expression[1][name] ?? null, place),
        origin: 'field-receiver',
      };
      return { holder, kind: 'field', value };
    }
    if (expression[0] === 'interface' && Object.hasOwn(expression[1], name)) {
      const results = expression[1][name] ?? [];
      const named = { paths: holder.paths, symbol: `${holder.symbol}.${name}` };
      return { holder: named, kind: 'func', value: { is: 'function', results, place } };
    }
    return undefined;
  }

  /** A member of a struct written in the file's own body: nothing to point at, but its type leads on. */
  private unheld({ expression, place }: Extract<Type, { is: 'literal' }>, name: string): Found | undefined {
    if (expression[0] !== 'struct' || !Object.hasOwn(expression[1], name)) return undefined;
    const value: Value = { is: 'value', type: this.type(expression[1][name] ?? null, place), origin: 'field-receiver' };
    return { holder: { paths: [], symbol: '' }, kind: 'field', value };
  }

  /** Types embedded in a struct or interface. */
  embedded(type: Type): Type[] {
    const literal = this.underlying(type);
    if (!literal) return [];
    const { expression, place } = literal;
    const bases =
      expression[0] === 'struct'
        ? expression[2].map((name) => expression[1][name] ?? null)
        : expression[0] === 'interface'
          ? expression[2]
          : [];
    return bases.flatMap((base) => this.type(base, place) ?? []);
  }
}

const sameNamed = (a: Extract<Type, { is: 'named' }>, b: Extract<Type, { is: 'named' }>): boolean =>
  a.name === b.name && a.pkg.dir === b.pkg.dir;

/** What slices, maps, channels and functions (by their results) are made of. */
function partsOf(expression: Literal): readonly TypeExpression[] {
  switch (expression[0]) {
    case '[]':
    case 'chan':
      return [expression[1]];
    case 'map':
      return [expression[1], expression[2]];
    case 'func':
      return expression[1];
    default:
      return [];
  }
}

function typeIn(found: Found | undefined): Type | undefined {
  return found?.value?.is === 'type' ? found.value.type : undefined;
}

function originOf(type: TypeExpression): Provenance {
  if (!Array.isArray(type)) return 'declared-receiver';
  if (type[0] === 'self') return 'self-receiver';
  if (type[0] === 'made') return 'constructed-receiver';
  if (type[0] !== 'of') return 'declared-receiver';
  return typeof type[1] !== 'string' && (type[1][0] === 'call' || type[1][0] === 'result')
    ? 'returned-receiver'
    : 'declared-receiver';
}
