/** The state of reading one file: what was found so far, and where in the structure the reading is. */
import type { ImportFact, ReferenceKind, SymbolKind } from '../../facts/model.js';
import type { Capture, ParsedFile } from '../language.js';
import { type DocComment, docComments } from './doc-comments.js';
import type { Registration } from './entry-points.js';
import { Scope } from './scopes.js';
import { structureOf } from './structure.js';
import { TokenReader } from './token-reader.js';
import { tokenize } from './tokens.js';
import type { TypeExpression } from './type-expression.js';

const LONGEST_SIGNATURE = 160;
/** Words between a comment and the name that it is about. */
const BEFORE_NAMES = new Set('export default const let var async static function class'.split(' '));

export type FrameKind =
  | 'module'
  | 'block'
  | 'function'
  | 'class'
  | 'type'
  | 'member'
  | 'tag'
  | 'enum'
  | 'cast'
  | 'other';

export interface Frame {
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
  /** The block of `declare global`. */
  readonly isGlobal: boolean | undefined;
  readonly run: Run | undefined;
}

/** A function being read. */
export interface Run {
  readonly symbol: number;
  readonly isArrow: boolean;
  readonly isAsync: boolean;
  self: TypeExpression | undefined;
  declared: boolean;
  result?: TypeExpression | undefined;
  readonly returns: Returned[];
}

/** What a `return` gives, and where it stands: its names are those of its block. */
export interface Returned {
  readonly type: TypeExpression;
  readonly scope: Scope;
}

/** What the surface says of a symbol beside its kind. Types are closed when all scopes are complete. */
export interface Detail {
  scope: Scope;
  bases?: TypeExpression[];
  returns?: TypeExpression | undefined;
  /** What its `return`s give, where no type is declared. */
  returned?: readonly Returned[];
  parameters?: (TypeExpression | null)[];
  type?: TypeExpression | undefined;
  isStatic?: boolean;
  isMember?: boolean;
  /** Of an alias `{ ... } & A`: it has members of its own. */
  hasMembers?: boolean;
  isNested: boolean;
  /** The comment in front of it. */
  doc?: DocComment;
  isAsync?: boolean;
  twin?: string;
}

export interface PendingReference {
  readonly kind: ReferenceKind;
  readonly scope: Scope;
  readonly from: number;
  readonly chain: readonly string[];
  readonly root: TypeExpression | undefined;
  readonly offset: number;
}

export type Exported =
  | { readonly symbol: number }
  | { readonly m: string; readonly x: string }
  /** A name of the module, or of the scope that is given. */
  | { readonly local: string; readonly scope?: Scope }
  | { readonly type: TypeExpression };

interface AboutSymbol {
  readonly isMember?: boolean;
  readonly isStatic?: boolean;
  /** Where it begins, if not where its name does. */
  readonly line?: number;
  readonly isInComment?: boolean;
}

interface MutableSymbol {
  name: string;
  kind: SymbolKind;
  line: number;
  endLine: number;
  signature: string;
}

/** Everything that the readers of single constructs share. They are functions over it, one file for each kind. */
export class Extraction {
  readonly reader: TokenReader;
  readonly module = new Scope(undefined, true);
  readonly imports: ImportFact[] = [];
  readonly exported = new Map<string, Exported>();
  readonly stars: string[] = [];
  /** Tokens that declare something or were read already: no references. */
  readonly done: Uint8Array;
  readonly symbols: MutableSymbol[] = [];
  readonly details: Detail[] = [];
  readonly taken = new Map<string, number>();
  readonly references: PendingReference[] = [];
  readonly strings: { text: string; line: number; from: number }[] = [];
  readonly spans: readonly Capture[];
  readonly lineStarts: number[] = [0];
  readonly frames: Frame[] = [];
  /** Symbols made before the function, class or object literal that is their value is reached, by its token. */
  readonly named = new Map<number, number>();
  /** Symbols whose initialiser starts at a token and ends before another. */
  readonly initialisers = new Map<number, { readonly symbol: number; readonly end: number }>();
  readonly objects = new Map<number, number>();
  /** Types that the first parameter of a callback gets from the call it is passed to, by the callback's token. */
  readonly hints = new Map<number, TypeExpression>();
  /** Types that object literals and callbacks get from where they stand, by their first token. */
  readonly contexts = new Map<number, TypeExpression>();
  readonly exportedAt = new Set<number>();
  /** Definitions in `declare global`. */
  readonly globals: number[] = [];
  /** Values of `var x = module.exports = value`, by their first token: the declaration is what is exported. */
  readonly exportedByDeclaration = new Set<number>();
  /** Comments that say something of types, by the token behind them. */
  readonly docs: ReadonlyMap<number, readonly DocComment[]> = new Map();
  /** Whose they are, and in which scope: where nothing is defined behind them, what is around them. */
  readonly documented = new Map<DocComment, { readonly owner: number; readonly scope: Scope }>();
  readonly registrations: (Registration & { readonly scope: Scope })[] = [];
  readonly entryPoints: { symbol: number; kind: string }[] = [];
  /** What a decorator makes of the method below it. */
  route: string | undefined;
  decorated = -1;
  /** What the object literal whose method is being entered expects of it. */
  methodContext: TypeExpression | undefined;

