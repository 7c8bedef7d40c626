/** Captures and tokens of one file to its facts. */
import type {
  FileFacts,
  ImportFact,
  Json,
  ReferenceFact,
  ReferenceKind,
  SymbolFact,
  SymbolKind,
} from '../../facts/model.js';
import type { Capture, ParsedFile } from '../language.js';
import { decoratedRoute, type Registration, registrationIn } from './entry-points.js';
import { isWellKnown } from './globals.js';
import { readExport, readImport } from './module-syntax.js';
import { type Binding, Closing, Scope } from './scopes.js';
import { isKeyword, isPredefinedType, TokenReader, unquoted } from './token-reader.js';
import { PUNCTUATION, type Ranges, STRING, tokenize, WORD } from './tokens.js';
import { asJson, BUILTIN, behind, called, nameIn, type TypeExpression } from './type-expression.js';

const TYPE_WORDS = new Set('keyof readonly unique new abstract asserts is extends out infer in'.split(' '));
const MODIFIERS = new Set(
  'public private protected static readonly override abstract async get set accessor declare'.split(' '),
);
/** Methods whose callback gets the elements of their receiver. */
const ELEMENT_CALLBACKS = new Set('forEach map filter find findIndex findLast some every flatMap sort'.split(' '));
const LONGEST_SIGNATURE = 160;
/** What `exports` is inside its own file. */
const OWN_EXPORTS: TypeExpression = { m: '.', x: '=' };
const MOST_PARAMETERS = 8;
const MOST_OVERLOADS = 6;
const LONGEST_STRING = 200;
const LOOKS_LIKE_PATH = /^(?:[\w@.-]+\/)+[\w@.-]+$|^[\w-]+\.[a-z]{2,4}$/;

type FrameKind = 'module' | 'block' | 'function' | 'class' | 'type' | 'member' | 'tag' | 'enum' | 'cast' | 'other';

interface Frame {
  readonly kind: FrameKind;
  /** Offset behind its last character. */
  readonly end: number;
  readonly scope: Scope;
  /** Symbol that references inside belong to. */
  readonly owner: number;
  /** Whether names inside are types. */
  inTypes: boolean;
  readonly heritage: boolean | undefined;
  readonly parameters: boolean | undefined;
  /** The symbol whose members are declared directly inside: class, interface, enum, object literal. */
  readonly members: number | undefined;
  /** What the object literal that the braces are must be, by what it is passed or assigned to. */
  readonly context: TypeExpression | undefined;
  /** The component of a tag. */
  readonly component: readonly string[] | undefined;
  readonly run: Run | undefined;
}

/** A function being read. */
interface Run {
  readonly symbol: number;
  readonly isArrow: boolean;
  readonly isAsync: boolean;
  readonly self: TypeExpression | undefined;
  declared: boolean;
  result?: TypeExpression | undefined;
  readonly returns: TypeExpression[];
}

/** What the surface says of a symbol beside its kind. Types are closed when all scopes are complete. */
interface Detail {
  scope: Scope;
  bases?: TypeExpression[];
  returns?: TypeExpression | undefined;
  parameters?: (TypeExpression | null)[];
  type?: TypeExpression | undefined;
  isStatic?: boolean;
  isMember?: boolean;
  isNested: boolean;
  isAsync?: boolean;
  twin?: string;
}

interface PendingReference {
  readonly kind: ReferenceKind;
  readonly scope: Scope;
  readonly from: number;
  readonly chain: readonly string[];
  readonly root: TypeExpression | undefined;
  readonly offset: number;
}

type Exported =
  | { readonly symbol: number }
  | { readonly m: string; readonly x: string }
  | { readonly local: string }
  | { readonly type: TypeExpression };

interface MutableSymbol {
  name: string;
  kind: SymbolKind;
  line: number;
  endLine: number;
  signature: string;
}

const KIND_LETTER: { readonly [kind in SymbolKind]: string } = {
  class: 'c',
  interface: 'i',
  struct: 'c',
  enum: 'e',
  type: 't',
  namespace: 'n',
  function: 'f',
  method: 'm',
  property: 'p',
  field: 'p',
  variable: 'v',
  constant: 'v',
};

export class Extraction {
  readonly reader: TokenReader;
  readonly module = new Scope(undefined, true);
  readonly imports: ImportFact[] = [];
  readonly exported = new Map<string, Exported>();
  readonly stars: string[] = [];
  /** Tokens that declare something or were read already: no references. */
  readonly done: Uint8Array;
  private readonly symbols: MutableSymbol[] = [];
  private readonly details: Detail[] = [];
  private readonly taken = new Map<string, number>();
  private readonly references: PendingReference[] = [];
  private readonly strings: { text: string; line: number; from: number }[] = [];
  private readonly spans: readonly Capture[];
  private readonly lineStarts: number[] = [0];
  private readonly frames: Frame[] = [];
  /** Symbols made before the function, class or object literal that is their value is reached, by its token. */
  private readonly named = new Map<number, number>();
  /** Symbols whose initialiser starts at a token and ends before another. */
  private readonly initialisers = new Map<number, { readonly symbol: number; readonly end: number }>();
  private readonly objects = new Map<number, number>();
  /** Types that the first parameter of a callback gets from the call it is passed to, by the callback's token. */
  private readonly hints = new Map<number, TypeExpression>();
  /** Types that object literals and callbacks get from where they stand, by their first token. */
  private readonly contexts = new Map<number, TypeExpression>();
  private readonly exportedAt = new Set<number>();
  /** Values of `var x = module.exports = value`, by their first token: the declaration is what is exported. */
  private readonly exportedByDeclaration = new Set<number>();
  private readonly registrations: (Registration & { readonly scope: Scope })[] = [];
  private readonly entryPoints: { symbol: number; kind: string }[] = [];
  /** What a decorator makes of the method below it. */
  private route: string | undefined;
  private decorated = -1;
  /** What the object literal whose method is being entered expects of it. */
  private methodContext: TypeExpression | undefined;

  constructor(private readonly parsed: ParsedFile) {
    const spans: Capture[] = [];
    const starts: number[] = [];
    const ends: number[] = [];
    const lambdas = new Map<number, number>();
    const typeLists = new Map<number, number>();
    for (const match of parsed.matches) {
      for (const capture of match.captures) {
        if (capture.name === 'regex' || capture.name === 'text') {
          starts.push(capture.start);
          ends.push(capture.end);
          continue;
        }
        spans.push(capture);
        if (capture.name === 'function' || capture.name === 'lambda' || capture.name === 'class') {
          lambdas.set(capture.start, Math.max(capture.end, lambdas.get(capture.start) ?? 0));
        } else if (capture.name === 'type' && parsed.source.charCodeAt(capture.start) === 60) {
          typeLists.set(capture.start, capture.end);
        }
      }
    }
    this.spans = spans.sort((a, b) => a.start - b.start || b.end - a.end);
    const order = starts.map((_, index) => index).sort((a, b) => (starts[a] ?? 0) - (starts[b] ?? 0));
    const skipped: Ranges = {
      starts: order.map((index) => starts[index] ?? 0),
      ends: order.map((index) => ends[index] ?? 0),
    };
    const { source } = parsed;
    for (let at = source.indexOf('\n'); at >= 0; at = source.indexOf('\n', at + 1)) this.lineStarts.push(at + 1);
    this.reader = new TokenReader(source, tokenize(source, skipped), lambdas, typeLists);
    this.done = new Uint8Array(this.reader.length);
  }

