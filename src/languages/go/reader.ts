/** Recursive descent over the tokens of one declaration. Reads what it can: unexpected tokens are stepped over. */
import type {
  Clause,
  Declaration,
  Element,
  Field,
  FunctionDeclaration,
  ImportSpec,
  Method,
  Node,
  Signature,
  Statement,
  TypeParameter,
  TypeSpec,
  ValueSpec,
} from './syntax.js';
import { Tokens } from './tokens.js';

const NOTHING: Node = { is: 'nothing' };
const NO_SIGNATURE: Signature = { params: [], results: [] };

const BINARY = new Set('|| && == != < <= > >= + - | ^ * / % << >> & &^'.split(' '));
const UNARY = new Set('+ - ! ^ & ~'.split(' '));
const ASSIGNMENT = new Set('= += -= *= /= %= &= |= ^= <<= >>= &^='.split(' '));

/** Nesting at which reading gives up, so that hostile input cannot exhaust the stack. */
const MAX_DEPTH = 400;

class TooDeep extends Error {}

export class Reader {
  private readonly tokens: Tokens;
  /** Below 0 in the header of if, for and switch, where `T {` starts the body and not a literal. */
  private level = 0;
  private depth = 0;

  /** Reads `source` from `start` to `end`; `row` is the line of `start`, counted from 1. */
  constructor(
    private readonly source: string,
    start: number,
    end: number,
    row: number,
  ) {
    this.tokens = new Tokens(source, start, end, row);
  }

  imports(): ImportSpec[] {
    this.tokens.accept('import');
    return this.group(() => {
      const { row } = this.tokens;
      let alias: string | undefined;
      if (this.tokens.has('name') || this.tokens.is('.')) {
        alias = this.tokens.text;
        this.tokens.next();
      }
      if (!this.tokens.has('string')) return undefined;
      const path = this.tokens.text.slice(1, -1);
      this.tokens.next();
      return { path, alias, row };
    });
  }

  declaration(): Declaration {
    if (this.tokens.accept('type')) return { is: 'types', specs: this.group(() => this.typeSpec()) };
    const constant = this.tokens.is('const');
    this.tokens.next();
    let last: ValueSpec | undefined;
    const specs = this.group(() => {
      last = this.valueSpec(constant ? last : undefined);
      return last;
    });
    return { is: 'values', constant, specs };
  }

  function(): FunctionDeclaration | undefined {
    const { tokens } = this;
    const { row, start } = tokens;
    tokens.accept('func');
    const receiver = tokens.is('(') ? this.parameters()[0] : undefined;
    if (!tokens.has('name')) return undefined;
    const name = tokens.text;
    tokens.next();
    const parameters = tokens.is('[') ? this.typeParameters() : [];
    const signature = this.signature();
    const header = this.source.slice(start, tokens.start);
    const body = tokens.is('{') ? this.block() : [];
    return { name, receiver, parameters, signature, body, header, row, endRow: tokens.lastRow };
  }

  /** One spec, or those between parentheses. */
  private group<T>(read: () => T | undefined): T[] {
    const { tokens } = this;
    const specs: T[] = [];
    if (!tokens.accept('(')) {
      const spec = read();
      return spec === undefined ? [] : [spec];
    }
    while (!tokens.has('end') && !tokens.is(')')) {
      const { start } = tokens;
      const spec = tokens.is(';') ? undefined : read();
      if (spec !== undefined) specs.push(spec);
      if (tokens.start === start || tokens.is(';')) tokens.next();
    }
    tokens.accept(')');
    return specs;
  }

  private typeSpec(): TypeSpec | undefined {
    const { tokens } = this;
    const { row } = tokens;
    if (!tokens.has('name')) return undefined;
    const name = tokens.text;
    tokens.next();
    const parameters = tokens.is('[') && this.startsTypeParameters() ? this.typeParameters() : [];
    const alias = tokens.accept('=');
    const type = this.type();
    return { name, parameters, alias, type, row, endRow: tokens.lastRow };
  }

