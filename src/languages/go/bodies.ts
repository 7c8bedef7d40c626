/** Walks declarations and bodies: binds locals, records references. */
import type { ReferenceKind } from '../../facts/model.js';
import type { EntryPoints } from './entry-points.js';
import type { TypeExpression } from './expressions.js';
import { type Imports, isStandard } from './imports.js';
import type { Chain, References } from './references.js';
import { isPredeclared, made, Scope, type Typing, typeOfValue } from './scopes.js';
import type { Declaration, Field, Node, Signature, Statement, TypeParameter } from './syntax.js';

export interface FileReading {
  readonly typing: Typing;
  readonly imports: Imports;
  readonly references: References;
  readonly entryPoints: EntryPoints;
  readonly literal: (text: string, row: number, from: number) => void;
}

/** The walk over what belongs to one symbol. */
export class Walk {
  private readonly typing: Typing;

  /** `from`: index of the symbol, -1 for the file. */
  constructor(
    private readonly file: FileReading,
    private readonly from: number,
  ) {
    this.typing = file.typing;
  }

  function(signature: Signature, body: readonly Statement[], outer: Scope): void {
    const scope = new Scope(outer);
    this.signature(signature, outer);
    for (const field of [...signature.params, ...signature.results]) this.bindField(field, scope);
    this.statements(body, scope);
  }

  receiver(field: Field, type: TypeExpression, scope: Scope): void {
    if (field.name !== undefined) this.bind(field.name, type === null ? null : ['self', type], scope);
  }

  typeParameters(parameters: readonly TypeParameter[], scope: Scope): void {
    for (const { constraint } of parameters) this.type(constraint, scope);
  }

  private signature({ params, results }: Signature, scope: Scope): void {
    for (const { type } of params) this.type(type, scope);
    for (const { type } of results) this.type(type, scope);
  }

  private bindField({ name, type, variadic }: Field, scope: Scope): void {
    if (name === undefined) return;
    const read = this.typing.typeOf(type, scope);
    this.bind(name, variadic && read !== null ? ['[]', read] : read, scope);
  }

  private bind(name: string, type: TypeExpression, scope: Scope): void {
    scope.bind(name, { is: 'value', type: this.typing.intern(type) });
  }

  private statements(body: readonly Statement[], scope: Scope): void {
    for (const statement of body) this.statement(statement, scope);
  }

  private block(body: readonly Statement[], scope: Scope): void {
    this.statements(body, new Scope(scope));
  }

  private statement(statement: Statement, scope: Scope): void {
    switch (statement.is) {
      case 'expression':
        this.values(statement.values, scope);
        break;
      case 'assign':
        this.values(statement.targets, scope);
        this.values(statement.values, scope);
        break;
      case 'define': {
        this.values(statement.values, scope);
        const types = this.typing.initial(statement.targets.length, statement.values, scope);
        this.define(statement.targets, types, scope);
        break;
      }
      case 'declare':
        this.declaration(statement.declaration, scope);
        break;
      case 'block':
        this.block(statement.body, scope);
        break;
      case 'if': {
        const inner = new Scope(scope);
        if (statement.before) this.statement(statement.before, inner);
        this.values(statement.test, inner);
        this.block(statement.then, inner);
        if (statement.otherwise) this.statement(statement.otherwise, inner);
        break;
      }
      case 'for': {
        const inner = new Scope(scope);
        if (statement.before) this.statement(statement.before, inner);
        this.values(statement.test, inner);
        if (statement.after) this.statement(statement.after, inner);
        this.block(statement.body, inner);
        break;
      }
      case 'range':
        this.range(statement, scope);
        break;
      case 'switch':
        this.switch(statement, scope);
        break;
    }
  }

  /** A redefined variable of the same scope keeps its type in Go; the new value's is as good. */
  private define(targets: readonly Node[], types: readonly TypeExpression[], scope: Scope): void {
    for (const [at, target] of targets.entries()) {
      if (target.is === 'name') this.bind(target.name, types[at] ?? null, scope);
    }
  }

  private range(statement: Extract<Statement, { is: 'range' }>, scope: Scope): void {
    this.value(statement.over, scope);
    const inner = new Scope(scope);
    if (statement.defines) {
      const over = this.typing.valueOf(statement.over, scope);
      const types: TypeExpression[] = over === null ? [] : [typeOfValue(['key', over]), typeOfValue(['element', over])];
      this.define(statement.targets, types, inner);
    } else {
      this.values(statement.targets, scope);
    }
    this.block(statement.body, inner);
  }

