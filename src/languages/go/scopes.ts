/** Names of a function and of its blocks, and how types and values read through them. */
import type { TypeExpression, ValueExpression } from './expressions.js';
import { type Imports, isStandard } from './imports.js';
import type { Node, Signature, TypeParameter } from './syntax.js';

/** A local: a value with the index of its type (undefined where unknown), or a type. */
export type Binding =
  | { readonly is: 'value'; readonly type: number | undefined }
  | { readonly is: 'type'; readonly type: TypeExpression };

export class Scope {
  private names: Map<string, Binding> | undefined;

  constructor(private readonly parent?: Scope) {}

  bind(name: string, binding: Binding): void {
    if (name === '_') return;
    this.names ??= new Map();
    this.names.set(name, binding);
  }

  find(name: string): Binding | undefined {
    for (let scope: Scope | undefined = this; scope; scope = scope.parent) {
      const binding = scope.names?.get(name);
      if (binding) return binding;
    }
    return undefined;
  }
}

/** Predeclared names that packages practically never declare themselves. */
const PREDECLARED = new Set(
  (
    'any bool byte comparable complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune string uint ' +
    'uint8 uint16 uint32 uint64 uintptr true false iota nil append cap len make panic recover'
  ).split(' '),
);

export const isPredeclared = (name: string): boolean => PREDECLARED.has(name);

/** How many arguments of a call are kept to find type arguments by. */
const MOST_ARGUMENTS = 4;
const COMPARISONS = new Set(['==', '!=', '<', '<=', '>', '>=', '&&', '||']);

/** Reads nodes of one file as type and value expressions; keeps the file's table of types. */
export class Typing {
  readonly types: TypeExpression[] = [];
  private readonly known = new Map<string, number>();

  constructor(
    private readonly imports: Imports,
    private readonly open: readonly string[],
  ) {}

  /** The index of the type in the file's table; undefined for an unknown one. */
  intern(type: TypeExpression): number | undefined {
    if (type === null || typeof type === 'number') return type ?? undefined;
    const key = typeof type === 'string' ? type : JSON.stringify(type);
    let index = this.known.get(key);
    if (index === undefined) {
      index = this.types.length;
      this.types.push(type);
      this.known.set(key, index);
    }
    return index;
  }

  /** What `qualifier.name` means where the qualifier is a package; null outside the repository, undefined if none. */
  imported(qualifier: string, name: string): ValueExpression | null | undefined {
    const module = this.imports.moduleOf(qualifier);
    if (module !== undefined) return isStandard(module) ? null : ['@', module, name];
    return undefined;
  }

  typeOf(node: Node | undefined, scope: Scope): TypeExpression {
    if (node === undefined) return null;
    switch (node.is) {
      case 'name': {
        const binding = scope.find(node.name);
        if (binding) return binding.is === 'type' ? binding.type : null;
        return isPredeclared(node.name) ? null : node.name;
      }
      case 'select': {
        if (node.of.is !== 'name' || scope.find(node.of.name)) return null;
        const imported = this.imported(node.of.name, node.name);
        if (imported !== undefined) return imported as TypeExpression;
        return this.open.length > 0 ? ['?', node.of.name, node.name, ...this.open] : null;
      }
      case 'star':
        return this.typeOf(node.of, scope);
      case 'array': {
        const of = this.typeOf(node.of, scope);
        return of === null ? null : ['[]', of];
      }
      case 'map': {
        const key = this.typeOf(node.key, scope);
        const of = this.typeOf(node.of, scope);
        return key === null && of === null ? null : ['map', key, of];
      }
      case 'chan': {
        const of = this.typeOf(node.of, scope);
        return of === null ? null : ['chan', of];
      }
      case 'func':
        return this.functionType(node.signature, scope);
      case 'index': {
        const base = this.typeOf(node.of, scope);
        return base === null ? null : ['<>', base, ...node.args.map((arg) => this.typeOf(arg, scope))];
      }
      case 'struct': {
        const fields: Record<string, TypeExpression> = {};
        const embedded: string[] = [];
        for (const field of node.fields) {
          const name = field.name ?? baseName(field.type);
          if (name === undefined || name === '_') continue;
          fields[name] = this.typeOf(field.type, scope);
          if (field.name === undefined) embedded.push(name);
        }
        return ['struct', fields, embedded];
      }
      case 'interface': {
        const methods: Record<string, readonly TypeExpression[]> = {};
        for (const method of node.methods) methods[method.name] = this.fields(method.signature.results, scope);
        return [
          'interface',
          methods,
          node.embedded.map((type) => this.typeOf(type, scope)).filter((type) => type !== null),
        ];
      }
      default:
        return null;
    }
  }

  fields(fields: Signature['params'], scope: Scope): TypeExpression[] {
    return fields.map(({ type, variadic }) => {
      const read = this.typeOf(type, scope);
      return variadic && read !== null ? ['[]', read] : read;
    });
  }