  /** `[P any]` against the array types `[N]T`, `[]T` and `[pkg.N]T`. */
  private startsTypeParameters(): boolean {
    const { tokens } = this;
    const mark = tokens.mark();
    tokens.next();
    let starts = false;
    if (tokens.has('name')) {
      tokens.next();
      starts = tokens.has('name') || tokens.has('keyword') || [',', '*', '[', '(', '~'].includes(tokens.text);
    }
    tokens.reset(mark);
    return starts;
  }

  private typeParameters(): TypeParameter[] {
    const { tokens } = this;
    const parameters: TypeParameter[] = [];
    tokens.next();
    let names: string[] = [];
    while (!tokens.has('end') && !tokens.is(']')) {
      if (!tokens.has('name')) {
        tokens.next();
        continue;
      }
      names.push(tokens.text);
      tokens.next();
      if (tokens.accept(',') || tokens.is(']')) continue;
      const constraint = this.deeper(() => this.expression());
      for (const name of names) parameters.push({ name, constraint });
      names = [];
      tokens.accept(',');
    }
    // A receiver's `[K, V]` names parameters without constraints.
    for (const name of names) parameters.push({ name, constraint: NOTHING });
    tokens.accept(']');
    return parameters;
  }

  private valueSpec(before: ValueSpec | undefined): ValueSpec | undefined {
    const { tokens } = this;
    const { row } = tokens;
    const names: string[] = [];
    while (tokens.has('name')) {
      names.push(tokens.text);
      tokens.next();
      if (!tokens.accept(',')) break;
    }
    if (names.length === 0) return undefined;
    const type = tokens.is('=') || tokens.is(';') || tokens.is(')') || tokens.has('end') ? undefined : this.type();
    const values = tokens.accept('=') ? this.expressions() : [];
    const endRow = tokens.lastRow;
    if (type === undefined && values.length === 0 && before !== undefined) {
      return { names, type: before.type, values: before.values, repeated: true, row, endRow };
    }
    return { names, type, values, repeated: false, row, endRow };
  }

  private signature(): Signature {
    const { tokens } = this;
    if (!tokens.is('(')) return NO_SIGNATURE;
    const params = this.parameters();
    if (tokens.is('(')) return { params, results: this.parameters() };
    const { row } = tokens;
    const type = this.typeOrNone();
    return { params, results: type ? [{ name: undefined, type, row }] : [] };
  }

  /** `(a, b int, c ...string)`, `(int, error)`: names are known only once a type follows one of them. */
  private parameters(): Field[] {
    const { tokens } = this;
    const entries: { first: Node; type: Node | undefined; variadic: boolean; row: number }[] = [];
    const level = this.level;
    this.level = 0;
    tokens.accept('(');
    while (!tokens.has('end') && !tokens.is(')')) {
      const { row, start } = tokens;
      let variadic = tokens.accept('...');
      const first = this.type();
      let type: Node | undefined;
      if (!tokens.is(',') && !tokens.is(')')) {
        variadic = tokens.accept('...');
        type = this.typeOrNone();
      }
      entries.push({ first, type, variadic, row });
      if (!tokens.accept(',') && !tokens.is(')') && tokens.start === start) tokens.next();
    }
    tokens.accept(')');
    this.level = level;
    if (entries.every(({ type }) => type === undefined)) {
      return entries.map(({ first, variadic, row }) => ({ name: undefined, type: first, row, variadic }));
    }
    const fields: Field[] = [];
    let type: Node = NOTHING;
    let variadic = false;
    for (const entry of entries.reverse()) {
      if (entry.type) ({ type, variadic } = { type: entry.type, variadic: entry.variadic });
      const name = entry.first.is === 'name' ? entry.first.name : undefined;
      fields.push({ name, type, row: entry.row, variadic });
    }
    return fields.reverse();
  }

  private type(): Node {
    return this.typeOrNone() ?? NOTHING;
  }