  private switch({ before, test, clauses }: Extract<Statement, { is: 'switch' }>, scope: Scope): void {
    const inner = new Scope(scope);
    if (before) this.statement(before, inner);
    const subject = test?.is === 'expression' || test?.is === 'define' ? test.values[0] : undefined;
    const asserted = subject?.is === 'assert' && subject.type === undefined ? subject.of : undefined;
    const target = test?.is === 'define' ? test.targets[0] : undefined;
    if (asserted) this.value(asserted, inner);
    else if (test) this.statement(test, inner);
    for (const clause of clauses) {
      const own = new Scope(inner);
      for (const value of clause.values) {
        if (asserted) this.type(value, own);
        else this.value(value, own);
      }
      if (clause.before) this.statement(clause.before, own);
      if (asserted && target?.is === 'name') {
        const [only, second] = clause.values;
        const single = only !== undefined && second === undefined && !(only.is === 'name' && only.name === 'nil');
        const whole = typeOfValue(this.typing.valueOf(asserted, inner));
        this.bind(target.name, single ? this.typing.typeOf(only, own) : whole, own);
      }
      this.statements(clause.body, own);
    }
  }

  /** Declarations inside functions. */
  private declaration(declaration: Declaration, scope: Scope): void {
    if (declaration.is === 'types') {
      for (const spec of declaration.specs) {
        // Bound before it is read, since it may name itself: such members stay unknown.
        scope.bind(spec.name, { is: 'type', type: null });
        const inner = new Scope(scope);
        this.typing.bindTypeParameters(spec.parameters, inner);
        this.type(spec.type, inner);
        scope.bind(spec.name, { is: 'type', type: this.typing.typeOf(spec.type, inner) });
      }
      return;
    }
    for (const spec of declaration.specs) {
      if (spec.type) this.type(spec.type, scope);
      if (!spec.repeated) this.values(spec.values, scope);
      const types = spec.type ? [] : this.typing.initial(spec.names.length, spec.values, scope);
      const declared = this.typing.typeOf(spec.type, scope);
      for (const [at, name] of spec.names.entries()) this.bind(name, spec.type ? declared : (types[at] ?? null), scope);
    }
  }

  values(nodes: readonly Node[], scope: Scope): void {
    for (const node of nodes) this.value(node, scope);
  }

  /** Records what a value refers to. */
  value(node: Node, scope: Scope): void {
    this.record('read', this.chain(node, scope));
  }

  private record(kind: ReferenceKind, chain: Chain | undefined): void {
    if (chain === undefined || (chain.segments.length === 1 && chain.root !== undefined)) return;
    const called = kind === 'read' && chain.segments.at(-1)?.endsWith('()');
    this.file.references.add(called ? 'call' : kind, this.from, chain);
  }

  /** The node as an attribute chain, where it is one of something known; all that hangs on it is recorded. */
  private chain(node: Node, scope: Scope): Chain | undefined {
    switch (node.is) {
      case 'name': {
        const { name, row } = node;
        const binding = scope.find(name);
        if (!binding) return isPredeclared(name) ? undefined : { segments: [name], root: undefined, row };
        if (binding.is === 'type' || binding.type === undefined) return undefined;
        return { segments: [name], root: binding.type, row };
      }
      case 'select': {
        const { of, name } = node;
        if (of.is === 'name' && !scope.find(of.name)) {
          const module = this.file.imports.moduleOf(of.name);
          if (module !== undefined && isStandard(module)) return undefined;
        }
        return extended(this.chain(of, scope), name);
      }
      case 'call':
        return this.call(node, scope);
      case 'index': {
        const chain = this.chain(node.of, scope);
        this.values(node.args, scope);
        return extended(chain, '[]');
      }
      case 'slice': {
        const chain = this.chain(node.of, scope);
        this.values(node.bounds, scope);
        return chain;
      }
      case 'star':
        return this.chain(node.of, scope);
      case 'unary': {
        const chain = this.chain(node.of, scope);
        return node.operator === '<-' && chain ? extended(chain, '[]') : chain;
      }
      case 'binary':
        this.value(node.left, scope);
        this.value(node.right, scope);
        return undefined;
      case 'assert':
        this.value(node.of, scope);
        if (node.type) this.type(node.type, scope);
        return this.typed(this.typing.typeOf(node.type, scope), node.row);
      case 'composite': {
        const type = this.typing.typeOf(node.type, scope);
        this.composite(node, type, scope);
        return this.typed(made(type), node.row);
      }
      case 'closure':
        this.function(node.signature, node.body, scope);
        return undefined;
      case 'literal':
        this.file.literal(node.text, node.row, this.from);
        return undefined;
      case 'nothing':
        return undefined;
      default:
        this.type(node, scope);
        return undefined;
    }
  }

