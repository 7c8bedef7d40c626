/** One Go file's declarations to facts. */
import type { FileFacts, ImportFact, Json, SymbolFact, SymbolKind } from '../../facts/model.js';
import type { Capture, ParsedFile } from '../language.js';
import { type FileReading, Walk } from './bodies.js';
import { constraintOf, mayHoldByDefault } from './constraints.js';
import { EntryPoints } from './entry-points.js';
import { asJson, type GoEntry, type GoExtra, type InterfaceEntry, type TypeExpression } from './expressions.js';
import { Imports } from './imports.js';
import { Reader } from './reader.js';
import { References } from './references.js';
import { baseName, Scope, Typing } from './scopes.js';
import { bareShape, Shapes } from './shape.js';
import { isCommonplace, standardInterface } from './standard-interfaces.js';
import type {
  Declaration,
  Field,
  FunctionDeclaration,
  ImportSpec,
  Node,
  TypeParameter,
  TypeSpec,
  ValueSpec,
} from './syntax.js';

const IGNORED = /^\/\/(go:build (ignore|tools)\s*$| ?\+build (ignore|tools)\s*$)/m;
const SIGNATURE_LENGTH = 160;
const MAX_STRINGS = 200;
/** A path with a suffix, or one of at least three segments. */
const PATH_LIKE = /^[\w@.~-]*[\w-][\w@./~-]*(\/[\w@.~-]+)*\.[A-Za-z]\w{0,5}$|^[\w.-]+(\/[\w.-]+){2,}$/;

type Read =
  | {
      readonly is: 'function';
      readonly declaration: FunctionDeclaration;
      /** The receiver's type. */
      readonly owner: string | undefined;
      readonly symbol: number;
    }
  | { readonly is: 'type'; readonly spec: TypeSpec; readonly symbol: number }
  | { readonly is: 'values'; readonly spec: ValueSpec; readonly constant: boolean; readonly symbol: number };

/** Symbols under unique names: later ones of the same name get `#2`, `#3`. */
class Symbols {
  readonly facts: SymbolFact[] = [];
  private readonly first = new Map<string, number>();
  private readonly counts = new Map<string, number>();

  constructor(private readonly lines: readonly string[]) {}

  add(name: string, kind: SymbolKind, line: number, endLine: number, header = this.lines[line - 1] ?? ''): number {
    const count = (this.counts.get(name) ?? 0) + 1;
    this.counts.set(name, count);
    const index = this.facts.length;
    if (count === 1) this.first.set(name, index);
    const unique = count === 1 ? name : `${name}#${count}`;
    this.facts.push({ name: unique, kind, line, endLine: Math.max(line, endLine), signature: signatureOf(header) });
    return index;
  }

  indexOf(name: string): number | undefined {
    return this.first.get(name);
  }
}