  private typeOrNone(): Node | undefined {
    const { tokens } = this;
    if (tokens.has('name')) return this.typeName();
    switch (tokens.text) {
      case '*':
        tokens.next();
        return this.deeper(() => ({ is: 'star', of: this.type() }));
      case '(': {
        tokens.next();
        const type = this.deeper(() => this.type());
        tokens.accept(')');
        return type;
      }
      case '<-':
        tokens.next();
        return this.typeOrNone();
      case '[':
      case 'map':
      case 'chan':
      case 'func':
      case 'struct':
      case 'interface':
        return this.deeper(() => this.literalType());
      default:
        return undefined;
    }
  }

  private typeName(): Node {
    const { tokens } = this;
    const { row } = tokens;
    let node: Node = { is: 'name', name: tokens.text, row };
    tokens.next();
    if (tokens.is('.')) {
      tokens.next();
      node = { is: 'select', of: node, name: tokens.text, row };
      if (tokens.has('name')) tokens.next();
    }
    if (!tokens.is('[')) return node;
    // `a []int` in a parameter list is a name and its type, `List[int]` is one type.
    const mark = tokens.mark();
    tokens.next();
    if (tokens.is(']') || tokens.has('number')) {
      tokens.reset(mark);
      return node;
    }
    const args = this.list(']', () => this.deeper(() => this.expression()));
    // `a [N]int`: an array type follows its name.
    const follows = tokens.has('name') || tokens.is('*') || tokens.is('[') || tokens.is('map') || tokens.is('func');
    if (node.is === 'name' && args.length === 1 && follows) {
      tokens.reset(mark);
      return node;
    }
    return { is: 'index', of: node, args, row };
  }

  /** Types that start with a keyword or a bracket. */
  private literalType(): Node {
    const { tokens } = this;
    const { text } = tokens;
    tokens.next();
    switch (text) {
      case '[': {
        if (tokens.accept(']')) return { is: 'array', length: undefined, of: this.type() };
        const length = tokens.accept('...') ? undefined : this.inBrackets(() => this.expression());
        tokens.accept(']');
        return { is: 'array', length, of: this.type() };
      }
      case 'map': {
        tokens.accept('[');
        const key = this.type();
        tokens.accept(']');
        return { is: 'map', key, of: this.type() };
      }
      case 'chan':
        tokens.accept('<-');
        return { is: 'chan', of: this.type() };
      case 'func':
        return { is: 'func', signature: this.signature() };
      case 'struct':
        return { is: 'struct', fields: this.structFields() };
      default:
        return this.interfaceBody();
    }
  }

  private structFields(): Field[] {
    const { tokens } = this;
    const fields: Field[] = [];
    tokens.accept('{');
    while (!tokens.has('end') && !tokens.is('}')) {
      const { row, start } = tokens;
      if (tokens.has('name')) {
        const mark = tokens.mark();
        const names = [tokens.text];
        tokens.next();
        while (tokens.accept(',')) {
          names.push(tokens.text);
          if (tokens.has('name')) tokens.next();
        }
        const ends = tokens.is(';') || tokens.is('}') || tokens.is('.') || tokens.has('string');
        if (names.length === 1 && (ends || (tokens.is('[') && this.startsEmbeddedGeneric()))) {
          tokens.reset(mark);
          fields.push({ name: undefined, type: this.typeName(), row });
        } else {
          const type = this.type();
          for (const name of names) fields.push({ name, type, row });
        }
      } else if (tokens.is('*') || tokens.is('(')) {
        fields.push({ name: undefined, type: this.type(), row });
      }
      if (tokens.has('string')) tokens.next();
      if (!tokens.accept(';') && tokens.start === start) tokens.next();
    }
    tokens.accept('}');
    return fields;
  }

  /** At the `[` after a name in a struct: `Base[T]` alone on its line against `field [4]int`. */
  private startsEmbeddedGeneric(): boolean {
    const { tokens } = this;
    const mark = tokens.mark();
    tokens.next();
    if (tokens.is(']')) {
      tokens.reset(mark);
      return false;
    }
    this.list(']', () => this.deeper(() => this.expression()));
    const generic = tokens.is(';') || tokens.is('}') || tokens.has('string');
    tokens.reset(mark);
    return generic;
  }