  lineOf(offset: number): number {
    let low = 0;
    let high = this.lineStarts.length;
    while (low + 1 < high) {
      const middle = (low + high) >> 1;
      if ((this.lineStarts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  }

  lineOfToken(index: number): number {
    return this.lineOf(this.reader.offset(index));
  }

  get top(): Frame {
    return this.frames[this.frames.length - 1] as Frame;
  }

  get owner(): number {
    return this.top.owner;
  }

  get scope(): Scope {
    return this.top.scope;
  }

  get atModuleLevel(): boolean {
    return this.scope === this.module;
  }

  /** Notes that the declaration whose first token this is exports what it declares. */
  exportDeclarationAt(index: number): void {
    this.exportedAt.add(index);
  }

  run(): FileFacts {
    const { source } = this.parsed;
    this.frames.push({
      kind: 'module',
      end: source.length + 1,
      scope: this.module,
      owner: -1,
      inTypes: false,
      heritage: undefined,
      parameters: undefined,
      members: undefined,
      context: undefined,
      component: undefined,
      run: undefined,
    });
    let next = 0;
    for (let index = 0; index < this.reader.length; index++) {
      const offset = this.reader.offset(index);
      while (this.frames.length > 1 && this.top.end <= offset) this.leave();
      const initialiser = this.initialisers.get(index);
      if (initialiser) {
        this.push({ kind: 'member', end: this.reader.offset(initialiser.end), owner: initialiser.symbol });
      }
      while (next < this.spans.length && (this.spans[next]?.start ?? 0) <= offset) {
        const span = this.spans[next++] as Capture;
        if (span.end > offset) this.enter(span, index);
      }
      this.visit(index);
    }
    while (this.frames.length > 1) this.leave();
    return this.finish();
  }

  private push(frame: Partial<Frame> & { readonly kind: FrameKind; readonly end: number }): void {
    const { top } = this;
    // Written out: a spread here is among the most expensive lines of an extraction.
    this.frames.push({
      kind: frame.kind,
      end: Math.min(frame.end, top.end),
      scope: frame.scope ?? top.scope,
      owner: frame.owner ?? top.owner,
      inTypes: frame.inTypes ?? (top.inTypes && frame.kind !== 'member'),
      heritage: frame.heritage,
      parameters: frame.parameters,
      members: frame.members,
      context: frame.context,
      component: frame.component,
      run: frame.run,
    });
  }

  private leave(): void {
    const frame = this.frames.pop();
    const run = frame?.run;
    if (!run || run.symbol < 0 || run.declared) return;
    const detail = this.details[run.symbol];
    if (!detail || detail.returns) return;
    const [first] = run.returns;
    if (!first || !frame) return;
    const type: TypeExpression = run.returns.length > 1 ? { u: run.returns.slice(0, 4) } : first;
    detail.returns = run.isAsync ? { p: { w: type } } : type;
    detail.scope = frame.scope;
  }

  // Definitions

  addSymbol(
    name: string,
    kind: SymbolKind,
    start: number,
    end: number,
    extra: { readonly isMember?: boolean; readonly isStatic?: boolean; readonly line?: number } = {},
  ): number {
    const index = this.symbols.length;
    const count = (this.taken.get(name) ?? 0) + 1;
    this.taken.set(name, count);
    this.symbols.push({
      name: count === 1 ? name : `${name}#${count}`,
      kind,
      line: extra.line ?? this.lineOf(start),
      endLine: this.lineOf(Math.max(start, end - 1)),
      signature: this.signatureAt(start, end),
    });
    const enclosing = this.frames.some((frame) => frame.kind === 'function');
    this.details.push({
      scope: this.scope,
      isNested: enclosing && !(extra.isMember ?? false),
      ...(extra.isMember ? { isMember: true } : {}),
      ...(extra.isStatic ? { isStatic: true } : {}),
    });
    return index;
  }

  private signatureAt(start: number, end: number): string {
    const { source } = this.parsed;
    const lineEnd = source.indexOf('\n', start);
    const text = source.slice(start, Math.min(lineEnd < 0 ? source.length : lineEnd, end, start + 400));
    return text
      .replace(/\s+/g, ' ')
      .replace(/(=>)? ?\{( .*)?$/, '$1')
      .trim()
      .slice(0, LONGEST_SIGNATURE);
  }

  /** Qualified name of something declared under the current owner. */
  private qualified(name: string, under = this.owner): string {
    const parent = this.symbols[under];
    return parent ? `${parent.name}.${name}` : name;
  }

  private bind(scope: Scope, name: string, symbol: number, isType: boolean): void {
    const binding = scope.own(name);
    if (isType) {
      if (binding.type === undefined) binding.type = symbol;
    } else if (binding.symbol === undefined) binding.symbol = symbol;
  }

  private exportName(name: string, symbol: number): void {
    if (!this.exported.has(name)) this.exported.set(name, { symbol });
  }

  private isExported(index: number): boolean {
    return this.exportedAt.has(index) && this.atModuleLevel;
  }

  private enter(span: Capture, index: number): void {
    switch (span.name) {
      case 'function':
        this.enterFunction(span, index);
        return;
      case 'lambda':
        this.enterLambda(span, index);
        return;
      case 'method':
        this.enterMethod(span, index);
        return;
      case 'field':
        this.enterField(span, index);
        return;
      case 'class':
        this.enterClass(span, index);
        return;
      case 'interface':
      case 'alias':
        this.enterTypeDeclaration(span, index);
        return;
      case 'signature':
        this.enterSignature(span, index);
        return;
      case 'enum':
        this.enterEnum(span, index);
        return;
      case 'namespace':
        this.enterNamespace(span, index);
        return;
      case 'type':
        this.push({ kind: 'type', end: span.end, inTypes: true });
        return;
      case 'parameters':
        this.push({ kind: 'type', end: span.end, inTypes: true, parameters: true });
        return;
      case 'heritage':
        this.push({ kind: 'type', end: span.end, inTypes: true, heritage: true });
        return;
      case 'cast':
        this.push({ kind: 'cast', end: span.end });
        return;
      case 'tag':
        this.enterTag(span, index);
        return;
      case 'closing':
        for (let at = index; this.reader.offset(at) < span.end; at++) this.done[at] = 1;
        return;
    }
  }

  private enterFunction(span: Capture, index: number): void {
    const { reader } = this;
    let at = index;
    while (reader.at(at) !== 'function' && reader.offset(at) < span.end) this.done[at++] = 1;
    at++;
    if (reader.at(at) === '*') at++;
    const isNamed = reader.isName(at);
    const isDefault = reader.at(index - 1) === 'default';
    let symbol = -1;
    if (isNamed || isDefault) {
      const name = isNamed ? reader.at(at) : 'default';
      const known = isNamed ? this.scope.names.get(name)?.symbol : undefined;
      const before = known === undefined ? undefined : this.symbols[known];
      if (known !== undefined && before?.kind === 'function') {
        // Overloads are one function; the implementation comes last.
        symbol = known;
        before.endLine = this.lineOf(span.end - 1);
      } else {
        symbol = this.addSymbol(this.qualified(name), 'function', span.start, span.end);
        if (isNamed) this.bind(this.scope, name, symbol, false);
      }
      if (isNamed) this.done[at] = 1;
      if (isDefault && this.atModuleLevel) this.exportName('default', symbol);
      else if (this.isExported(index)) this.exportName(name, symbol);
    }
    this.enterBody(span, index, isNamed ? at + 1 : at, symbol, false, this.selfOfFunction(symbol));
  }

  /** `this` inside a plain function: what a constructor function makes, or the object it is put on. */
  private selfOfFunction(symbol: number): TypeExpression | undefined {
    const name = this.symbols[symbol]?.name;
    if (name === undefined) return undefined;
    const dot = name.lastIndexOf('.');
    const kind = this.symbols[symbol]?.kind;
    if (kind === 'method' && dot > 0) {
      const parent = name.slice(0, dot);
      const holder = this.symbols.find((one) => one.name === parent);
      return holder && (holder.kind === 'function' || holder.kind === 'class') ? { i: parent } : { s: parent };
    }
    return /^[A-Z]/.test(name) ? { i: name } : undefined;
  }

  private enterLambda(span: Capture, index: number): void {
    const { reader } = this;
    const symbol = this.named.get(index) ?? -1;
    let at = index;
    const isAsync = reader.at(at) === 'async' && reader.at(at + 1) !== '=>';
    if (isAsync) this.done[at++] = 1;
    if (reader.at(at) !== 'function') {
      this.enterBody(span, index, at, symbol, true, undefined);
      return;
    }
    at++;
    if (reader.at(at) === '*') at++;
    const scope = new Scope(this.scope, true);
    if (reader.isName(at)) {
      this.done[at] = 1;
      const own = scope.own(reader.at(at));
      if (symbol >= 0) own.symbol = symbol;
      else own.value = BUILTIN;
      at++;
    }
    this.enterBody(span, index, at, symbol, false, this.selfOfFunction(symbol), scope);
  }

  private enterMethod(span: Capture, index: number): void {
    const { reader } = this;
    let at = index;
    let isStatic = false;
    while (MODIFIERS.has(reader.at(at)) && !/^[(<?!:=]$/.test(reader.at(at + 1))) {
      if (reader.at(at) === 'static') isStatic = true;
      this.done[at++] = 1;
    }
    if (reader.at(at) === '*') at++;
    const name = this.memberName(at);
    const holder = this.top.members;
    const start = this.decorated >= 0 ? this.decorated : span.start;
    const { route } = this;
    this.decorated = -1;
    this.route = undefined;
    let symbol = -1;
    let self: TypeExpression | undefined;
    if (holder !== undefined) {
      const parent = this.symbols[holder];
      const ofClass = parent?.kind === 'class' || parent?.kind === 'interface' || parent?.kind === 'type';
      self = ofClass && !isStatic ? { i: parent?.name ?? '' } : { s: parent?.name ?? '' };
      if (name !== undefined) {
        const qualified = this.qualified(name, holder);
        const last = this.symbols.findLastIndex((one) => one.name === qualified);
        const overload = last >= 0 && this.symbols[last]?.kind === 'method' && !/^(get|set)$/.test(reader.at(at - 1));
        if (overload) {
          symbol = last;
          const known = this.symbols[last];
          if (known) known.endLine = this.lineOf(span.end - 1);
        } else {
          symbol = this.addSymbol(
            qualified,
            reader.at(at - 1) === 'get' ? 'property' : 'method',
            span.start,
            span.end,
            {
              isMember: true,
              isStatic,
              line: this.lineOf(start),
            },
          );
        }
      }
    }
    if (route !== undefined && symbol >= 0) this.entryPoints.push({ symbol, kind: route });
    const expected = this.top.context;
    this.methodContext = expected && name !== undefined ? behind(expected, name) : undefined;
    if (expected && name !== undefined) this.refer('read', ['?', name], at, expected);
    this.done[at] = 1;
    const nameEnd = reader.at(at) === '[' ? Math.max(reader.match[at] ?? -1, at) + 1 : at + 1;
    this.enterBody(span, index, nameEnd, symbol, false, self, undefined, name === 'constructor' ? holder : undefined);
  }

  private memberName(index: number): string | undefined {
    const { reader } = this;
    if (reader.isWord(index)) return reader.at(index);
    if (reader.isString(index)) {
      const text = unquoted(reader.at(index));
      return /^[\w$-]+$/.test(text) ? text : undefined;
    }
    return undefined;
  }

  private enterBody(
    span: Capture,
    index: number,
    from: number,
    symbol: number,
    isArrow: boolean,
    self: TypeExpression | undefined,
    given?: Scope,
    constructed?: number,
  ): void {
    const { reader } = this;
    const scope = given ?? new Scope(this.scope, true);
    const inherited = isArrow ? this.frames.findLast((frame) => frame.run)?.run?.self : self;
    const isAsync = reader.at(index) === 'async' || (from > index && reader.at(from - 2) === 'async');
    const run: Run = {
      symbol,
      isArrow,
      isAsync: isAsync || this.hasAsyncBefore(index, from),
      self: isArrow ? (inherited ?? this.fieldSelf()) : self,
      declared: false,
      returns: [],
    };
    this.push({
      kind: 'function',
      end: span.end,
      scope,
      run,
      ...(symbol >= 0 ? { owner: symbol } : {}),
    });
    let at = from;
    if (isArrow && reader.isWord(at)) {
      this.done[at] = 1;
      const context = this.contexts.get(index);
      scope.own(reader.at(at)).value = this.hints.get(index) ?? (context && behind(context, '(0)'));
      at++;
    } else {
      while (reader.at(at) !== '(' && reader.offset(at) < span.end) {
        // Type parameters may hold brackets of their own.
        at = reader.match[at] !== undefined && (reader.match[at] ?? -1) > at ? (reader.match[at] ?? at) + 1 : at + 1;
      }
      const close = reader.match[at] ?? -1;
      if (close < 0) return;
      const context = this.contexts.get(index) ?? (symbol < 0 && !isArrow ? this.methodContext : undefined);
      if (context) run.result = 'f' in context ? context.f : called(context);
      const types = this.parameters(at, close, scope, constructed, this.hints.get(index), context);
      this.noteParameters(symbol, types);
      at = close + 1;
    }
    if (reader.at(at) === ':') {
      const { type, end } = reader.type(at + 1);
      run.declared = true;
      run.result = type && 'p' in type ? type.p : type;
      const detail = this.details[symbol];
      if (detail && !detail.returns) {
        detail.returns = type && 'v' in type && type.v[0] === 'this' ? self : type;
        detail.scope = scope;
      }
      at = end;
    }
    if (isArrow) {
      while (reader.at(at) !== '=>' && reader.offset(at) < span.end) at++;
      if (reader.at(at + 1) !== '{' && !run.declared) this.returned(at + 1, run);
      if (run.result) this.expect(reader.at(at + 1) === '(' ? at + 2 : at + 1, run.result);
    }
  }

  /** Parameter types of a function; of overloads, what any of them takes. */
  private noteParameters(symbol: number, types: readonly (TypeExpression | null)[]): void {
    const detail = this.details[symbol];
    if (!detail || types.every((type) => type === null)) return;
    detail.parameters ??= [];
    const known = detail.parameters;
    types.forEach((type, index) => {
      const before = known[index];
      if (!type || 'b' in type) known[index] = before ?? null;
      else if (!before) known[index] = type;
      else if (JSON.stringify(before) !== JSON.stringify(type)) {
        const all = 'u' in before ? before.u : [before];
        if (all.length < MOST_OVERLOADS) known[index] = { u: [...all, type] };
      }
    });
    for (let index = 0; index < known.length; index++) known[index] ??= null;
  }

  /** Notes what the object literal, callback or array at a token is expected to be. */
  private expect(index: number, type: TypeExpression): void {
    const { reader } = this;
    const text = reader.at(index);
    if (text === '[') {
      const close = reader.match[index] ?? -1;
      for (let at = index + 1; at < close; at = reader.endOfPart(at, close) + 1) this.expect(at, { e: type });
    } else if (text === '{' || reader.behindLambda(index) > 0) this.contexts.set(index, type);
  }

  /** The arguments of a call are what the callee's parameters say. */
  private expectArguments(callee: TypeExpression | undefined, open: number, close: number): void {
    const { reader } = this;
    if (!callee || close <= open + 1) return;
    let position = 0;
    for (let at = open + 1; at < close; at = reader.endOfPart(at, close) + 1) {
      const text = reader.at(at);
      if (text === '{' || text === '[' || reader.behindLambda(at) > 0) this.expect(at, behind(callee, `(${position})`));
      position++;
    }
  }

  private hasAsyncBefore(index: number, from: number): boolean {
    for (let at = index; at < from; at++) if (this.reader.at(at) === 'async') return true;
    return false;
  }

  private fieldSelf(): TypeExpression | undefined {
    for (let at = this.frames.length - 1; at >= 0; at--) {
      const frame = this.frames[at] as Frame;
      if (frame.run) return frame.run.self;
      if (frame.kind === 'class') {
        const name = this.symbols[frame.members ?? -1]?.name;
        return name === undefined ? undefined : { i: name };
      }
    }
    return undefined;
  }

  private returned(index: number, run: Run): void {
    let { type } = this.reader.value(index);
    if (type && 'v' in type && !type.r && type.v[0] === 'this') {
      type = run.self && (type.v.length === 1 ? run.self : { v: ['?', ...type.v.slice(1)], r: run.self });
    }
    if (type && !('b' in type) && run.returns.length < 4) {
      const text = JSON.stringify(type);
      if (!run.returns.some((one) => JSON.stringify(one) === text)) run.returns.push(type);
    }
  }

  private parameters(
    open: number,
    close: number,
    scope: Scope,
    constructed: number | undefined,
    hint: TypeExpression | undefined,
    context: TypeExpression | undefined,
  ): (TypeExpression | null)[] {
    const { reader } = this;
    const parameters: (TypeExpression | null)[] = [];
    let position = 0;
    let at = open + 1;
    let isFirst = true;
    while (at < close) {
      let isProperty = false;
      while (reader.at(at) === '@') {
        at = reader.name(at + 1).end;
        if (reader.at(at) === '(') at = (reader.match[at] ?? at) + 1;
      }
      while (MODIFIERS.has(reader.at(at)) && (reader.isWord(at + 1) || /^[[{]$/.test(reader.at(at + 1)))) {
        this.done[at++] = 1;
        isProperty = true;
      }
      if (reader.at(at) === '...') at++;
      const name = reader.isWord(at) ? reader.at(at) : undefined;
      const nameAt = at;
      const names: { name: string; path: string[] }[] = [];
      const isRest = reader.at(at - 1) === '...';
      at = this.pattern(at, [], names);
      let type: TypeExpression | undefined;
      if (reader.at(at) === '?') at++;
      if (reader.at(at) === ':') {
        const declared = reader.type(at + 1);
        type = declared.type;
        at = declared.end;
      } else if (reader.at(at) === '=') {
        type = reader.value(at + 1).type;
      } else if (isFirst && hint) type = hint;
      else if (context && name !== 'this') type = behind(context, `(${position})`);
      if (name === 'this') {
        const run = this.top.run;
        if (run && type) this.frames[this.frames.length - 1] = { ...this.top, run: { ...run, self: type } };
      }
      if (name !== 'this') {
        if (parameters.length < MOST_PARAMETERS) parameters.push(type ? (isRest ? { z: type } : type) : null);
        position++;
      }
      this.bindPattern(names, type, scope, nameAt);
      if (isProperty && name !== undefined && constructed !== undefined) {
        const end = this.reader.endOfPart(at, close);
        const offset = reader.offset(nameAt);
        const member = this.addSymbol(this.qualified(name, constructed), 'property', offset, reader.offset(end), {
          isMember: true,
        });
        const detail = this.details[member];
        if (detail) {
          detail.type = type;
          detail.scope = scope;
        }
      }
      at = this.reader.endOfPart(at, close) + 1;
      isFirst = false;
    }
    return parameters;
  }

  /** Gives the names of a pattern their types, and records which members the pattern reads. */
  private bindPattern(
    names: readonly { readonly name: string; readonly path: readonly string[] }[],
    type: TypeExpression | undefined,
    scope: Scope,
    index: number,
  ): void {
    for (const { name, path } of names) {
      const value = type && (path.length === 0 ? type : behind(type, ...path));
      scope.own(name).value = value;
      if (type && path.length > 0 && !path.includes('...')) this.refer('read', ['?', ...path], index, type);
    }
  }

  /** Reads a binding pattern, collecting names with the path of keys to them; returns the index behind it. */
  private pattern(index: number, path: readonly string[], names: { name: string; path: string[] }[]): number {
    const { reader } = this;
    if (reader.isWord(index)) {
      this.done[index] = 1;
      names.push({ name: reader.at(index), path: [...path] });
      return index + 1;
    }
    const close = reader.match[index] ?? -1;
    if (close < 0) return index + 1;
    const isObject = reader.at(index) === '{';
    let at = index + 1;
    while (at < close) {
      if (reader.at(at) === '...') {
        at = this.pattern(at + 1, [...path, '...'], names);
      } else if (isObject && reader.at(at) === '[') {
        const end = reader.match[at] ?? close;
        if (reader.at(end + 1) === ':') this.pattern(end + 2, [...path, '[]'], names);
      } else if (isObject && reader.at(at + 1) === ':') {
        this.done[at] = 1;
        const key = this.memberName(at) ?? '[]';
        this.pattern(at + 2, [...path, key], names);
      } else if (reader.isWord(at)) {
        this.pattern(at, [...path, isObject ? reader.at(at) : '[]'], names);
      } else if (reader.at(at) === '{' || reader.at(at) === '[') {
        this.pattern(at, [...path, '[]'], names);
      }
      at = this.reader.endOfPart(at, close) + 1;
    }
    return close + 1;
  }

  private enterField(span: Capture, index: number): void {
    const { reader } = this;
    let at = index;
    let isStatic = false;
    while (reader.at(at) === '@') {
      at = reader.name(at + 1).end;
      if (reader.at(at) === '(') at = (reader.match[at] ?? at) + 1;
    }
    const from = at;
    while (MODIFIERS.has(reader.at(at)) && !/^[(<?!:=;}]$/.test(reader.at(at + 1)) && !reader.startsLine(at + 1)) {
      if (reader.at(at) === 'static') isStatic = true;
      this.done[at++] = 1;
    }
    const name = this.memberName(at);
    const holder = this.top.members;
    this.decorated = -1;
    if (name === undefined || holder === undefined) return;
    this.done[at++] = 1;
    while (reader.at(at) === '?' || reader.at(at) === '!') at++;
    let type: TypeExpression | undefined;
    if (reader.at(at) === ':') {
      const declared = reader.type(at + 1);
      type = declared.type;
      at = declared.end;
    }
    const lambda = reader.at(at) === '=' ? reader.behindLambda(at + 1) : -1;
    const kind = lambda > 0 ? 'method' : 'property';
    const symbol = this.addSymbol(this.qualified(name, holder), kind, reader.offset(from), span.end, {
      isMember: true,
      isStatic,
      line: this.lineOf(span.start),
    });
    if (lambda > 0) this.named.set(at + 1, symbol);
    else if (reader.at(at) === '=') {
      type ??= reader.value(at + 1).type;
      if (reader.at(at + 1) === '{') this.objects.set(at + 1, symbol);
    }
    const detail = this.details[symbol];
    if (detail) detail.type = type;
    this.push({ kind: 'member', end: span.end, owner: symbol, inTypes: false });
  }

  private enterClass(span: Capture, index: number): void {
    const { reader } = this;
    let at = index;
    while (reader.at(at) !== 'class' && reader.offset(at) < span.end) {
      if (reader.at(at) === '@') {
        at = reader.name(at + 1).end;
        if (reader.at(at) === '(') at = (reader.match[at] ?? at) + 1;
      } else this.done[at++] = 1;
    }
    const keyword = at;
    at++;
    const isNamed = reader.isName(at) && reader.at(at) !== 'implements';
    const isDefault = reader.at(index - 1) === 'default' || reader.at(keyword - 1) === 'default';
    const given = this.named.get(index);
    let symbol = given ?? -1;
    const scope = new Scope(this.scope, false);
    if (symbol < 0) {
      const name = isNamed ? reader.at(at) : isDefault ? 'default' : 'class';
      const start = this.decorated >= 0 ? this.decorated : span.start;
      symbol = this.addSymbol(this.qualified(name), 'class', reader.offset(keyword), span.end, {
        line: this.lineOf(start),
      });
      const isStatement = isNamed && !/^[=(,:?[]$|^return$/.test(reader.at(index - 1));
      if (isStatement) this.bind(this.scope, name, symbol, false);
      else if (isNamed) this.bind(scope, name, symbol, false);
      if (isDefault && this.atModuleLevel) this.exportName('default', symbol);
      else if (this.isExported(index) || this.isExported(keyword)) this.exportName(name, symbol);
    } else if (isNamed) this.bind(scope, reader.at(at), symbol, false);
    this.decorated = -1;
    if (isNamed) this.done[at++] = 1;
    this.push({ kind: 'class', end: span.end, scope, owner: symbol, members: symbol, inTypes: false });
    while (
      at < reader.length &&
      reader.at(at) !== '{' &&
      reader.at(at) !== 'extends' &&
      reader.at(at) !== 'implements'
    ) {
      const types = reader.at(at) === '<' ? this.behindAngles(at) : -1;
      at = Math.max(types, at + 1);
    }
    const detail = this.details[symbol];
    if (!detail) return;
    detail.scope = scope;
    const bases: TypeExpression[] = [];
    if (reader.at(at) === 'extends') {
      const { type, end } = reader.value(at + 1);
      if (type && 'v' in type && !type.r && type.v.every((segment) => !segment.includes('('))) {
        bases.push({ t: type.v.join('.') });
        this.refer('inherit', type.v, at + 1);
        this.done[at + 1] = 1;
      } else if (type) bases.push(type);
      at = end;
    }
    this.implemented(at, bases);
    if (bases.length > 0) detail.bases = bases;
  }

  /** Index behind the type parameters at `index`. */
  private behindAngles(index: number): number {
    const { reader } = this;
    let depth = 0;
    for (let at = index; at < reader.length; at++) {
      const text = reader.at(at);
      if (text === '<') depth++;
      else if (text === '>' && --depth === 0) return at + 1;
      else if ((reader.match[at] ?? -1) > at) at = reader.match[at] ?? at;
    }
    return index + 1;
  }

  /** The comma-separated types behind `implements` (classes) or `extends` (interfaces). */
  private implemented(index: number, bases: TypeExpression[]): void {
    const { reader } = this;
    let at = index;
    if (reader.at(at) !== 'implements' && reader.at(at) !== 'extends') return;
    do {
      const { type, end } = reader.type(at + 1);
      if (type) bases.push(type);
      if (end <= at + 1) return;
      at = end;
    } while (reader.at(at) === ',');
  }

  private enterTypeDeclaration(span: Capture, index: number): void {
    const { reader } = this;
    const isInterface = span.name === 'interface';
    let at = index;
    while (reader.at(at) !== (isInterface ? 'interface' : 'type') && reader.offset(at) < span.end) at++;
    at++;
    const name = reader.at(at);
    this.done[at] = 1;
    const symbol = this.addSymbol(this.qualified(name), isInterface ? 'interface' : 'type', span.start, span.end);
    this.bind(this.scope, name, symbol, true);
    if (this.isExported(index) || (reader.at(index - 1) === 'default' && this.atModuleLevel)) {
      this.exportName(reader.at(index - 1) === 'default' ? 'default' : name, symbol);
    }
    const scope = new Scope(this.scope, false);
    this.push({ kind: 'class', end: span.end, scope, owner: symbol, members: symbol, inTypes: true });
    at++;
    if (reader.at(at) === '<') at = this.behindAngles(at);
    const detail = this.details[symbol];
    if (!detail) return;
    detail.scope = scope;
    if (isInterface) {
      const bases: TypeExpression[] = [];
      this.implemented(at, bases);
      if (bases.length > 0) detail.bases = bases;
    } else if (reader.at(at) === '=') detail.type = reader.type(at + 1).type;
  }

  /** A call signature: what calling a value of the interface takes and gives. */
  private enterSignature(span: Capture, index: number): void {
    const { reader } = this;
    const holder = this.top.members ?? -1;
    const scope = new Scope(this.scope, false);
    let open = index;
    if (reader.at(open) === '<') open = this.behindAngles(open);
    const close = reader.at(open) === '(' ? (reader.match[open] ?? -1) : -1;
    this.push({ kind: 'class', end: span.end, scope, inTypes: true });
    const detail = this.details[holder];
    if (close < 0 || !detail) return;
    this.noteParameters(holder, reader.parameterTypes(open, close));
    if (reader.at(close + 1) === ':') detail.returns ??= reader.type(close + 2).type;
  }

  private enterEnum(span: Capture, index: number): void {
    const { reader } = this;
    let at = index;
    while (reader.at(at) !== 'enum' && reader.offset(at) < span.end) at++;
    at++;
    const name = reader.at(at);
    this.done[at] = 1;
    const symbol = this.addSymbol(this.qualified(name), 'enum', span.start, span.end);
    this.bind(this.scope, name, symbol, false);
    if (this.isExported(index)) this.exportName(name, symbol);
    const scope = new Scope(this.scope, false);
    this.push({ kind: 'enum', end: span.end, scope, owner: symbol, members: symbol, inTypes: false });
    const open = at + 1;
    const close = reader.match[open] ?? -1;
    for (let member = open + 1; member < close; ) {
      const memberName = this.memberName(member);
      const end = this.reader.endOfPart(member, close);
      if (memberName !== undefined) {
        this.done[member] = 1;
        const constant = this.addSymbol(
          this.qualified(memberName, symbol),
          'constant',
          reader.offset(member),
          reader.offset(member) + 1,
          {
            isMember: true,
            isStatic: true,
          },
        );
        this.bind(scope, memberName, constant, false);
      }
      member = end + 1;
    }
  }

  private enterNamespace(span: Capture, index: number): void {
    const { reader } = this;
    let at = index;
    while (!/^(namespace|module|global)$/.test(reader.at(at)) && reader.offset(at) < span.end) at++;
    this.done[at] = 1;
    at++;
    const scope = new Scope(this.scope, true);
    if (!reader.isName(at)) {
      // `declare module "x"`: what it declares belongs to another module.
      this.push({ kind: 'block', end: span.end, scope, inTypes: false });
      return;
    }
    const { segments, end } = reader.name(at);
    for (let token = at; token < end; token++) this.done[token] = 1;
    const [root = ''] = segments;
    const known = this.scope.names.get(root)?.symbol;
    let symbol = this.addSymbol(this.qualified(root), 'namespace', span.start, span.end);
    if (known === undefined) this.bind(this.scope, root, symbol, false);
    if (this.isExported(index)) this.exportName(root, symbol);
    for (const inner of segments.slice(1)) {
      symbol = this.addSymbol(this.qualified(inner, symbol), 'namespace', span.start, span.end);
    }
    this.push({ kind: 'block', end: span.end, scope, owner: symbol, inTypes: false });
  }

  private enterTag(span: Capture, index: number): void {
    const { reader } = this;
    const at = index + 1;
    const { segments, end } = reader.isWord(at) ? reader.name(at) : { segments: [], end: at };
    const isComponent = segments.length > 1 || /^[^a-z]/.test(segments[0] ?? 'a');
    this.push({ kind: 'tag', end: span.end, inTypes: false, ...(isComponent ? { component: segments } : {}) });
    for (let token = at; token < end; token++) this.done[token] = 1;
    if (isComponent) this.refer('jsx', segments, at);
  }

  // Uses

  refer(kind: ReferenceKind, chain: readonly string[], index: number, root?: TypeExpression): void {
    this.references.push({
      kind,
      scope: this.scope,
      from: this.owner,
      chain: [...chain],
      root,
      offset: this.reader.offset(index),
    });
  }

  private visit(index: number): void {
    const { reader } = this;
    const kind = reader.kind[index];
    if (kind === WORD) {
      if (this.done[index] === 1) return;
      const before = reader.at(index - 1);
      if ((before === '.' || before === '?.') && reader.kind[index - 1] === PUNCTUATION) return;
      if (this.top.inTypes) this.visitType(index);
      else this.visitWord(index);
      return;
    }
    if (kind === STRING) {
      const text = reader.at(index);
      if (text.length > 4 && text.length < LONGEST_STRING && this.done[index] !== 1) {
        const inner = unquoted(text);
        if (LOOKS_LIKE_PATH.test(inner)) {
          this.strings.push({ text: inner, line: this.lineOfToken(index), from: this.owner });
        }
      }
      return;
    }
    if (kind !== PUNCTUATION) return;
    const text = reader.at(index);
    if (text === '{') this.enterBraces(index);
    else if (text === '(') this.visitParenthesis(index);
    else if (text === '@' && reader.isWord(index + 1)) this.visitDecorator(index);
  }

  private enterBraces(index: number): void {
    const close = this.reader.match[index] ?? -1;
    if (close < 0) return;
    const { top } = this;
    const end = this.reader.offset(close) + 1;
    if (top.inTypes) {
      const isBody = (top.kind === 'class' && top.members !== undefined) || top.kind === 'type';
      this.push({
        kind: 'other',
        end,
        inTypes: true,
        ...(isBody && top.members !== undefined ? { members: top.members } : {}),
      });
      return;
    }
    const object = this.objects.get(index);
    const context = this.contexts.get(index);
    const expected = context ? { context } : {};
    if (object !== undefined) {
      this.push({ kind: 'block', end, members: object, ...expected });
    } else if (context) {
      this.push({ kind: 'block', end, ...expected });
    } else if (top.kind === 'class' || top.kind === 'enum') {
      this.push({ kind: 'block', end, ...(top.members === undefined ? {} : { members: top.members }) });
    } else {
      this.push({ kind: 'block', end, scope: new Scope(top.scope, false) });
    }
  }

  private visitDecorator(index: number): void {
    const { reader } = this;
    if (this.decorated < 0) this.decorated = reader.offset(index);
    this.route ??= decoratedRoute(reader, index + 1);
    const { segments, end } = reader.name(index + 1);
    this.done[index + 1] = 1;
    this.refer('decorator', segments, index + 1);
    const close = reader.at(end) === '(' ? (reader.match[end] ?? -1) : -1;
    if (close > 0) this.expectArguments(this.withSelf({ v: segments }), end, close);
  }

  /** A value in parentheses whose members are used: `(await x).f()`, `(y as Foo).g()`. */
  private visitParenthesis(index: number): void {
    const { reader } = this;
    const close = reader.match[index] ?? -1;
    if (close < 0 || !/^(\.|\?\.|!)$/.test(reader.at(close + 1))) return;
    const before = index - 1;
    const isCall =
      before >= 0 &&
      ((reader.isWord(before) && (!isKeyword(reader.at(before)) || reader.at(before) === 'import')) ||
        (reader.kind[before] === PUNCTUATION && /^(\)|\]|>|!|\?\.)$/.test(reader.at(before))));
    if (isCall) return;
    const inner = reader.value(index + 1);
    const root = inner.end === close ? this.withSelf(inner.type) : undefined;
    this.follow(['?'], close + 1, index, root);
  }

  private withSelf(type: TypeExpression | undefined): TypeExpression | undefined {
    if (!type) return undefined;
    if ('w' in type) {
      const inner = this.withSelf(type.w);
      return inner && { w: inner };
    }
    if (!('v' in type) || type.r || !/^(this|super)(\(\))*$/.test(type.v[0] ?? '')) return type;
    const self = this.self;
    if (!self) return undefined;
    return type.v.length === 1 ? self : { v: ['?', ...type.v.slice(1)], r: self };
  }

  private get self(): TypeExpression | undefined {
    return this.fieldSelf();
  }

  /** Follows a chain, recording its calls, or its reading where nothing in it is called. */
  private follow(segments: string[], next: number, index: number, root?: TypeExpression): void {
    const { reader } = this;
    let called = false;
    const { end } = reader.chain(segments, next, (prefix, open, close) => {
      called = true;
      this.refer('call', prefix, index, root);
      this.hintCallback(prefix, open, root);
      const registration = registrationIn(reader, prefix, open, close);
      if (registration) this.registrations.push({ ...registration, scope: this.scope });
      this.expectArguments(this.withSelf({ v: [...prefix], ...(root ? { r: root } : {}) }), open, close);
    });
    const last = segments[segments.length - 1] ?? '';
    const defines = reader.at(end) === '=' && !called && this.assigned(segments, end + 1, index);
    if (!defines && (!called || !last.endsWith('()'))) this.refer('read', segments, index, root);
  }

  private hintCallback(chain: readonly string[], open: number, root: TypeExpression | undefined): void {
    const last = chain[chain.length - 1] ?? '';
    if (chain.length < 2 || (last !== 'then' && !ELEMENT_CALLBACKS.has(last))) return;
    if (this.reader.behindLambda(open + 1) < 0) return;
    const receiver = this.withSelf({ v: chain.slice(0, -1), ...(root ? { r: root } : {}) });
    if (!receiver) return;
    const value = chain.length === 2 && root && chain[0] === '?' ? root : receiver;
    this.hints.set(open + 1, last === 'then' ? { w: value } : { e: value });
  }

  private visitWord(index: number): void {
    const { reader } = this;
    const word = reader.at(index);
    const next = reader.at(index + 1);
    const { top } = this;
    if (top.kind === 'tag') {
      if (top.component && /^[=/>]$/.test(next)) this.refer('read', [...top.component, '(0)', word], index);
      return;
    }
    switch (word) {
      case 'import':
        readImport(this, index);
        return;
      case 'export':
        readExport(this, index);
        return;
      case 'const':
      case 'let':
      case 'var':
      case 'using':
        if (reader.isName(index + 1) || next === '{' || next === '[') {
          if (word === 'using' && (next === '{' || next === '[')) break;
          this.declarations(index, word);
          return;
        }
        if (word !== 'using') return;
        break;
      case 'return': {
        const run = this.frames.findLast((frame) => frame.run)?.run;
        if (!run || reader.startsLine(index + 1)) return;
        if (!run.declared) this.returned(index + 1, run);
        if (run.result) this.expect(index + 1, run.result);
        return;
      }
      case 'for':
      case 'catch':
        this.enterHead(index);
        return;
      case 'new':
        this.visitNew(index);
        return;
      case 'as':
      case 'satisfies':
        if (top.kind === 'cast') {
          top.inTypes = true;
          return;
        }
        break;
      case 'this':
      case 'super': {
        const self = this.self;
        if (self) this.follow([word], index + 1, index, self);
        else this.follow(['?'], index + 1, index);
        return;
      }
      case 'type':
      case 'declare':
      case 'abstract':
      case 'async':
      case 'static':
      case 'get':
      case 'set':
      case 'interface':
      case 'namespace':
      case 'module':
      case 'enum':
        if (reader.isWord(index + 1) && !reader.startsLine(index + 1)) return;
        break;
      case 'require': {
        const call = reader.moduleCall(index);
        if (call && !this.scope.find('require')) {
          this.required(index, call.module);
          this.follow(['?'], call.end, index, { m: call.module, x: '=' });
          return;
        }
        break;
      }
    }
    if (isKeyword(word)) return;
    if (next === ':' && reader.kind[index + 1] === PUNCTUATION && this.visitKey(index)) return;
    if (next === '=>' && reader.kind[index + 1] === PUNCTUATION) return;
    if (
      (top.members !== undefined || top.context) &&
      top.kind === 'block' &&
      /^[{,]$/.test(reader.at(index - 1)) &&
      /^[,}]$/.test(next)
    ) {
      if (top.context) this.refer('read', ['?', word], index, top.context);
      if (top.members !== undefined) this.shorthand(index, top.members);
    }
    this.follow([word], index + 1, index);
  }

  /** Whether the word in front of a colon is a key of an object literal or a label, and no value. */
  private visitKey(index: number): boolean {
    const { reader } = this;
    const before = reader.at(index - 1);
    if (before === '?' || before === 'case') return false;
    if (before !== '{' && before !== ',') return before === ';' || before === '}' || before === ')' || index === 0;
    const { top } = this;
    if (top.context) {
      this.refer('read', ['?', reader.at(index)], index, top.context);
      this.expect(index + 2, behind(top.context, reader.at(index)));
    }
    if (top.members !== undefined && top.kind === 'block') this.property(index, top.members);
    return true;
  }

  /** A property of an object literal that is the value of a definition. */
  private property(index: number, holder: number): void {
    const { reader } = this;
    const valueAt = index + 2;
    const name = this.memberName(index);
    if (name === undefined) return;
    const lambda = reader.behindLambda(valueAt);
    const end = lambda > 0 ? lambda : reader.endOfExpression(valueAt);
    const symbol = this.addSymbol(
      this.qualified(name, holder),
      lambda > 0 ? 'method' : 'property',
      reader.offset(index),
      reader.offset(end),
      { isMember: true, isStatic: true },
    );
    if (lambda > 0) this.named.set(valueAt, symbol);
    else {
      if (reader.at(valueAt) === '{') this.objects.set(valueAt, symbol);
      const detail = this.details[symbol];
      if (detail) detail.type = this.withSelf(reader.value(valueAt).type);
    }
  }

  private shorthand(index: number, holder: number): void {
    const { reader } = this;
    const name = reader.at(index);
    const offset = reader.offset(index);
    const symbol = this.addSymbol(this.qualified(name, holder), 'property', offset, offset + name.length, {
      isMember: true,
      isStatic: true,
    });
    const detail = this.details[symbol];
    if (detail) detail.type = { v: [name] };
  }

  /** `for (...)` and `catch (...)`: their names live in the head and the body. */
  private enterHead(index: number): void {
    const { reader } = this;
    let open = index + 1;
    if (reader.at(open) === 'await') open++;
    const close = reader.at(open) === '(' ? (reader.match[open] ?? -1) : -1;
    if (close < 0) return;
    const behind =
      reader.at(close + 1) === '{' ? (reader.match[close + 1] ?? close) + 1 : reader.endOfExpression(close + 1);
    const scope = new Scope(this.scope, false);
    this.push({ kind: 'block', end: reader.offset(behind), scope });
    if (reader.at(index) === 'catch') {
      const names: { name: string; path: string[] }[] = [];
      this.pattern(open + 1, [], names);
      for (const { name } of names) scope.own(name);
    }
  }

  private visitNew(index: number): void {
    const { reader } = this;
    const nameAt = index + 1;
    if (!reader.isWord(nameAt) || isKeyword(reader.at(nameAt))) return;
    const { segments, end } = reader.made(index);
    if (segments[0] === 'this') {
      this.done[nameAt] = 1;
      const self = this.self;
      if (self) this.refer('call', segments, nameAt, self);
      return;
    }
    this.done[nameAt] = 1;
    this.refer('call', [...segments.slice(0, -1), `new ${segments[segments.length - 1]}`], nameAt);
    const open = reader.at(end - 1) === ')' ? (reader.match[end - 1] ?? -1) : -1;
    if (open > nameAt) this.expectArguments({ v: segments }, open, end - 1);
    if (reader.at(end) === '.') this.follow(['?'], end, nameAt, { n: segments.join('.') });
  }

  private visitType(index: number): void {
    const { reader } = this;
    const word = reader.at(index);
    const before = reader.at(index - 1);
    const next = reader.at(index + 1);
    const { top } = this;
    if (
      top.parameters &&
      (before === '<' || before === ',' || before === 'const' || before === 'in' || before === 'out')
    ) {
      if (word === 'const' || ((word === 'in' || word === 'out') && reader.isWord(index + 1))) return;
      this.done[index] = 1;
      top.scope.own(word).value = next === 'extends' ? reader.type(index + 2).type : undefined;
      return;
    }
    if (before === 'infer' || (next === 'in' && before === '[')) {
      top.scope.own(word);
      return;
    }
    if (word === 'import') {
      const call = reader.moduleCall(index);
      if (!call) return;
      this.addImport({ module: call.module, typeOnly: true }, index);
      if (reader.at(call.end) === '.') {
        const { segments } = reader.name(call.end + 1);
        this.refer('type', ['?', ...segments], index, { m: call.module, x: '*' });
      }
      return;
    }
    if (word === 'typeof') {
      if (!reader.isName(index + 1)) return;
      this.done[index + 1] = 1;
      this.refer('read', reader.name(index + 1).segments, index + 1);
      return;
    }
    if (TYPE_WORDS.has(word) || isPredefinedType(word) || isKeyword(word) || word === 'this') return;
    if (next === 'is' || before === 'asserts') return;
    if (next === '(' && top.kind !== 'type') return;
    if ((next === ':' || (next === '?' && reader.at(index + 2) === ':')) && before !== '?') {
      if (/^[({,;[]$|^(\.\.\.|readonly)$/.test(before) || reader.startsLine(index)) return;
    }
    this.refer(top.heritage ? 'inherit' : 'type', reader.name(index).segments, index);
  }

  addImport(fact: Omit<ImportFact, 'line' | 'from'>, index: number): void {
    this.imports.push({ ...fact, line: this.lineOfToken(index), from: this.owner });
  }

  /** A `require` that no declaration has taken: the import alone. */
  private required(index: number, module: string): void {
    if (this.done[index + 2] === 1) return;
    this.done[index + 2] = 1;
    this.addImport({ module }, index);
  }

  private declarations(index: number, keyword: string): void {
    const { reader } = this;
    const scope = keyword === 'var' ? this.scope.functionScope : this.scope;
    const isExported = this.isExported(index);
    let at = index + 1;
    for (;;) {
      at = this.declarator(at, scope, keyword, isExported);
      if (reader.at(at) !== ',') return;
      at++;
    }
  }

  /** One `name: type = value`; returns the index behind it. */
  private declarator(index: number, scope: Scope, keyword: string, isExported: boolean): number {
    const { reader } = this;
    const names: { name: string; path: string[] }[] = [];
    let at = this.pattern(index, [], names);
    if (reader.at(at) === '!') at++;
    let type: TypeExpression | undefined;
    if (reader.at(at) === ':') {
      const declared = reader.type(at + 1);
      type = declared.type;
      at = declared.end;
      while (at < reader.length && !/^[=,;)]$|^(of|in)$/.test(reader.at(at)) && !reader.startsLine(at)) at++;
    }
    let valueAt = -1;
    let end = at;
    if (reader.at(at) === 'of') {
      const value = this.withSelf(reader.value(at + 1).type);
      type ??= value && { e: value };
    } else if (reader.at(at) === 'in') {
      type ??= BUILTIN;
    } else if (reader.at(at) === '=') {
      valueAt = this.behindAssignments(at + 1);
      end = reader.endOfExpression(at + 1);
      if (this.importing(names, index, valueAt, scope, isExported)) return end;
      if (type) this.expect(valueAt, type);
      type ??= this.withSelf(reader.value(valueAt).type);
    }
    const isSimple = reader.isWord(index);
    const isNamespaceLevel = this.symbols[this.owner]?.kind === 'namespace' && !this.frames.some((f) => f.run);
    const isTop = scope === this.module || isNamespaceLevel;
    for (const one of names) {
      const value = type && (one.path.length === 0 ? type : behind(type, ...one.path));
      if (type && one.path.length > 0 && !one.path.includes('...')) this.refer('read', ['?', ...one.path], index, type);
      const lambda = isSimple && valueAt > 0 ? reader.behindLambda(valueAt) : -1;
      if (lambda < 0 && !isTop) {
        const binding = scope.own(one.name);
        if (binding.symbol === undefined) binding.value = value;
        continue;
      }
      const isClass = lambda > 0 && /^(class|abstract|@)$/.test(reader.at(valueAt));
      const kind = lambda > 0 ? (isClass ? 'class' : 'function') : keyword === 'const' ? 'constant' : 'variable';
      const symbol = this.addSymbol(
        this.qualified(one.name),
        kind,
        reader.offset(index),
        isSimple ? reader.offset(end - 1) + 1 : reader.offset(at),
      );
      this.bind(scope, one.name, symbol, false);
      if (valueAt > at + 1 && isSimple && this.assignsExports(at + 1, valueAt)) {
        this.exported.set('=', { symbol });
        this.exportedByDeclaration.add(valueAt);
      }
      if (isExported) this.exportName(one.name, symbol);
      const detail = this.details[symbol];
      if (lambda > 0) this.named.set(valueAt, symbol);
      else {
        if (detail) detail.type = value;
        if (isSimple && valueAt > 0) {
          this.initialisers.set(valueAt, { symbol, end });
          if (reader.at(valueAt) === '{') this.objects.set(valueAt, symbol);
        }
      }
      if (detail && lambda > 0 && type && !('b' in type)) detail.returns = 'f' in type ? type.f : called(type);
    }
    return end;
  }

  /** `a = exports.b = value`: where the value starts. */
  private behindAssignments(index: number): number {
    const { reader } = this;
    let at = index;
    while (reader.isName(at)) {
      const { end } = reader.name(at);
      if (reader.at(end) !== '=') break;
      at = end + 1;
    }
    return at;
  }

  /** Whether `module.exports =` stands between two tokens. */
  private assignsExports(from: number, to: number): boolean {
    for (let at = from; at < to; at++) {
      if (this.reader.at(at) === 'module' && this.reader.at(at + 2) === 'exports') return true;
    }
    return false;
  }

  /** Declarations whose value is a module or something out of one. */
  private importing(
    names: readonly { readonly name: string; readonly path: readonly string[] }[],
    index: number,
    valueAt: number,
    scope: Scope,
    isExported: boolean,
  ): boolean {
    const { reader } = this;
    const isAwait = reader.at(valueAt) === 'await' && reader.at(valueAt + 1) === 'import';
    const keywordAt = isAwait ? valueAt + 1 : valueAt;
    if (!isAwait && (reader.at(valueAt) !== 'require' || this.scope.find('require'))) return false;
    const call = reader.moduleCall(keywordAt);
    if (!call) return false;
    let prefix: string | undefined;
    let { end } = call;
    if (reader.at(end) === '.' && reader.isWord(end + 1)) {
      prefix = reader.at(end + 1);
      end += 2;
    }
    if (reader.at(end) === '.' || reader.at(end) === '(') return false;
    this.done[keywordAt + 2] = 1;
    this.done[keywordAt] = 1;
    const whole = isAwait ? '*' : '=';
    for (const { name, path } of names) {
      const [first] = path;
      const imported = prefix ?? (first === undefined || first === '...' ? whole : first);
      const binding = scope.own(name);
      const isDeep = prefix === undefined ? path.length > 1 : path.length > 0;
      const source = { m: call.module, x: imported };
      if (isDeep) {
        const rest = prefix === undefined ? path.slice(1) : path;
        binding.value = { v: ['?', ...rest], r: source };
      } else binding.imported = source;
      this.addImport({ module: call.module, ...(imported === '=' ? {} : { name: imported }), alias: name }, index);
      if (isExported) this.exported.set(name, source);
    }
    if (names.length === 0) this.addImport({ module: call.module }, index);
    return true;
  }

  /** `a.b = value`, `exports.x = value`, `this.x = value`: whether that defines something. */
  private assigned(chain: readonly string[], right: number, index: number): boolean {
    const { reader } = this;
    const valueAt = this.behindAssignments(right);
    const [first = ''] = chain;
    if (chain.length === 1) {
      const binding = this.scope.find(first);
      if (binding && binding.symbol === undefined && !binding.imported && binding.value === undefined) {
        binding.value = this.withSelf(reader.value(valueAt).type);
      }
      return false;
    }
    const isModule = first === 'module' && chain[1] === 'exports' && this.isFree('module');
    if (isModule || (first === 'exports' && this.isFree('exports'))) {
      return this.exportedValue(chain.slice(isModule ? 2 : 1), valueAt, index);
    }
    if (first === 'this') {
      return chain.length === 2 && this.assignedField(chain[1] ?? '', valueAt, index);
    }
    if (chain.some((segment) => segment.includes('(') || segment === '[]')) return false;
    const path = chain.filter((segment) => segment !== 'prototype');
    const lambda = reader.behindLambda(valueAt);
    const binding = this.scope.find(first);
    if (!binding || binding.imported) return false;
    const isOurs = binding.symbol !== undefined || binding.type !== undefined;
    if (!isOurs && binding.value !== undefined && lambda < 0) return false;
    const holderName = [
      binding.symbol === undefined ? first : (this.symbols[binding.symbol]?.name ?? first),
      ...path.slice(1, -1),
    ].join('.');
    if (path.length === 1 && chain.length === 2) {
      // `Foo.prototype = { ... }`
      if (binding.symbol !== undefined && reader.at(valueAt) === '{') this.objects.set(valueAt, binding.symbol);
      return false;
    }
    if (!isOurs && binding.scope !== this.module) return false;
    const name = `${holderName}.${path[path.length - 1]}`;
    if (this.taken.has(name)) return false;
    const end = lambda > 0 ? lambda : reader.endOfExpression(valueAt);
    if (lambda < 0 && binding.scope !== this.module) return false;
    const isStatic = !chain.includes('prototype');
    const symbol = this.addSymbol(name, lambda > 0 ? 'method' : 'property', reader.offset(index), reader.offset(end), {
      isMember: true,
      isStatic,
    });
    if (lambda > 0) this.named.set(valueAt, symbol);
    else {
      const detail = this.details[symbol];
      if (detail) detail.type = this.withSelf(reader.value(valueAt).type);
      if (reader.at(valueAt) === '{') this.objects.set(valueAt, symbol);
    }
    return true;
  }

  private isFree(name: string): boolean {
    const binding = this.scope.find(name);
    return !binding || (binding.scope === this.module && binding.value === OWN_EXPORTS);
  }

  private assignedField(name: string, valueAt: number, index: number): boolean {
    const { reader } = this;
    const { self } = this;
    if (!self || !('i' in self || 's' in self)) return false;
    const holder = 'i' in self ? self.i : self.s;
    const qualified = `${holder}.${name}`;
    if (this.taken.has(qualified)) return false;
    const lambda = reader.behindLambda(valueAt);
    const end = lambda > 0 ? lambda : reader.endOfExpression(valueAt);
    const symbol = this.addSymbol(
      qualified,
      lambda > 0 ? 'method' : 'property',
      reader.offset(index),
      reader.offset(end),
      {
        isMember: true,
      },
    );
    if (lambda > 0) {
      this.named.set(valueAt, symbol);
      return true;
    }
    const detail = this.details[symbol];
    if (detail) detail.type = this.withSelf(reader.value(valueAt).type);
    return true;
  }

  /** The value of `module.exports` (no path) or of a named export, at a token. */
  private exportedValue(path: readonly string[], valueAt: number, index: number): boolean {
    const name = path.length === 0 ? '=' : (path[0] ?? '');
    if (path.length > 1 || this.exportedByDeclaration.has(valueAt)) return false;
    this.exportValue(name, valueAt, index);
    return true;
  }

  /** Exports the expression at a token under a name, making a definition of it where it is one. */
  exportValue(name: string, valueAt: number, index: number): void {
    const { reader } = this;
    const shown = name === '=' ? 'exports' : name;
    const lambda = reader.behindLambda(valueAt);
    const end = lambda > 0 ? lambda : reader.endOfExpression(valueAt);
    if (reader.at(valueAt) === 'require') {
      const call = reader.moduleCall(valueAt);
      if (call) {
        let x = '=';
        if (reader.at(call.end) === '.' && reader.isWord(call.end + 1)) x = reader.at(call.end + 1);
        if (x !== '=' || call.end === end) {
          this.exported.set(name, { m: call.module, x });
          return;
        }
      }
    }
    if (lambda < 0 && reader.isName(valueAt) && end === valueAt + 1) {
      this.exported.set(name, { local: reader.at(valueAt) });
      return;
    }
    const isObject = reader.at(valueAt) === '{';
    if (isObject && name === '=') this.exportProperties(valueAt);
    const ownName =
      lambda > 0 && reader.at(valueAt) === 'function' && reader.isName(valueAt + 1)
        ? reader.at(valueAt + 1)
        : undefined;
    const className =
      lambda > 0 && reader.at(valueAt) === 'class' && reader.isName(valueAt + 1) && reader.at(valueAt + 1) !== 'extends'
        ? reader.at(valueAt + 1)
        : undefined;
    const kind = lambda > 0 ? (/^(class|abstract)$/.test(reader.at(valueAt)) ? 'class' : 'function') : 'constant';
    const symbolName = name === '=' || name === 'default' ? (ownName ?? className ?? shown) : shown;
    const symbol = this.addSymbol(symbolName, kind, reader.offset(index), reader.offset(end - 1) + 1);
    if (lambda > 0) this.named.set(valueAt, symbol);
    else {
      const detail = this.details[symbol];
      if (detail) detail.type = this.withSelf(reader.value(valueAt).type);
      this.initialisers.set(valueAt, { symbol, end });
      if (isObject) this.objects.set(valueAt, symbol);
      else if (reader.at(end - 1) === ')' && reader.at(reader.match[end - 1] ?? -1) === '(') {
        const open = reader.match[end - 1] ?? -1;
        if (reader.at(open + 1) === '{') this.objects.set(open + 1, symbol);
      }
    }
    if (!this.exported.has(name) || name === '=' || name === 'default') this.exported.set(name, { symbol });
    if (name !== '=' && name !== 'default') {
      // `exports.x = ...` is reached as `exports.x` inside the file.
      const exports = this.module.own('exports');
      exports.value ??= OWN_EXPORTS;
    }
  }

  /** `module.exports = { a, b: c }` exports a and b. */
  private exportProperties(open: number): void {
    const { reader } = this;
    const close = reader.match[open] ?? -1;
    for (let at = open + 1; at < close; ) {
      const end = this.reader.endOfPart(at, close);
      if (reader.isName(at)) {
        const name = reader.at(at);
        if (end === at + 1) this.exported.set(name, { local: name });
        else if (reader.at(at + 1) === ':' && reader.isName(at + 2) && end === at + 3) {
          this.exported.set(name, { local: reader.at(at + 2) });
        } else if (reader.at(at + 1) === ':' && reader.at(at + 2) === 'require') {
          const call = reader.moduleCall(at + 2);
          if (call && call.end === end) this.exported.set(name, { m: call.module, x: '=' });
        }
      }
      at = end + 1;
    }
  }

  // Results

  private finish(): FileFacts {
    const closing = new Closing(this.module, (symbol) => this.symbols[symbol]?.name ?? '');
    const references = this.closedReferences(closing);
    const entries = this.entries(closing);
    const defines: string[] = [];
    this.symbols.forEach((symbol, index) => {
      if (this.details[index]?.isNested || symbol.name.includes('#')) return;
      if (/^(class|interface|enum|type|function|method)$/.test(symbol.kind)) defines.push(symbol.name);
    });
    return {
      language: 'typescript',
      lines: this.lineStarts.length,
      errors: this.parsed.errors,
      symbols: this.symbols as SymbolFact[],
      references,
      imports: this.imports,
      entryPoints: this.allEntryPoints(),
      strings: this.strings,
      surface: { entries, defines },
      extra: this.extra(closing),
    };
  }

  private allEntryPoints(): { symbol: number; kind: string }[] {
    const found = [...this.entryPoints];
    const add = (symbol: number | undefined, kind: string): void => {
      if (symbol !== undefined && !found.some((one) => one.symbol === symbol)) found.push({ symbol, kind });
    };
    for (const { handler, kind, scope } of this.registrations) add(scope.find(handler)?.symbol, kind);
    if (this.parsed.source.startsWith('#!')) add(this.module.names.get('main')?.symbol, 'main');
    return found.sort((a, b) => a.symbol - b.symbol);
  }

  private extra(closing: Closing): Json {
    const local: { [name: string]: Json } = {};
    this.symbols.forEach((symbol, index) => {
      const detail = this.details[index];
      if (detail?.isNested) local[`.${symbol.name}`] = this.entryOf(index, closing);
    });
    return { local };
  }

  private entryOf(index: number, closing: Closing): Json {
    const symbol = this.symbols[index];
    const detail = this.details[index];
    if (!symbol || !detail) return {};
    const bases = (detail.bases ?? [])
      .map((base) => closing.close(base, detail.scope))
      .filter((base) => base !== undefined);
    const returns = closing.close(detail.returns, detail.scope);
    const type = closing.close(detail.type, detail.scope);
    const parameters = detail.parameters?.map((one): Json => {
      const closed = one && closing.close(one, detail.scope);
      return closed ? asJson(closed) : null;
    });
    return {
      k: KIND_LETTER[symbol.kind],
      ...(bases.length > 0 ? { b: bases.map(asJson) } : {}),
      ...(returns ? { r: asJson(returns) } : {}),
      ...(parameters?.some((one) => one) ? { q: parameters } : {}),
      ...(type ? { t: asJson(type) } : {}),
      ...(detail.isStatic ? { s: 1 } : {}),
    };
  }

  private entries(closing: Closing): { [key: string]: Json } {
    const entries: { [key: string]: Json } = {};
    this.symbols.forEach((symbol, index) => {
      if (this.details[index]?.isNested) return;
      entries[`.${symbol.name}`] = this.entryOf(index, closing);
    });
    for (const [name, binding] of this.module.names) {
      if (binding.imported) entries[`i:${name}`] = { m: binding.imported.m, x: binding.imported.x };
      if (binding.symbol !== undefined && binding.type !== undefined) {
        entries[`t:${name}`] = this.symbols[binding.type]?.name ?? '';
      }
    }
    for (const [name, exported] of this.exported) {
      const entry = this.exportEntry(exported, closing);
      if (entry !== undefined) entries[`x:${name}`] = entry;
    }
    if (this.stars.length > 0) entries['x*'] = [...new Set(this.stars)];
    return entries;
  }

  private exportEntry(exported: Exported, closing: Closing): Json | undefined {
    if ('symbol' in exported) return this.symbols[exported.symbol]?.name;
    if ('m' in exported) return { m: exported.m, x: exported.x };
    if ('type' in exported) {
      const type = closing.close(exported.type, this.module);
      return type && { v: asJson(type) };
    }
    const binding: Binding | undefined = this.module.find(exported.local);
    if (!binding) return undefined;
    if (binding.imported) return { m: binding.imported.m, x: binding.imported.x };
    const symbol = binding.symbol ?? binding.type;
    if (symbol !== undefined) return this.symbols[symbol]?.name;
    const type = closing.bound(binding);
    return type && { v: asJson(type) };
  }

  private closedReferences(closing: Closing): ReferenceFact[] {
    const known = new Map<string, { fact: ReferenceFact; count: number }>();
    for (const pending of this.references) {
      const closed = this.closedReference(pending, closing);
      if (!closed) continue;
      const { chain, rootType } = closed;
      const key = `${pending.from}\0${pending.kind}\0${chain.join('.')}\0${rootType ? JSON.stringify(rootType) : ''}`;
      const before = known.get(key);
      if (before) {
        before.count++;
        continue;
      }
      known.set(key, {
        count: 1,
        fact: {
          kind: pending.kind,
          from: pending.from,
          chain,
          ...(rootType ? { rootType: asJson(rootType) } : {}),
          line: this.lineOf(pending.offset),
          count: 1,
        },
      });
    }
    return [...known.values()].map(({ fact, count }) => (count === 1 ? fact : { ...fact, count }));
  }

  private closedReference(
    { kind, scope, chain, root }: PendingReference,
    closing: Closing,
  ): { readonly chain: readonly string[]; readonly rootType?: TypeExpression } | undefined {
    const last = chain[chain.length - 1] ?? '';
    const anyone = kind === 'call' && chain.length > 1 ? { chain: ['?', last] } : undefined;
    if (root) {
      const rootType = closing.close(root, scope);
      if (!rootType) return anyone;
      return 'b' in rootType ? undefined : { chain, rootType };
    }
    const [first = ''] = chain;
    if (first.startsWith('?')) return anyone;
    const name = nameIn(first);
    const binding = scope.find(name);
    if (!binding) return isWellKnown(name) ? undefined : { chain };
    if (
      binding.scope === this.module &&
      (binding.symbol !== undefined || binding.type !== undefined || binding.imported)
    ) {
      return { chain };
    }
    const rootType = closing.bound(binding);
    if (!rootType) return anyone;
    return 'b' in rootType ? undefined : { chain, rootType };
  }
}

/** Facts of one parsed file. */
export function extract(parsed: ParsedFile): FileFacts {
  return new Extraction(parsed).run();
}