function signatureOf(header: string): string {
  const [first = ''] = header.trimStart().split('\n', 1);
  return first.replace(/\s+/g, ' ').trim().replace(/ ?\{$/, '').slice(0, SIGNATURE_LENGTH);
}

const kindOf = (type: Node): SymbolKind =>
  type.is === 'struct' ? 'struct' : type.is === 'interface' ? 'interface' : 'type';

export function extractGo({ source, matches, errors }: ParsedFile): FileFacts {
  const captures = matches.flatMap(({ captures }) => captures).sort((a, b) => a.start - b.start);
  const head = captures.find(({ name }) => name === 'package');
  const specs = captures
    .filter(({ name }) => name === 'import')
    .flatMap((capture) => read(source, capture, importsOf) ?? []);
  const imports = new Imports(specs.map(({ path, alias }) => ({ module: path, alias })));
  const open = imports.open(source);
  const typing = new Typing(imports, open);
  const lines = source.split('\n');
  const symbols = new Symbols(lines);
  const references = new References();
  const strings = new Map<string, { text: string; line: number; from: number }>();
  const entryPoints = new EntryPoints(specs.map(({ path }) => path));
  const file: FileReading = {
    typing,
    imports,
    references,
    entryPoints,
    literal: (text, row, from) => {
      const value = /^["`]/.test(text) ? text.slice(1, -1) : '';
      if (value.length < 4 || value.length > 200 || strings.size >= MAX_STRINGS || !PATH_LIKE.test(value)) return;
      if (!strings.has(value)) strings.set(value, { text: value, line: row, from });
    },
  };
  const packageName = head ? source.slice(head.start, head.end) : '';
  const surface = new SurfaceOfFile(typing, new Shapes(packageName, imports));
  const found =
    errors > 0 ? [...captures, ...lostDeclarations(source, captures)].sort((a, b) => a.start - b.start) : captures;
  const declarations = declarationsOf(source, found, symbols);
  for (const declaration of declarations) {
    surface.add(declaration);
    walk(declaration, file);
  }
  const preamble = source.slice(0, head?.start ?? 0);
  const ignored = IGNORED.test(preamble);
  const constraint = constraintOf(preamble);
  const tagged = constraint !== undefined && !mayHoldByDefault(constraint) ? constraint : undefined;
  const main = packageName === 'main' ? symbols.indexOf('main') : undefined;
  const extra: GoExtra = {
    package: packageName,
    ...(ignored ? { ignored } : {}),
    ...(tagged === undefined ? {} : { tagged }),
    ...(open.length > 0 ? { open } : {}),
    types: typing.types,
    concrete: declarations.flatMap((declaration) =>
      declaration.is === 'type' &&
      !declaration.spec.alias &&
      declaration.spec.type.is !== 'interface' &&
      declaration.spec.name !== '_'
        ? [[declaration.symbol, declaration.spec.name] as const]
        : [],
    ),
  };
  return {
    language: 'go',
    lines: lines.length,
    errors,
    symbols: symbols.facts,
    references: references.facts(),
    imports: specs.map(importFact),
    entryPoints: [
      ...(main === undefined ? [] : [{ symbol: main, kind: 'main' }]),
      ...entryPoints.facts((name) => symbols.indexOf(name)).filter(({ symbol }) => symbol !== main),
    ],
    strings: [...strings.values()],
    surface: {
      entries: {
        '#package': packageName,
        ...(ignored ? { '#ignored': true } : {}),
        ...(tagged === undefined ? {} : { '#tagged': tagged }),
        ...surface.entries(),
      },
      defines: symbols.facts
        .filter(({ name, kind }) => kind !== 'variable' && kind !== 'constant' && !name.includes('#'))
        .map(({ name }) => name),
    },
    extra: asJson(extra),
  };
}

const importsOf = (reader: Reader): ImportSpec[] => reader.imports();

/** Reads one declaration; undefined where it cannot be read. */
function read<T>(source: string, { start, end, row }: Capture, with_: (reader: Reader) => T): T | undefined {
  try {
    return with_(new Reader(source, start, end, row + 1));
  } catch {
    // Nested deeper than any real program: the file's other declarations still count.
    return undefined;
  }
}

function importFact({ path, alias, row }: ImportSpec): ImportFact {
  const fact = { module: path, line: row, from: -1 };
  if (alias === '.') return { ...fact, name: '*' };
  return alias === undefined || alias === '_' ? fact : { ...fact, alias };
}

/**
 * Where the parser gave up, what follows is lost to the query: declarations that start a line and lie
 * outside all captures are read from there to the next one.
 */
function lostDeclarations(source: string, captures: readonly Capture[]): Capture[] {
  const starts = [...source.matchAll(/^(func|type|var|const)\b/gm)].map((match) => ({
    at: match.index,
    keyword: match[1],
  }));
  let row = 0;
  let counted = 0;
  return starts.flatMap(({ at, keyword }, index): Capture[] => {
    if (captures.some(({ start, end }) => start <= at && at < end)) return [];
    for (; counted < at; counted++) if (source.charCodeAt(counted) === 10) row++;
    const end = starts[index + 1]?.at ?? source.length;
    return [{ name: keyword === 'func' ? 'function' : (keyword ?? ''), start: at, end, row }];
  });
}

function declarationsOf(source: string, captures: readonly Capture[], symbols: Symbols): Read[] {
  const kinds = new Set(['function', 'method', 'type', 'var', 'const']);
  const syntaxes = captures.filter(({ name }) => kinds.has(name)).map((capture) => syntaxOf(source, capture));
  const aliases = aliasesOf(syntaxes);
  return syntaxes.flatMap((syntax) => (syntax ? symbolsOf(syntax, aliases, symbols) : []));
}

type Syntax = Declaration | { readonly is: 'function'; readonly declaration: FunctionDeclaration };

function syntaxOf(source: string, capture: Capture): Syntax | undefined {
  if (capture.name !== 'function' && capture.name !== 'method')
    return read(source, capture, (reader) => reader.declaration());
  const declaration = read(source, capture, (reader) => reader.function());
  return declaration && { is: 'function', declaration };
}

/** `type A = B` by name: methods declared on A belong to B. */
function aliasesOf(syntaxes: readonly (Syntax | undefined)[]): ReadonlyMap<string, string> {
  const aliases = new Map<string, string>();
  for (const syntax of syntaxes) {
    for (const { alias, name, type } of syntax?.is === 'types' ? syntax.specs : []) {
      if (alias && type.is === 'name') aliases.set(name, type.name);
    }
  }
  return aliases;
}

function symbolsOf(syntax: Syntax, aliases: ReadonlyMap<string, string>, symbols: Symbols): Read[] {
  if (syntax.is === 'function') {
    const { declaration } = syntax;
    const { receiver, name, header, row, endRow } = declaration;
    const written = receiver && baseName(receiver.type);
    const owner = written === undefined ? undefined : (aliases.get(written) ?? written);
    const qualified = owner === undefined ? name : `${owner}.${name}`;
    const kind = owner === undefined ? 'function' : 'method';
    const symbol = name === '_' ? -1 : symbols.add(qualified, kind, row, endRow, header);
    return [{ is: 'function', declaration, owner, symbol }];
  }
  if (syntax.is === 'types') {
    return syntax.specs.map((spec): Read => {
      const symbol = symbols.add(spec.name, kindOf(spec.type), spec.row, spec.endRow);
      if (spec.type.is === 'interface') {
        for (const method of spec.type.methods) {
          symbols.add(`${spec.name}.${method.name}`, 'method', method.row, method.endRow);
        }
      }
      return { is: 'type', spec, symbol };
    });
  }
  const { constant, specs } = syntax;
  return specs.map((spec): Read => {
    const indices = spec.names.map((name) =>
      name === '_' ? -1 : symbols.add(name, constant ? 'constant' : 'variable', spec.row, spec.endRow),
    );
    return { is: 'values', spec, constant, symbol: indices[0] ?? -1 };
  });
}

function walk(declaration: Read, file: FileReading): void {
  const scope = new Scope();
  const steps = new Walk(file, declaration.symbol);
  if (declaration.is === 'type') {
    const { spec } = declaration;
    file.typing.bindTypeParameters(spec.parameters, scope);
    steps.typeParameters(spec.parameters, scope);
    steps.type(spec.type, scope);
    return;
  }
  if (declaration.is === 'values') {
    const { spec } = declaration;
    if (spec.repeated) return;
    if (spec.type) steps.type(spec.type, scope);
    steps.values(spec.values, scope);
    return;
  }
  const { receiver, parameters, signature, body } = declaration.declaration;
  file.typing.bindTypeParameters(receiver ? receiverParameters(receiver.type) : parameters, scope);
  steps.typeParameters(parameters, scope);
  if (receiver) {
    const owner = baseName(receiver.type) ?? null;
    // The receiver's type is in its name already; a reference to it would say nothing new, but the type may be elsewhere.
    if (owner !== null) steps.type({ is: 'name', name: owner, row: receiver.row }, new Scope());
    steps.receiver(receiver, owner, scope);
  }
  steps.function(signature, body, scope);
}

/** The `K, V` of a receiver `(m *Map[K, V])`. */
function receiverParameters(type: Node): TypeParameter[] {
  if (type.is === 'star') return receiverParameters(type.of);
  if (type.is !== 'index') return [];
  return type.args.flatMap((arg) =>
    arg.is === 'name' ? [{ name: arg.name, constraint: { is: 'nothing' } as const }] : [],
  );
}

/** Collects what other files may ask. */
class SurfaceOfFile {
  private readonly named: Record<string, Json> = {};
  private readonly methods = new Map<string, Record<string, string>>();
  private readonly interfaces = new Map<string, InterfaceEntry[]>();

  constructor(
    private readonly typing: Typing,
    private readonly shapes: Shapes,
  ) {}

  add(declaration: Read): void {
    if (declaration.is === 'function') this.function(declaration.declaration, declaration.owner);
    else if (declaration.is === 'type') this.type(declaration.spec);
    else this.values(declaration.spec, declaration.constant);
  }

  private put(name: string, entry: GoEntry): void {
    if (name !== '_' && !Object.hasOwn(this.named, name)) this.named[name] = asJson(entry);
  }

  private function({ name, receiver, parameters, signature }: FunctionDeclaration, owner: string | undefined): void {
    const scope = new Scope();
    const generic = receiver ? receiverParameters(receiver.type) : parameters;
    this.typing.bindTypeParameters(generic, scope);
    const results = this.typing.fields(signature.results, scope);
    const entry: GoEntry = {
      k: 'func',
      ...(results.some((type) => type !== null) ? { r: results } : {}),
      ...(parameters.length > 0 ? { p: this.typing.fields(signature.params, scope) } : {}),
      ...(parameters.length > 0 && signature.params.at(-1)?.variadic ? { v: true as const } : {}),
    };
    if (owner === undefined) {
      if (name !== 'init') this.put(name, entry);
      return;
    }
    this.put(`${owner}.${name}`, entry);
    const shape = this.shapes.of(signature, new Set(generic.map((parameter) => parameter.name)));
    const methods = this.methods.get(owner) ?? {};
    if (shape !== undefined) methods[name] = shape;
    this.methods.set(owner, methods);
  }

  private type(spec: TypeSpec): void {
    const scope = new Scope();
    this.typing.bindTypeParameters(spec.parameters, scope);
    const type = this.typing.typeOf(spec.type, scope);
    this.put(spec.name, { k: 'type', t: type, ...(spec.alias ? { alias: true } : {}) });
    if (spec.type.is === 'struct') this.embeddedStandard(spec.name, spec.type.fields);
    if (spec.type.is === 'interface' && spec.parameters.length === 0) this.interface(spec.name, spec.type);
  }

  /** A struct gets the methods of an embedded `http.ResponseWriter`, which no file of the repository tells. */
  private embeddedStandard(name: string, fields: readonly Field[]): void {
    for (const field of fields) {
      const standard = field.name === undefined ? standardInterface(field.type) : undefined;
      if (standard) this.methods.set(name, { ...standard, ...this.methods.get(name) });
    }
  }

  /** Lists the interface under the signature of its method that is least likely to be met by chance: the longest name. */
  private interface(name: string, { methods, embedded }: Extract<Node, { is: 'interface' }>): void {
    const shapes: Record<string, string> = {};
    for (const method of methods) {
      const shape = this.shapes.of(method.signature, new Set());
      if (shape === undefined) return;
      shapes[method.name] = shape;
    }
    const own = Object.keys(shapes);
    const bases: TypeExpression[] = [];
    for (const type of embedded) {
      const base = this.typing.typeOf(type, new Scope());
      const standard = base === null ? standardInterface(type) : undefined;
      // What an interface from outside asks for is not known here, and so neither is who satisfies this one.
      if (base === null && standard === undefined) return;
      if (standard) Object.assign(shapes, standard);
      else bases.push(base);
    }
    this.methods.set(name, { ...shapes });
    const key = own.sort((a, b) => b.length - a.length || (a < b ? -1 : 1))[0];
    if (key === undefined || (bases.length === 0 && isCommonplace(shapes))) return;
    const id = `${key}${bareShape(shapes[key] ?? '')}`;
    const list = this.interfaces.get(id) ?? [];
    list.push([name, shapes, bases]);
    this.interfaces.set(id, list);
  }

  private values(spec: ValueSpec, constant: boolean): void {
    const scope = new Scope();
    const declared = this.typing.typeOf(spec.type, scope);
    const types = spec.type ? [] : this.typing.initial(spec.names.length, spec.values, scope);
    for (const [at, name] of spec.names.entries()) {
      const type = spec.type ? declared : (types[at] ?? null);
      this.put(name, { k: constant ? 'const' : 'var', ...(type === null ? {} : { t: type }) });
    }
  }

  entries(): Record<string, Json> {
    const entries: Record<string, Json> = { ...this.named };
    for (const [owner, shapes] of this.methods) entries[`${owner}.*`] = shapes;
    for (const [key, list] of this.interfaces) entries[`#satisfy:${key}`] = list as unknown as Json;
    return entries;
  }
}