  private interfaceBody(): Node {
    const { tokens } = this;
    const methods: Method[] = [];
    const embedded: Node[] = [];
    tokens.accept('{');
    while (!tokens.has('end') && !tokens.is('}')) {
      const { row, start } = tokens;
      const mark = tokens.mark();
      const name = tokens.text;
      const named = tokens.has('name');
      if (named) tokens.next();
      if (named && tokens.is('(')) {
        const signature = this.signature();
        methods.push({ name, signature, row, endRow: tokens.lastRow });
      } else {
        tokens.reset(mark);
        if (!tokens.is(';')) embedded.push(this.expression());
      }
      if (!tokens.accept(';') && tokens.start === start) tokens.next();
    }
    tokens.accept('}');
    return { is: 'interface', methods, embedded };
  }

  /** Items up to `close`, which is stepped over. */
  private list<T>(close: string, read: () => T): T[] {
    const { tokens } = this;
    const items: T[] = [];
    const level = this.level;
    this.level = 0;
    while (!tokens.has('end') && !tokens.is(close)) {
      const { start } = tokens;
      items.push(read());
      if (!tokens.accept(',') && !tokens.is(close) && tokens.start === start) tokens.next();
    }
    tokens.accept(close);
    this.level = level;
    return items;
  }

  private inBrackets<T>(read: () => T): T {
    const level = this.level;
    this.level = 0;
    const value = read();
    this.level = level;
    return value;
  }

  private deeper<T>(read: () => T): T {
    if (++this.depth > MAX_DEPTH) throw new TooDeep('nested too deeply');
    try {
      return read();
    } finally {
      this.depth--;
    }
  }

  private expressions(): Node[] {
    const values = [this.expression()];
    while (this.tokens.accept(',')) values.push(this.expression());
    return values;
  }

  /** Precedence does not matter: the operands are all that is used, and the type of the first. */
  private expression(): Node {
    const { tokens } = this;
    let left = this.unary();
    while (tokens.has('operator') && BINARY.has(tokens.text)) {
      const operator = tokens.text;
      tokens.next();
      left = { is: 'binary', operator, left, right: this.unary() };
    }
    return left;
  }

  private unary(): Node {
    const { tokens } = this;
    if (tokens.has('operator')) {
      const operator = tokens.text;
      if (operator === '*') {
        tokens.next();
        return this.deeper(() => ({ is: 'star', of: this.unary() }));
      }
      if (operator === '<-') {
        tokens.next();
        if (tokens.is('chan')) return this.type();
        return this.deeper(() => ({ is: 'unary', operator, of: this.unary() }));
      }
      if (UNARY.has(operator)) {
        tokens.next();
        return this.deeper(() => ({ is: 'unary', operator, of: this.unary() }));
      }
    }
    return this.primary();
  }

  private operand(): Node {
    const { tokens } = this;
    const { row, text, kind } = tokens;
    if (kind === 'name') {
      tokens.next();
      return { is: 'name', name: text, row };
    }
    if (kind === 'string' || kind === 'number') {
      tokens.next();
      return { is: 'literal', text, row };
    }
    if (text === '(') {
      tokens.next();
      const value = this.inBrackets(() => this.deeper(() => this.expression()));
      tokens.accept(')');
      return value;
    }
    if (text === 'func') {
      tokens.next();
      const signature = this.deeper(() => this.signature());
      if (!tokens.is('{')) return { is: 'func', signature };
      const body = this.inBrackets(() => this.deeper(() => this.block()));
      return { is: 'closure', signature, body };
    }
    if (text === '[' || text === 'map' || text === 'chan' || text === 'struct' || text === 'interface') {
      return this.deeper(() => this.literalType());
    }
    return NOTHING;
  }