  functionType(signature: Signature, scope: Scope): TypeExpression {
    const results = this.fields(signature.results, scope);
    const params = this.fields(signature.params, scope);
    const known = results.some((type) => type !== null) || params.some((type) => type !== null);
    return known ? ['func', results, params] : null;
  }

  /** The value's expression; null where it is unknown or of no use. */
  valueOf(node: Node, scope: Scope): ValueExpression | null {
    switch (node.is) {
      case 'name': {
        const binding = scope.find(node.name);
        if (binding) return binding.is === 'value' && binding.type !== undefined ? ['as', binding.type] : null;
        return isPredeclared(node.name) ? null : node.name;
      }
      case 'select': {
        if (node.of.is === 'name' && !scope.find(node.of.name)) {
          const imported = this.imported(node.of.name, node.name);
          if (imported !== undefined) return imported;
          if (this.open.length > 0) return ['?', node.of.name, node.name, ...this.open];
        }
        const of = this.valueOf(node.of, scope);
        return of === null ? null : ['select', of, node.name];
      }
      case 'call':
        return this.callOf(node.of, node.args, scope);
      case 'index': {
        const of = this.valueOf(node.of, scope);
        if (of === null) return null;
        const types = node.args.map((arg) => this.typeOf(arg, scope));
        return types.every((type) => type === null) ? ['index', of] : ['index', of, ...types];
      }
      case 'slice':
      case 'star':
        return this.valueOf(node.of, scope);
      case 'assert':
        return this.as(this.typeOf(node.type, scope));
      case 'composite':
        return this.as(made(this.typeOf(node.type, scope)));
      case 'closure':
        return this.as(this.functionType(node.signature, scope));
      case 'unary': {
        if (node.operator === '!') return null;
        const of = this.valueOf(node.of, scope);
        return of !== null && node.operator === '<-' ? ['element', of] : of;
      }
      case 'binary':
        if (COMPARISONS.has(node.operator)) return null;
        return this.valueOf(node.left, scope) ?? this.valueOf(node.right, scope);
      default:
        return null;
    }
  }

  private callOf(of: Node, args: readonly Node[], scope: Scope): ValueExpression | null {
    if (of.is === 'name' && !scope.find(of.name)) {
      if (of.name === 'new' || of.name === 'make') return this.as(made(this.typeOf(args[0], scope)));
      if (of.name === 'append') return args[0] ? this.valueOf(args[0], scope) : null;
    }
    if (of.is === 'name') {
      const binding = scope.find(of.name);
      if (binding?.is === 'type') return this.as(binding.type);
    }
    if (of.is === 'array' || of.is === 'map' || of.is === 'chan' || of.is === 'func')
      return this.as(this.typeOf(of, scope));
    const callee = this.valueOf(of, scope);
    if (callee === null) return null;
    // Only functions of packages are generic.
    const mayInfer = typeof callee === 'string' || callee[0] === '@' || callee[0] === '?';
    const given = mayInfer ? args.slice(0, MOST_ARGUMENTS).map((arg) => this.valueOf(arg, scope)) : [];
    return given.some((arg) => arg !== null) ? ['call', callee, ...given] : ['call', callee];
  }

  private as(type: TypeExpression): ValueExpression | null {
    return type === null ? null : ['as', type];
  }

  /** The types of `count` variables that `values` initialise. */
  initial(count: number, values: readonly Node[], scope: Scope): TypeExpression[] {
    const only = values[0];
    if (values.length !== 1 || count === 1 || only === undefined) {
      return Array.from({ length: count }, (_, at) => {
        const value = values[at];
        return value ? typeOfValue(this.valueOf(value, scope)) : null;
      });
    }
    if (only.is !== 'call') return [typeOfValue(this.valueOf(only, scope))];
    const call = this.valueOf(only, scope);
    if (call === null) return [];
    return Array.from({ length: count }, (_, at) => ['of', ['result', call, at]] as const);
  }

  bindTypeParameters(parameters: readonly TypeParameter[], scope: Scope): void {
    for (const [at, { name, constraint }] of parameters.entries()) {
      scope.bind(name, { is: 'type', type: ['$', at, this.typeOf(constraint, scope)] });
    }
  }
}

export function made(type: TypeExpression): TypeExpression {
  return type === null ? null : ['made', type];
}

export function typeOfValue(value: ValueExpression | null): TypeExpression {
  if (value === null) return null;
  return value[0] === 'as' && typeof value !== 'string' ? value[1] : ['of', value];
}

/** The name that an embedded field gets from its type. */
export function baseName(type: Node): string | undefined {
  switch (type.is) {
    case 'name':
    case 'select':
      return type.name;
    case 'star':
    case 'index':
      return baseName(type.of);
    default:
      return undefined;
  }
}