  /** A chain that starts from a value without a name. */
  private typed(type: TypeExpression, row: number): Chain | undefined {
    const root = this.typing.intern(type);
    return root === undefined ? undefined : { segments: ['_'], root, row };
  }

  private call(node: Extract<Node, { is: 'call' }>, scope: Scope): Chain | undefined {
    const { of, args } = node;
    const chain = this.chain(of, scope);
    this.values(args, scope);
    this.file.entryPoints.call(node, this.from, this.typing, scope);
    if (of.is === 'name' && (of.name === 'new' || of.name === 'make') && !scope.find(of.name)) {
      return this.typed(made(this.typing.typeOf(args[0], scope)), node.row);
    }
    if (of.is === 'array') return this.typed(this.typing.typeOf(of, scope), node.row);
    const instance = of.is === 'index' ? this.typing.valueOf(node, scope) : null;
    if (chain && instance !== null && instance[0] === 'call' && instance[1][0] === 'index' && instance[1].length > 2) {
      // `F[T]()`: the type arguments are needed for what follows, and a chain does not hold them.
      this.record('call', extended(chain, '()'));
      return this.typed(['of', instance], node.row);
    }
    const last = chain?.segments.at(-1);
    if (chain === undefined || last === undefined) return undefined;
    if (last === '[]' || last === '_' || last.endsWith('()')) return extended(chain, '()');
    chain.segments[chain.segments.length - 1] = `${last}()`;
    return chain;
  }

  /**
   * Keys of a literal whose type has a name are fields or, where it turns out to be a map, values:
   * they are kept as one chain that starts with `{}`.
   */
  private composite(
    { type: node, elements, row }: Extract<Node, { is: 'composite' }>,
    type: TypeExpression,
    scope: Scope,
  ): void {
    if (node) {
      this.type(node, scope);
      this.file.entryPoints.composite(node, elements, this.from, this.typing, scope);
    }
    const plain = node?.is === 'array' || node?.is === 'map';
    const element = elementOf(type);
    const keys: string[] = [];
    for (const { key, value } of elements) {
      if (key?.is === 'composite') this.inner(key, keyOf(type), scope);
      else if (key?.is === 'name' && !plain) keys.push(key.name);
      else if (key) this.value(key, scope);
      if (value.is === 'composite' && value.type === undefined) this.inner(value, element, scope);
      else this.value(value, scope);
    }
    const root = this.typing.intern(type);
    if (root !== undefined && keys.length > 0) {
      this.file.references.add('read', this.from, { segments: ['{}', ...[...new Set(keys)].sort()], root, row });
    }
  }

  private inner(node: Extract<Node, { is: 'composite' }>, type: TypeExpression, scope: Scope): void {
    this.composite(node, type, scope);
  }

  /** Records the names that a type is made of. */
  type(node: Node, scope: Scope, kind: ReferenceKind = 'type'): void {
    switch (node.is) {
      case 'name':
        if (!scope.find(node.name)) this.record(kind, this.chain(node, scope));
        break;
      case 'select':
        this.record(kind, this.chain(node, scope));
        break;
      case 'index':
        this.type(node.of, scope, kind);
        for (const arg of node.args) this.type(arg, scope);
        break;
      case 'star':
        this.type(node.of, scope, kind);
        break;
      case 'array':
        if (node.length) this.value(node.length, scope);
        this.type(node.of, scope);
        break;
      case 'map':
        this.type(node.key, scope);
        this.type(node.of, scope);
        break;
      case 'chan':
        this.type(node.of, scope);
        break;
      case 'func':
        this.signature(node.signature, scope);
        break;
      case 'struct':
        for (const { name, type } of node.fields) this.type(type, scope, name === undefined ? 'inherit' : 'type');
        break;
      case 'interface':
        for (const { signature } of node.methods) this.signature(signature, scope);
        for (const type of node.embedded) this.type(type, scope, 'inherit');
        break;
      case 'binary':
        this.type(node.left, scope);
        this.type(node.right, scope);
        break;
      case 'unary':
        this.type(node.of, scope);
        break;
      default:
        break;
    }
  }
}

/** Adds a segment in place: a chain has one reader, and long ones must not be copied at each step. */
function extended(chain: Chain | undefined, segment: string): Chain | undefined {
  chain?.segments.push(segment);
  return chain;
}

function elementOf(type: TypeExpression): TypeExpression {
  if (Array.isArray(type)) {
    if (type[0] === '[]') return type[1];
    if (type[0] === 'map') return type[2];
    if (type[0] === 'struct') return null;
  }
  return type === null ? null : ['of', ['element', ['as', type]]];
}

function keyOf(type: TypeExpression): TypeExpression {
  return Array.isArray(type) && type[0] === 'map' ? type[1] : null;
}