  private primary(): Node {
    const { tokens } = this;
    let node = this.operand();
    for (;;) {
      const { row } = tokens;
      if (tokens.is('.')) {
        tokens.next();
        if (tokens.accept('(')) {
          const type = tokens.accept('type') ? undefined : this.type();
          tokens.accept(')');
          node = { is: 'assert', of: node, type, row };
        } else if (tokens.has('name')) {
          node = { is: 'select', of: node, name: tokens.text, row: tokens.row };
          tokens.next();
        } else {
          return node;
        }
      } else if (tokens.is('(')) {
        tokens.next();
        const args = this.list(')', () => {
          const value = this.deeper(() => this.expression());
          tokens.accept('...');
          return value;
        });
        node = { is: 'call', of: node, args, row };
      } else if (tokens.is('[')) {
        node = this.deeper(() => this.indexed(node));
      } else if (tokens.is('{') && this.takesLiteral(node)) {
        node = this.deeper(() => this.composite(node));
      } else {
        return node;
      }
    }
  }

  private indexed(of: Node): Node {
    const { tokens } = this;
    const { row } = tokens;
    tokens.next();
    let slices = false;
    const args = this.list(']', () => {
      const value = tokens.is(':') ? NOTHING : this.expression();
      while (tokens.accept(':')) slices = true;
      return value;
    });
    return slices ? { is: 'slice', of, bounds: args } : { is: 'index', of, args, row };
  }

  private takesLiteral(node: Node): boolean {
    switch (node.is) {
      case 'array':
      case 'map':
      case 'struct':
        return true;
      case 'name':
        return this.level >= 0;
      case 'select':
        return this.level >= 0 && node.of.is === 'name';
      case 'index':
        return this.level >= 0 && (node.of.is === 'name' || node.of.is === 'select');
      default:
        return false;
    }
  }

  private composite(type: Node | undefined): Node {
    const { tokens } = this;
    const { row } = tokens;
    tokens.next();
    const item = (): Node =>
      tokens.is('{') ? this.deeper(() => this.composite(undefined)) : this.deeper(() => this.expression());
    const elements = this.list('}', (): Element => {
      const first = item();
      return tokens.accept(':') ? { key: first, value: item() } : { key: undefined, value: first };
    });
    return { is: 'composite', type, elements, row };
  }

  private block(): Statement[] {
    const { tokens } = this;
    tokens.accept('{');
    const body = this.statements();
    tokens.accept('}');
    return body;
  }

  /** Up to `}`, `case` or `default`. */
  private statements(): Statement[] {
    const { tokens } = this;
    const level = this.level;
    this.level = 0;
    const body: Statement[] = [];
    while (!tokens.has('end') && !tokens.is('}') && !tokens.is('case') && !tokens.is('default')) {
      const { start } = tokens;
      const statement = tokens.is(';') ? undefined : this.deeper(() => this.statement());
      if (statement) body.push(statement);
      if (!tokens.accept(';') && tokens.start === start) tokens.next();
    }
    this.level = level;
    return body;
  }

  private statement(): Statement | undefined {
    const { tokens } = this;
    if (tokens.has('keyword')) {
      switch (tokens.text) {
        case 'var':
        case 'const':
        case 'type':
          return { is: 'declare', declaration: this.declaration() };
        case 'if':
          return this.ifStatement();
        case 'for':
          return this.forStatement();
        case 'switch':
          return this.switchStatement();
        case 'select':
          tokens.next();
          return { is: 'switch', before: undefined, test: undefined, clauses: this.clauses(true) };
        case 'return':
          tokens.next();
          return tokens.is(';') || tokens.is('}') ? undefined : { is: 'expression', values: this.expressions() };
        case 'go':
        case 'defer':
          tokens.next();
          return { is: 'expression', values: [this.expression()] };
        case 'break':
        case 'continue':
        case 'goto':
        case 'fallthrough':
          tokens.next();
          if (tokens.has('name')) tokens.next();
          return undefined;
        default:
          break;
      }
    }
    if (tokens.is('{')) return { is: 'block', body: this.block() };
    const statement = this.simple();
    // The colon of a label: the statement it marks is read next.
    return tokens.accept(':') ? undefined : statement;
  }