  constructor(readonly parsed: ParsedFile) {
    const { source } = parsed;
    const { spans, skipped, lambdas, typeLists } = structureOf(parsed);
    this.spans = spans;
    for (let at = source.indexOf('\n'); at >= 0; at = source.indexOf('\n', at + 1)) this.lineStarts.push(at + 1);
    const comments: number[] | undefined = parsed.dialect === 'javascript' ? [] : undefined;
    this.reader = new TokenReader(source, tokenize(source, skipped, comments), lambdas, typeLists);
    if (comments) this.docs = docComments(this.reader, comments);
    for (const index of this.docs.keys()) {
      const type = this.docAt(index)?.type;
      if (type && this.reader.at(index) === '(') this.reader.casts.set(index, type);
    }
    this.done = new Uint8Array(this.reader.length);
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
      isGlobal: undefined,
      run: undefined,
    });
  }

  /** Line of an offset, counted from 1. */
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

  /** Enters something that spans source; what is not said is as around it. */
  push(frame: Partial<Frame> & { readonly kind: FrameKind; readonly end: number }): void {
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
      isGlobal: frame.isGlobal,
      run: frame.run,
    });
  }

  /** Leaves the innermost frame. A function without declared type returns what its `return`s do. */
  leave(): void {
    const frame = this.frames.pop();
    const run = frame?.run;
    if (!run || run.symbol < 0 || run.declared) return;
    const detail = this.details[run.symbol];
    if (!detail || detail.returns) return;
    if (run.returns.length === 0 || !frame) return;
    detail.returned = run.returns;
    detail.isAsync = run.isAsync;
    detail.scope = frame.scope;
  }

  /** Adds a definition between two offsets; returns its index. */
  addSymbol(name: string, kind: SymbolKind, start: number, end: number, extra: AboutSymbol = {}): number {
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
    const doc = extra.isInComment ? undefined : this.docBefore(start);
    if (doc) this.documented.set(doc, { owner: index, scope: this.scope });
    if (!name.includes('.') && this.frames.some((frame) => frame.isGlobal)) this.globals.push(index);
    const enclosing = this.frames.some((frame) => frame.kind === 'function');
    this.details.push({
      scope: this.scope,
      isNested: enclosing && !(extra.isMember ?? false),
      ...(doc ? { doc } : {}),
      ...(extra.isMember ? { isMember: true } : {}),
      ...(extra.isStatic ? { isStatic: true } : {}),
    });
    return index;
  }

  /** The comment right before a token. Of several in a row the last is about what follows. */
  docAt(index: number): DocComment | undefined {
    return this.docs.get(index)?.at(-1);
  }

  /** The comment in front of a declaration that starts, behind words such as `export const`, at an offset. */
  docBefore(offset: number): DocComment | undefined {
    if (this.docs.size === 0) return undefined;
    for (let at = this.reader.tokenAt(offset, 0); at >= 0; at--) {
      const doc = this.docAt(at);
      if (doc) return doc;
      if (!BEFORE_NAMES.has(this.reader.at(at - 1))) return undefined;
    }
    return undefined;
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
  qualified(name: string, under = this.owner): string {
    const parent = this.symbols[under];
    return parent ? `${parent.name}.${name}` : name;
  }

  /** Makes a name stand for a symbol in a scope; the first declaration wins. */
  bind(scope: Scope, name: string, symbol: number, isType: boolean): void {
    const binding = scope.own(name);
    if (isType) {
      if (binding.type === undefined) binding.type = symbol;
    } else if (binding.symbol === undefined) binding.symbol = symbol;
  }

  /** Exports a symbol under a name, unless that is taken. */
  exportName(name: string, symbol: number): void {
    if (!this.exported.has(name)) this.exported.set(name, { symbol });
  }

  /** Whether the declaration whose first token this is stands behind `export`. */
  isExported(index: number): boolean {
    return this.exportedAt.has(index) && this.atModuleLevel;
  }

  /** What `this` is here. */
  get self(): TypeExpression | undefined {
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

  /** Notes that the current owner refers to what a chain of names, read at a token, ends in. */
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

  /** A type with `this` and `super` in it replaced by what they are here. */
  withSelf(type: TypeExpression | undefined): TypeExpression | undefined {
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

  /** Notes an import by the current owner. */
  addImport(fact: Omit<ImportFact, 'line' | 'from'>, index: number): void {
    this.addImportAt(fact, this.reader.offset(index), this.owner);
  }

  /** Notes an import at an offset. */
  addImportAt(fact: Omit<ImportFact, 'line' | 'from'>, offset: number, from: number): void {
    this.imports.push({ ...fact, line: this.lineOf(offset), from });
  }
}