  /** Expression, assignment, definition, send or increment. */
  private simple(): Statement {
    const { tokens } = this;
    const targets = this.expressions();
    if (tokens.accept(':=')) return this.defined(targets);
    if (tokens.has('operator') && ASSIGNMENT.has(tokens.text)) {
      tokens.next();
      if (tokens.accept('range')) return this.ranged(targets, false);
      return { is: 'assign', targets, values: this.expressions() };
    }
    if (tokens.accept('<-')) return { is: 'expression', values: [...targets, this.expression()] };
    if (tokens.accept('++') || tokens.accept('--')) return { is: 'expression', values: targets };
    return { is: 'expression', values: targets };
  }

  private defined(targets: readonly Node[]): Statement {
    if (this.tokens.accept('range')) return this.ranged(targets, true);
    return { is: 'define', targets, values: this.expressions() };
  }

  private ranged(targets: readonly Node[], defines: boolean): Statement {
    return { is: 'range', targets, defines, over: this.expression(), body: [] };
  }

  private header<T>(read: () => T): T {
    const level = this.level;
    this.level = -1;
    const value = read();
    this.level = level;
    return value;
  }

  private simpleOrNone(): Statement | undefined {
    return this.tokens.is(';') || this.tokens.is('{') ? undefined : this.simple();
  }

  private ifStatement(): Statement {
    const { tokens } = this;
    tokens.next();
    const { before, test } = this.header(() => {
      const first = this.simpleOrNone();
      if (!tokens.accept(';')) return { before: undefined, test: first };
      return { before: first, test: this.simpleOrNone() };
    });
    const then = this.block();
    let otherwise: Statement | undefined;
    if (tokens.accept('else')) {
      otherwise = tokens.is('if') ? this.deeper(() => this.ifStatement()) : { is: 'block', body: this.block() };
    }
    return { is: 'if', before, test: test?.is === 'expression' ? test.values : [], then, otherwise };
  }

  private forStatement(): Statement {
    const { tokens } = this;
    tokens.next();
    const read = this.header(() => {
      if (tokens.accept('range')) return { first: this.ranged([], false) };
      const first = this.simpleOrNone();
      if (!tokens.accept(';')) return { first };
      const test = this.simpleOrNone();
      tokens.accept(';');
      return { first, test, after: this.simpleOrNone(), full: true };
    });
    const body = this.block();
    const { first } = read;
    if (first?.is === 'range') return { ...first, body };
    if (!read.full) {
      return {
        is: 'for',
        before: undefined,
        test: first?.is === 'expression' ? first.values : [],
        after: undefined,
        body,
      };
    }
    const test = read.test?.is === 'expression' ? read.test.values : [];
    return { is: 'for', before: first, test, after: read.after, body };
  }

  private switchStatement(): Statement {
    const { tokens } = this;
    tokens.next();
    const { before, test } = this.header(() => {
      const first = this.simpleOrNone();
      if (!tokens.accept(';')) return { before: undefined, test: first };
      return { before: first, test: this.simpleOrNone() };
    });
    return { is: 'switch', before, test, clauses: this.clauses(false) };
  }

  private clauses(select: boolean): Clause[] {
    const { tokens } = this;
    const clauses: Clause[] = [];
    tokens.accept('{');
    while (!tokens.has('end') && !tokens.is('}')) {
      const { start } = tokens;
      let values: Node[] = [];
      let before: Statement | undefined;
      if (tokens.accept('case')) {
        if (select) before = this.simple();
        else values = this.expressions();
      } else {
        tokens.accept('default');
      }
      tokens.accept(':');
      clauses.push({ values, before, body: this.statements() });
      if (tokens.start === start) tokens.next();
    }
    tokens.accept('}');
    return clauses;
  }
}
