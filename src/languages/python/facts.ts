/** Captures of facts.scm to the facts of one Python file. Pure, and total on any input. */
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
import { BUILTINS, COMMON_METHODS } from './builtins.js';
import { CYTHON, CYTHON_DECLARATIONS, type CythonText, readCython } from './cython.js';
import { entryPointsOf } from './entry-points.js';
import { parseImport, parseParameters, union } from './expressions.js';
import { isName, isNameStart, skipBrackets, skipSpace, splitAt } from './lexical.js';
import { type Range, scan, UNKNOWN_ROOT } from './scan.js';
import { type Binding, type BindingKind, extend, Names, Scope } from './scopes.js';
import { ALL, type Entry, fixtureKey, type PythonExtra, type Shape, STAR_IMPORTS } from './types.js';

interface Definition {
  readonly kind: 'class' | 'function';
  /** Range with decorators. */
  readonly start: number;
  readonly end: number;
  /** Where `def` or `class` starts. */
  readonly header: number;
  readonly scope: Scope;
  readonly parent: Scope;
  readonly simpleName: string;
  readonly parameters?: Range;
  readonly returns?: Range;
  readonly bases?: Range;
  /** Text of the decorators, without `@`. */
  readonly decorators: readonly string[];
  symbol: number;
  /** What Cython declares that it returns. */
  result?: Shape;
}

/** Where a use stands: its scope, and the symbol around it. */
interface Place {
  readonly scope: Scope;
  readonly from: number;
}

/** One match of the query, by the capture that says what it is. */
interface Match {
  readonly head: string;
  readonly main: Capture;
  readonly captures: readonly Capture[];
}

/** The part of the match that is captured under the name. */
function part({ captures }: Match, name: string): Capture | undefined {
  for (const capture of captures) if (capture.name === name) return capture;
  return undefined;
}

const BARE_QUALIFIER = /^(?:[\w.]+\.)?(?:Final|ClassVar)$/;
const byStart = (a: { start: number }, b: { start: number }): number => a.start - b.start;
const rangeOf = (capture: Capture): Range => [capture.start, capture.end];

const SIGNATURE_LENGTH = 160;
const FUNCTION_LIKE: ReadonlySet<SymbolKind> = new Set(['class', 'function', 'method', 'property']);
const DOTTED = /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+(?::[A-Za-z_][\w.]*)?$/;
const ENTRY_POINT =
  /^[ \t]*[\w.-]+[ \t]*=[ \t]*([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*:[A-Za-z_][\w.]*)[ \t]*(?:\[[^\]\n]*\])?[ \t]*$/gm;
const FILE_PATH = /^[\w.-]+(?:\/[\w.-]+)*\.(?:py|pyi)$/;
const PROPERTY = /(?:^|[._])(?:\w*property|reify|\w*attribute|getter|memoized_\w+)$/;

export function extract(parsed: ParsedFile): FileFacts {
  return new Extraction(parsed).facts();
}

class Extraction {
  private readonly source: string;
  private readonly lineStarts: number[] = [0];
  private readonly module: Scope;
  private readonly names: Names;
  /** All scopes but the module, by start. */
  private readonly scopes: Scope[] = [];
  private readonly definitions: Definition[] = [];
  private readonly imports: ImportFact[] = [];
  private readonly symbols: SymbolFact[] = [];
  private readonly skip: Range[] = [];
  private readonly types: Range[] = [];
  private readonly targets: Range[] = [];
  private readonly groups = new Map<string, Match[]>();
  private readonly stars: string[] = [];
  /** What the file declares in Cython's own words. */
  private readonly cython: CythonText | undefined;

  constructor(private readonly parsed: ParsedFile) {
    this.source = parsed.source;
    const cython = parsed.dialect === CYTHON || parsed.dialect === CYTHON_DECLARATIONS;
    this.cython = cython ? readCython(parsed.written ?? parsed.source) : undefined;
    for (let i = this.source.indexOf('\n'); i >= 0; i = this.source.indexOf('\n', i + 1)) this.lineStarts.push(i + 1);
    this.module = new Scope('module', undefined, 0, this.source.length + 1, '');
    this.names = new Names(this.source, this.module);
    const heads: (string | undefined)[] = [];
    for (const { pattern, captures } of parsed.matches) {
      heads[pattern] ??= captures.find(({ name }) => HEADS.has(name))?.name;
      const head = heads[pattern];
      const main = captures.find(({ name }) => name === head);
      if (head === undefined || main === undefined) continue;
      const match = { head, main, captures };
      const group = this.groups.get(head);
      if (group) group.push(match);
      else this.groups.set(head, [match]);
    }
  }

  facts(): FileFacts {
    this.readScopes();
    this.readDeclarations();
    this.readBindings();
    const variables = this.readVariables();
    this.nameSymbols(variables);
    const strings: FileFacts['strings'][number][] = [];
    const references = this.readReferences(strings);
    const { entries, extra } = this.surface();
    const declared = this.declaredOnly();
    const defines = this.symbols
      .filter(({ name, kind }) => FUNCTION_LIKE.has(kind) && !name.includes('#') && !declared.has(name))
      .map((symbol) => symbol.name);
    return {
      language: 'python',
      lines: this.lineStarts.length - (this.source.endsWith('\n') || this.source === '' ? 1 : 0),
      // A Cython file is not parsed as what it is: an error there says nothing about the file.
      errors: this.cython ? 0 : this.parsed.errors,
      symbols: this.symbols,
      references,
      imports: this.imports,
      entryPoints: entryPointsOf(this.source, this.definitions, this.symbols, references, this.lineStarts),
      strings,
      surface: { entries, defines },
      ...(extra ? { extra: extra as unknown as Json } : {}),
    };
  }

  private matches(head: string): readonly Match[] {
    return this.groups.get(head) ?? [];
  }

  private lineOf(at: number): number {
    let low = 0;
    let high = this.lineStarts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.lineStarts[middle] as number) <= at) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  }

  private text(capture: Capture): string {
    return this.source.slice(capture.start, capture.end);
  }

  // ---- scopes -------------------------------------------------------------------------------------------------

  private readScopes(): void {
    interface Raw {
      readonly start: number;
      readonly end: number;
      readonly body: number;
      readonly match: Match;
      readonly kind: 'class' | 'function' | 'inner';
    }
    const raws: Raw[] = [];
    for (const kind of ['function', 'class'] as const) {
      for (const match of this.matches(kind)) {
        const body = part(match, `${kind}.body`) ?? match.main;
        raws.push({ start: match.main.start, end: match.main.end, body: body.start, match, kind });
      }
    }
    for (const { start, end, name } of this.cython?.functions ?? []) {
      const at = (capture: string, [from, to]: Range): Capture => ({ name: capture, start: from, end: to, row: 0 });
      const main = at('function', [start, end]);
      const captures = [main, at('function.name', name)];
      raws.push({ start, end, body: end, match: { head: 'function', main, captures }, kind: 'function' });
    }
    for (const kind of ['lambda', 'comprehension'] as const) {
      for (const match of this.matches(kind)) {
        const { start, end } = match.main;
        raws.push({ start, end, body: start, match, kind: 'inner' });
      }
    }
    raws.sort((a, b) => a.start - b.start || b.end - a.end);
    // Decorators belong to the first definition after them.
    const decoratedFrom = new Map<Raw, number>();
    const defined = raws.filter(({ kind }) => kind !== 'inner');
    let next = 0;
    for (const { start } of this.matches('decorated')
      .map(({ main }) => main)
      .sort(byStart)) {
      while (next < defined.length && (defined[next] as Raw).start <= start) next++;
      const raw = defined[next];
      if (raw) decoratedFrom.set(raw, start);
    }
    const open: Scope[] = [this.module];
    const taken = new Map<string, number>();
    for (const raw of raws) {
      while ((open.at(-1) as Scope).end <= raw.start) open.pop();
      // A default value or decorator inside a header belongs to the scope around it.
      let parent = open.at(-1) as Scope;
      while (parent.start > raw.start && parent.parent) parent = parent.parent;
      if (raw.kind === 'inner') {
        const scope = new Scope('inner', parent, raw.body, raw.end, parent.name);
        this.scopes.push(scope);
        open.push(scope);
        const parameters = part(raw.match, 'lambda.parameters');
        if (parameters) this.bindParameters(scope, parent, rangeOf(parameters), 'lambda', []);
        continue;
      }
      const nameCapture = part(raw.match, `${raw.kind}.name`) as Capture;
      // The name of a function without a body is no part of the Python text.
      const parsedName = this.text(nameCapture);
      const simpleName = isName(parsedName) ? parsedName : this.written(nameCapture.start, nameCapture.end);
      const start = decoratedFrom.get(raw) ?? raw.start;
      const plain = parent.name === '' ? simpleName : `${parent.name}.${simpleName}`;
      const times = (taken.get(plain) ?? 0) + 1;
      taken.set(plain, times);
      const scope = new Scope(raw.kind, parent, raw.body, raw.end, times === 1 ? plain : `${plain}#${times}`);
      const decorators = start < raw.start ? this.decoratorsIn(start, raw.start) : [];
      const parametersCapture = part(raw.match, 'function.parameters');
      const returns = part(raw.match, 'function.returns');
      const bases = part(raw.match, 'class.bases');
      const definition: Definition = {
        kind: raw.kind,
        start,
        end: raw.end,
        header: raw.start,
        scope,
        parent,
        simpleName,
        decorators,
        symbol: -1,
        ...(parametersCapture ? { parameters: [parametersCapture.start + 1, parametersCapture.end - 1] as const } : {}),
        ...(returns ? { returns: rangeOf(returns) } : {}),
        ...(bases ? { bases: [bases.start + 1, bases.end - 1] as const } : {}),
      };
      this.definitions.push(definition);
      this.scopes.push(scope);
      open.push(scope);
      parent.bind(simpleName, {
        kind: 'symbol',
        at: raw.start,
        start: raw.start,
        end: raw.start,
        scope: parent,
        shape: { s: scope.name },
      });
      if (returns) this.types.push(rangeOf(returns));
      const result = this.cython?.results.get(nameCapture.start);
      if (result !== undefined) definition.result = result;
      if (definition.parameters) {
        this.bindParameters(
          scope,
          parent,
          definition.parameters,
          this.receiverOf(definition),
          this.injects(definition),
        );
      }
    }
    this.scopes.sort(byStart);
  }

  private decoratorsIn(start: number, end: number): string[] {
    const decorators: string[] = [];
    let at = start;
    while (at < end && this.source.charCodeAt(at) === 64) {
      let stop = at + 1;
      while (stop < end && this.source.charCodeAt(stop) !== 10 && this.source.charCodeAt(stop) !== 35) {
        const code = this.source.charCodeAt(stop);
        stop = code === 40 || code === 91 ? skipBrackets(this.source, stop, end) : stop + 1;
      }
      decorators.push(this.source.slice(at + 1, stop).trim());
      at = skipSpace(this.source, stop, end);
    }
    return decorators;
  }

  /** What the first parameter of a function is. */
  private receiverOf(definition: Definition): 'self' | 'cls' | 'none' {
    if (definition.parent.kind !== 'class') return 'none';
    if (definition.decorators.some((text) => /^staticmethod\b/.test(text))) return 'none';
    if (definition.decorators.some((text) => /(?:^|\.)(?:classmethod|declared_attr)\b/.test(text))) return 'cls';
    return /^__(?:new|init_subclass|class_getitem|prepare)__$/.test(definition.simpleName) ? 'cls' : 'self';
  }

  private isFixture(definition: Definition): boolean {
    return definition.decorators.some((text) => /^(?:\w+\.)?(?:\w*_)?fixture\b/.test(text));
  }

  /** The names that pytest would inject into the function. */
  private injects(definition: Definition): readonly string[] {
    if (definition.kind !== 'function' || !definition.parameters) return [];
    if (!/^test/.test(definition.simpleName) && !this.isFixture(definition)) return [];
    if (definition.parent.kind === 'function') return [];
    const parametrized = definition.decorators
      .filter((text) => /parametrize/.test(text))
      .flatMap((text) => /\(\s*[[(]?((?:\s*["'][^"']*["']\s*,?)+)/.exec(text)?.[1]?.match(/\w+/g) ?? []);
    return parseParameters(this.source, ...definition.parameters)
      .filter(({ name, stars }) => stars === 0 && name !== 'self' && name !== 'cls' && !parametrized.includes(name))
      .map(({ name }) => name);
  }

  private bindParameters(
    scope: Scope,
    parent: Scope,
    range: Range,
    receiver: 'self' | 'cls' | 'none' | 'lambda',
    injected: readonly string[],
  ): void {
    const parameters = parseParameters(this.source, ...range);
    const typed = this.cython?.parameters.get(range[0]);
    parameters.forEach(({ name, stars, type, value }, index) => {
      const base = { at: range[0], scope: parent };
      const shape = typed?.get(name);
      if (index === 0 && stars === 0 && (receiver === 'self' || receiver === 'cls')) {
        scope.bind(name, { ...base, kind: receiver, start: 0, end: 0 });
      } else if (shape !== undefined) {
        scope.bind(name, { ...base, kind: 'declared', start: 0, end: 0, shape });
      } else if (type && stars === 0 && receiver !== 'lambda') {
        scope.bind(name, { ...base, kind: 'type', start: type[0], end: type[1] });
      } else if (injected.includes(name)) {
        scope.bind(name, { ...base, kind: 'fixture', start: 0, end: 0, shape: { f: name } });
      } else if (value && receiver !== 'lambda') {
        scope.bind(name, { ...base, kind: 'default', start: value[0], end: value[1] });
      } else scope.bind(name, { ...base, kind: 'opaque', start: 0, end: 0 });
    });
  }

  // ---- Cython -------------------------------------------------------------------------------------------------

  /** The file's own text, which for Cython is not what was parsed. */
  private written(start: number, end: number): string {
    return (this.parsed.written ?? this.source).slice(start, end);
  }

  /** Binds what C declares: the type of such a name holds, whatever is assigned to it. */
  private readDeclarations(): void {
    if (!this.cython) return;
    const cursor = new Cursor(this.module, this.scopes);
    for (const { name, at, shape } of this.cython.names) {
      const owner = owningScope(cursor.at(at));
      const known = shape === undefined ? {} : { shape };
      owner.bind(name, { kind: 'declared', at, start: 0, end: 0, scope: owner, ...known });
    }
    for (const { path, at } of this.cython.includes) {
      const module = `./${path}`;
      this.imports.push({ module, name: '*', line: this.lineOf(at), from: at });
      this.stars.push(module);
    }
  }

  /** Functions without a body, and the classes of a .pxd file: they are defined elsewhere. */
  private declaredOnly(): ReadonlySet<string> {
    const declared = new Set<string>();
    if (!this.cython) return declared;
    const starts = new Set(this.cython.functions.map(({ start }) => start));
    for (const { kind, header, scope } of this.definitions) {
      const elsewhere =
        kind === 'class'
          ? this.parsed.dialect === CYTHON_DECLARATIONS &&
            /^cdef\s[^:]*\bclass\b/.test(this.written(header, scope.start))
          : starts.has(header);
      if (elsewhere) declared.add(scope.name);
    }
    return declared;
  }

  // ---- bindings -----------------------------------------------------------------------------------------------

  private readBindings(): void {
    // `global x` counts for the whole function, also for what stands before it.
    for (const heads of [['global', 'nonlocal'], BINDING_HEADS]) {
      const found = heads.flatMap((head) => this.matches(head)).sort((a, b) => a.main.start - b.main.start);
      const cursor = new Cursor(this.module, this.scopes);
      for (const match of found) this.readBinding(match, cursor.at(match.main.start));
    }
    this.skip.sort((a, b) => a[0] - b[0]);
    this.types.sort((a, b) => a[0] - b[0]);
    this.targets.sort((a, b) => a[0] - b[0]);
  }

  private readBinding(match: Match, scope: Scope): void {
    const { head, main } = match;
    const owner = owningScope(scope);
    switch (head) {
      case 'future':
        this.skip.push(rangeOf(main));
        break;
      case 'import':
        this.readImport(main, owner);
        break;
      case 'assign': {
        const type = part(match, 'assign.type');
        if (type) this.types.push(rangeOf(type));
        // A qualifier alone leaves the type to the value.
        const declared = type && BARE_QUALIFIER.test(this.text(type)) ? undefined : type;
        this.bindTarget(main, part(match, 'assign.value'), declared, 'value', owner, scope);
        break;
      }
      case 'walrus':
        this.bindTarget(main, part(match, 'walrus.value'), undefined, 'value', owner, scope);
        break;
      case 'for':
        this.bindTarget(main, part(match, 'for.value'), undefined, 'iterate', scope, scope);
        break;
      case 'with':
        this.bindTarget(main, part(match, 'with.value'), undefined, 'enter', owner, scope);
        break;
      case 'except':
        this.bindTarget(main, part(match, 'except.value'), undefined, 'caught', owner, scope);
        break;
      case 'alias':
        this.bindTarget(main, undefined, part(match, 'alias.value'), 'value', owner, scope);
        break;
      case 'case':
        for (const name of this.text(main).match(/(?<![\w.])[a-z_]\w*(?![\w.(=])/g) ?? []) {
          owner.bind(name, this.opaque(main, owner));
        }
        break;
      case 'global':
      case 'nonlocal':
        this.skip.push(rangeOf(main));
        for (const name of this.text(main).match(/\w+/g)?.slice(1) ?? []) {
          let outer = head === 'global' ? this.module : owner.parent;
          while (outer && outer.kind !== 'module' && !(outer.kind === 'function' && outer.bindings.has(name))) {
            outer = outer.parent;
          }
          owner.elsewhere.set(name, outer ?? this.module);
        }
        break;
      case 'return':
        if (owner.kind === 'function') owner.returns.push([main.start, main.end]);
        break;
      case 'yield':
        if (owner.kind === 'function') owner.yields.push([main.start, main.end]);
        break;
    }
  }

  private opaque(capture: Capture, scope: Scope): Binding {
    return {
      kind: 'opaque',
      at: capture.start,
      start: 0,
      end: 0,
      scope,
    };
  }

  private bindTarget(
    target: Capture,
    value: Capture | undefined,
    type: Capture | undefined,
    kind: BindingKind,
    owner: Scope,
    scope: Scope,
  ): void {
    const text = this.text(target);
    // `a[b] = c` uses both names; every other target is no use of what it binds.
    if (!text.includes('[')) this.targets.push(rangeOf(target));
    const base = { at: target.start, scope };
    const from = type ?? value;
    const binding: Binding = from
      ? { ...base, kind: type ? 'type' : kind, start: from.start, end: from.end }
      : { ...base, kind: 'opaque', start: 0, end: 0 };
    if (isName(text)) {
      if (!this.isDeclared(text, owner)) owner.bind(text, binding);
      return;
    }
    const field = !text.includes('.') ? null : /^([^\W\d]\w*)\s*\.\s*([^\W\d]\w*)$/u.exec(text);
    if (field) {
      const [, root, name] = field as unknown as [string, string, string];
      const meaning = this.names.meaning(root, scope, target.start);
      if (meaning.kind !== 'receiver') return;
      let inside: Scope | undefined = owner;
      while (inside && inside.kind !== 'class') inside = inside.parent;
      const known = inside?.fields.get(name);
      if (known) known.push(binding);
      else inside?.fields.set(name, [binding]);
      return;
    }
    const parts = splitAt(this.source, target.start, target.end, 44);
    const second = value && parts.length === 2 ? this.pairValue(value, kind) : undefined;
    parts.forEach(([start, end], index) => {
      for (const name of this.targetNames(start, end)) {
        if (this.isDeclared(name, owner)) continue;
        if (index === 1 && second) owner.bind(name, { ...base, kind: 'value', ...second });
        else owner.bind(name, { ...base, kind: 'opaque', start: 0, end: 0 });
      }
    });
  }

  /** Whether C declares the type of the name, so that no assignment says more. */
  private isDeclared(name: string, owner: Scope): boolean {
    return this.cython !== undefined && owner.bindings.get(name)?.[0]?.kind === 'declared';
  }

  /** The plain names that a target binds, also in nested tuples; `a[b]` and `a.b` bind none. */
  private targetNames(start: number, end: number): readonly string[] {
    const text = this.source.slice(start, end);
    const trimmed = text.replace(/^[\s*]+/, '').trimEnd();
    if (isName(trimmed)) return [trimmed];
    if (!/^[([]/.test(trimmed)) return [];
    const open = start + text.indexOf(trimmed);
    const close = open + trimmed.length;
    if (skipBrackets(this.source, open, close) !== close) return [];
    return splitAt(this.source, open + 1, close - 1, 44).flatMap(([from, to]) => this.targetNames(from, to));
  }

  /** What the second of two targets gets from `enumerate(x)` and `x.items()`. */
  private pairValue(value: Capture, kind: BindingKind): Pick<Binding, 'start' | 'end' | 'steps'> | undefined {
    if (kind !== 'iterate') return undefined;
    const text = this.text(value);
    const enumerated = /^enumerate\s*\(/.exec(text);
    if (enumerated) {
      const [first] = splitAt(this.source, value.start + enumerated[0].length, value.end - 1, 44);
      return first && { start: first[0], end: first[1], steps: ['[*]'] };
    }
    const items = /\.items\(\)$/.exec(text);
    return items ? { start: value.start, end: value.end - items[0].length, steps: ['[]'] } : undefined;
  }

  private readImport(capture: Capture, owner: Scope): void {
    this.skip.push(rangeOf(capture));
    const compileTime = this.cython !== undefined && /\bcimport\b/.test(this.written(capture.start, capture.end));
    for (const { module, name, alias } of parseImport(this.text(capture))) {
      const line = this.lineOf(capture.start);
      const bound = alias ?? (name === undefined ? module.split('.')[0] : undefined);
      this.imports.push({
        module,
        ...(name === undefined ? {} : { name }),
        ...(bound === undefined ? {} : { alias: bound }),
        line,
        // Set once symbols have their places; kept as an offset until then.
        from: capture.start,
        ...(compileTime ? { typeOnly: true } : {}),
      });
      if (name === '*') {
        if (owner.kind === 'module') this.stars.push(module);
        continue;
      }
      if (bound === undefined) continue;
      const imported: Shape = name !== undefined ? { m: module, n: name } : { m: alias === undefined ? bound : module };
      owner.bind(bound, {
        kind: 'import',
        at: capture.start,
        start: 0,
        end: 0,
        scope: owner,
        shape: imported,
      });
    }
  }

  // ---- symbols ------------------------------------------------------------------------------------------------

  private readVariables(): { name: string; kind: SymbolKind; at: number }[] {
    const variables: { name: string; kind: SymbolKind; at: number }[] = [];
    const add = (scope: Scope, prefix: string, bindings: ReadonlyMap<string, readonly Binding[]>, field: boolean) => {
      for (const [name, all] of bindings) {
        if (all.some((binding) => binding.kind === 'symbol' || binding.kind === 'import')) continue;
        if (field && scope.bindings.has(name)) continue;
        const first = all.find((binding) => binding.kind !== 'iterate' && binding.kind !== 'caught');
        if (!first) continue;
        const kind =
          scope.kind === 'class' ? 'field' : /^_*[A-Z][A-Z0-9_]*$/.test(name) ? 'constant' : ('variable' as SymbolKind);
        variables.push({ name: prefix + name, kind, at: first.at });
      }
    };
    add(this.module, '', this.module.bindings, false);
    for (const { kind, scope } of this.definitions) {
      if (kind !== 'class') continue;
      add(scope, `${scope.name}.`, scope.bindings, false);
      add(scope, `${scope.name}.`, scope.fields, true);
    }
    return variables;
  }

  private nameSymbols(variables: readonly { name: string; kind: SymbolKind; at: number }[]): void {
    interface Item {
      readonly start: number;
      readonly make: () => SymbolFact;
      readonly definition?: Definition;
    }
    const items: Item[] = this.definitions.map((definition) => ({
      start: definition.start,
      definition,
      make: () => ({
        name: definition.scope.name,
        kind: kindOf(definition),
        line: this.lineOf(definition.start),
        endLine: this.lineOf(Math.max(definition.start, definition.end - 1)),
        signature: this.signature(definition.header, definition.scope.start),
      }),
    }));
    const taken = new Set(this.definitions.map((definition) => definition.scope.name));
    for (const { name, kind, at } of variables) {
      if (taken.has(name)) continue;
      taken.add(name);
      items.push({
        start: at,
        make: () => {
          const line = this.lineOf(at);
          return { name, kind, line, endLine: line, signature: this.signature(at, this.source.indexOf('\n', at)) };
        },
      });
    }
    items.sort(byStart);
    for (const { make, definition } of items) {
      if (definition) definition.symbol = this.symbols.length;
      this.symbols.push(make());
    }
    const enclosing = this.enclosing();
    const ordered = this.imports.map((fact, index) => ({ fact, index })).sort((a, b) => a.fact.from - b.fact.from);
    for (const { fact, index } of ordered) this.imports[index] = { ...fact, from: enclosing(fact.from) };
  }

  private signature(start: number, bodyStart: number): string {
    const end = bodyStart < 0 ? this.source.length : bodyStart;
    return this.written(start, Math.min(end, start + 4 * SIGNATURE_LENGTH))
      .replace(/\s+/g, ' ')
      .trim()
      .replace(/:(?: #.*)?$/, '')
      .slice(0, SIGNATURE_LENGTH);
  }

  /** The innermost definition (header and decorators included) at ascending offsets, as an index into symbols. */
  private enclosing(): (at: number) => number {
    const sorted = [...this.definitions].sort(byStart);
    const open: Definition[] = [];
    let next = 0;
    return (at) => {
      while (next < sorted.length && (sorted[next] as Definition).start <= at) open.push(sorted[next++] as Definition);
      while (open.length > 0 && (open.at(-1) as Definition).end <= at) open.pop();
      // A finished definition may lie below an open one that started later.
      for (let i = open.length - 1; i >= 0; i--) {
        const definition = open[i] as Definition;
        if (definition.end > at) return definition.symbol;
      }
      return -1;
    };
  }

  // ---- references ---------------------------------------------------------------------------------------------

  private readReferences(strings: FileFacts['strings'][number][]): ReferenceFact[] {
    type Found = { -readonly [key in keyof ReferenceFact]: ReferenceFact[key] };
    /** At symbol + 1, by what is referred to. */
    const found: Map<string, Found>[] = [];
    const cursor = new Cursor(this.module, this.scopes);
    const enclosing = this.enclosing();
    let nextTarget = 0;
    const isTarget = (at: number, end: number): boolean => {
      while (nextTarget < this.targets.length && (this.targets[nextTarget] as Range)[1] <= at) nextTarget++;
      const range = this.targets[nextTarget];
      return range !== undefined && range[0] <= at && end <= range[1];
    };
    const texts = new Map<Shape, string>();
    const textOf = (shape: Shape): string => {
      let text = texts.get(shape);
      if (text === undefined) {
        text = JSON.stringify(shape);
        texts.set(shape, text);
      }
      return text;
    };
    const note = (kind: ReferenceKind, chain: readonly string[], at: number, { scope, from }: Place): void => {
      const reference = this.bindUse(kind, chain, at, scope);
      if (!reference) return;
      let key = reference.chain.length === 1 ? (reference.chain[0] as string) : reference.chain.join('.');
      if (kind !== 'call') key = `${kind} ${key}`;
      if (reference.rootType !== undefined) key += textOf(reference.rootType);
      found[from + 1] ??= new Map();
      const ofSymbol = found[from + 1] as Map<string, Found>;
      const known = ofSymbol.get(key);
      if (known) known.count++;
      else {
        ofSymbol.set(key, {
          kind,
          from,
          chain: reference.chain,
          ...(reference.rootType === undefined ? {} : { rootType: reference.rootType as Json }),
          line: this.lineOf(at),
          count: 1,
        });
      }
    };
    let place: Place = { scope: this.module, from: -1 };
    scan<Place>(this.source, 0, this.source.length, {
      skip: this.skip,
      types: this.types,
      place: (at) => {
        const scope = cursor.at(at);
        const from = enclosing(at);
        if (place.scope !== scope || place.from !== from) place = { scope, from };
        return place;
      },
      use: (kind, chain, at, end, where) => {
        if (kind === 'read' && chain.length <= 2 && this.source.charCodeAt(end) !== 91 && isTarget(at, end)) return;
        note(kind, chain, at, where);
      },
      text: (start, end) => {
        const length = end - start;
        this.readEntryPoints(start, end, place.from, strings);
        if (length < 3 || length > 120 || !isNameStart(this.source.charCodeAt(start))) return;
        const text = this.source.slice(start, end);
        if (!DOTTED.test(text) && !FILE_PATH.test(text)) return;
        if (strings.some((known) => known.text === text && known.from === place.from)) return;
        strings.push({ text, line: this.lineOf(start), from: place.from });
      },
    });
    this.readTypeUses(note);
    return found.flatMap((ofSymbol) => [...ofSymbol.values()]);
  }

  /** `console_scripts` of a setup.py: `name = package.module:function`, each a string or a line of one. */
  private readEntryPoints(start: number, end: number, from: number, strings: FileFacts['strings'][number][]): void {
    if (end - start < 5 || end - start > 20_000) return;
    const text = this.source.slice(start, end);
    const several = text.includes('\n');
    if (several ? !/^\s*\[\w[\w.-]*\]\s*$/m.test(text) : !text.includes('=')) return;
    for (const match of text.matchAll(ENTRY_POINT)) {
      const named = match[1] as string;
      if (strings.some((known) => known.text === named && known.from === from)) continue;
      strings.push({ text: named, line: this.lineOf(start + match.index + match[0].indexOf(named)), from });
    }
  }

  /** The types in declarations of Cython, which are no part of the text that was scanned. */
  private readTypeUses(note: (kind: ReferenceKind, chain: readonly string[], at: number, place: Place) => void): void {
    const cursor = new Cursor(this.module, this.scopes);
    const enclosing = this.enclosing();
    for (const { chain, at } of this.cython?.uses ?? []) {
      note('type', chain, at, { scope: cursor.at(at), from: enclosing(at) });
    }
  }

  /** The use with its root bound, or undefined where nothing in the repository can be meant. */
  private bindUse(
    kind: ReferenceKind,
    chain: readonly string[],
    at: number,
    scope: Scope,
  ): { chain: readonly string[]; rootType?: Shape } | undefined {
    const root = chain[0] as string;
    if (root === UNKNOWN_ROOT) return unknownReceiver(kind, chain);
    const name = root.endsWith('()') ? root.slice(0, -2) : root;
    if (name === 'super') return chain.length > 1 ? { chain: ['super()', ...chain.slice(1)] } : undefined;
    const meaning = this.names.meaning(name, scope, at);
    if (meaning.kind === 'module') return { chain };
    if (meaning.kind === 'receiver') {
      if (chain.length === 1 && root === name) return undefined;
      return { chain: [root === name ? meaning.name : `${meaning.name}()`, ...chain.slice(1)] };
    }
    if (meaning.kind !== 'local') {
      // A star import may bind it, or the .pxd file beside a .pyx file.
      const elsewhere = this.stars.length > 0 || this.parsed.dialect === CYTHON;
      return elsewhere && !BUILTINS.has(name) ? { chain } : undefined;
    }
    const { shape } = meaning;
    if (shape === 'outside') return undefined;
    if (shape === undefined) return unknownReceiver(kind, chain);
    if (chain.length === 1 && root === name) {
      // The bare use of a local says something only where it is a definition or an import.
      if (typeof shape !== 'object' || !('s' in shape || 'm' in shape)) return undefined;
    }
    return { chain, rootType: shape };
  }

  // ---- surface ------------------------------------------------------------------------------------------------

  private surface(): { entries: { [key: string]: Json }; extra: PythonExtra | undefined } {
    const entries: { [key: string]: Json } = {};
    const put = (key: string, entry: Entry | readonly string[] | string): void => {
      if (!Object.hasOwn(entries, key)) entries[key] = entry as unknown as Json;
    };
    const injected: [number, number, ...string[]][] = [];
    // Imports before variables: `try: import x` / `except ImportError: x = None`.
    for (const [name, bindings] of this.module.bindings) {
      const options = bindings.flatMap(({ kind, shape }) =>
        kind === 'import' && typeof shape === 'object' && 'm' in shape
          ? [[shape.m, shape.n ?? null] as [string, string | null]]
          : [],
      );
      const defined = bindings.some((binding) => binding.kind === 'symbol');
      if (options.length > 0 && !defined) put(name, { k: 'i', o: unique(options) });
    }
    for (const definition of this.definitions) {
      const { scope, symbol, kind } = definition;
      put(scope.name, kind === 'class' ? this.classEntry(definition) : this.functionEntry(definition));
      if (kind !== 'function') continue;
      const names = this.injects(definition);
      if (names.length > 0) injected.push([symbol, this.lineOf(definition.header), ...names]);
      if (this.isFixture(definition)) {
        const renamed = /\bname\s*=\s*["'](\w+)["']/.exec(definition.decorators.join('\n'));
        put(fixtureKey(renamed?.[1] ?? definition.simpleName), scope.name);
      }
    }
    for (const [symbol, line, ...names] of this.marks()) injected.push([symbol, line, ...names]);
    const variables = (scope: Scope, prefix: string, bindings: ReadonlyMap<string, readonly Binding[]>): void => {
      for (const [name, all] of bindings) {
        const imported = all.find((binding) => binding.kind === 'import');
        if (imported && scope.kind === 'class') {
          put(prefix + name, { k: 'v', ...(imported.shape === undefined ? {} : { t: imported.shape }) });
          continue;
        }
        const field = scope.kind === 'class' ? scope.fields.get(name) : undefined;
        const t = this.names.valueOf(field && field !== all ? [...all, ...field] : all);
        const declared = all.some(({ kind }) => kind === 'type' || kind === 'declared') ? ({ d: 1 } as const) : {};
        put(prefix + name, { k: 'v', ...(t === undefined ? {} : { t }), ...declared });
      }
    };
    variables(this.module, '', this.module.bindings);
    for (const { kind, scope } of this.definitions) {
      if (kind !== 'class') continue;
      variables(scope, `${scope.name}.`, scope.bindings);
      variables(scope, `${scope.name}.`, scope.fields);
    }
    if (this.stars.length > 0) entries[STAR_IMPORTS] = unique(this.stars);
    const all = this.declaredAll();
    if (all) entries[ALL] = all;
    return { entries, extra: injected.length > 0 ? { injected } : undefined };
  }

  /** Fixtures that `usefixtures` marks name: on a function or class, or in a `pytestmark` of the module or a class. */
  private marks(): [symbol: number, line: number, ...names: string[]][] {
    const marks: [number, number, ...string[]][] = [];
    if (!this.source.includes('usefixtures')) return marks;
    for (const { symbol, header, start, decorators } of this.definitions) {
      if (start === header) continue;
      const names = decorators.flatMap(namesInMarks);
      if (names.length > 0) marks.push([symbol, this.lineOf(start), ...names]);
    }
    const assigned = (scope: Scope, symbol: number): void => {
      for (const { kind, at, start, end } of scope.bindings.get('pytestmark') ?? []) {
        const names = kind === 'value' ? namesInMarks(this.source.slice(start, end)) : [];
        if (names.length > 0) marks.push([symbol, this.lineOf(at), ...names]);
      }
    };
    assigned(this.module, -1);
    for (const { kind, scope, symbol } of this.definitions) if (kind === 'class') assigned(scope, symbol);
    return marks;
  }

  private classEntry({ bases, parent }: Definition): Entry {
    if (!bases) return { k: 'c' };
    const shapes: Shape[] = [];
    for (const [start, end] of splitAt(this.source, ...bases, 44)) {
      const text = this.source.slice(start, end);
      if (/^\s*\w+\s*=(?!=)/.test(text) || /^\s*\*/.test(text)) continue;
      // `with_metaclass(Meta, Base)` inherits from its further arguments.
      const mixed = /^\s*(?:[\w.]+\.)?(?:with_metaclass|add_metaclass)\s*\(/.exec(text);
      const inner = mixed
        ? splitAt(this.source, start + mixed[0].length, end - 1, 44).slice(1)
        : [[start, end] as const];
      for (const [from, to] of inner) {
        const shape = this.names.expression(from, to, parent);
        if (shape !== undefined) shapes.push(shape);
      }
    }
    return shapes.length > 0 ? { k: 'c', b: shapes } : { k: 'c' };
  }

  private functionEntry(definition: Definition): Entry {
    const { scope, parent, returns, decorators } = definition;
    const d = decorators.some((text) => PROPERTY.test(text.replace(/\(.*$/s, '')))
      ? 'p'
      : decorators.some((text) => /^staticmethod\b/.test(text))
        ? 's'
        : this.receiverOf(definition) === 'cls'
          ? 'c'
          : undefined;
    const reached = d === undefined ? {} : { d: d as 'p' | 's' | 'c' };
    if (definition.result !== undefined) return { k: 'f', ...reached, r: definition.result };
    if (returns) {
      const r = this.returnsReceiver(definition, returns) ?? this.names.annotation(returns[0], returns[1], parent);
      return { k: 'f', ...reached, ...(r === undefined ? {} : { r }) };
    }
    const seen = (ranges: readonly Range[]): Shape | undefined =>
      union(ranges.slice(0, 8).map(([start, end]) => this.returned(start, end, scope)));
    const r = scope.yields.length > 0 ? undefined : seen(scope.returns);
    const y = seen(scope.yields);
    return { k: 'f', ...reached, ...(r === undefined ? {} : { r }), ...(y === undefined ? {} : { y }) };
  }

  /** `def f(self: T) -> T` and `def f(cls: type[T]) -> T` return what they are called on. */
  private returnsReceiver(definition: Definition, returns: Range): Shape | undefined {
    const receiver = this.receiverOf(definition);
    if (receiver === 'none' || !definition.parameters) return undefined;
    const type = parseParameters(this.source, ...definition.parameters)[0]?.type;
    if (!type) return undefined;
    const plain = ([start, end]: Range): string => this.source.slice(start, end).replace(/["'\s]/g, '');
    const result = plain(returns);
    if (receiver === 'self') return plain(type) === result ? ['self'] : undefined;
    return /^(?:typing\.|t\.)?[Tt]ype\[(.*)\]$/.exec(plain(type))?.[1] === result ? ['cls()'] : undefined;
  }

  private returned(start: number, end: number, scope: Scope): Shape | undefined {
    const shape = this.names.expression(start, end, scope);
    return shape === undefined ? undefined : extend(shape, []);
  }

  private declaredAll(): string[] | undefined {
    const assigned = this.module.bindings.get('__all__');
    if (!assigned) return undefined;
    const names: string[] = [];
    for (const { start, end } of assigned) {
      for (const match of this.source.slice(start, end).matchAll(/["']([\w.]+)["']/g)) names.push(match[1] as string);
    }
    for (const match of this.source.matchAll(/^__all__(?:\s*\+=|\.extend\(|\.append\()([^\])]*)/gm)) {
      for (const name of (match[1] as string).matchAll(/["'](\w+)["']/g)) names.push(name[1] as string);
    }
    // A computed list says nothing about what it leaves out.
    return names.length > 0 ? [...new Set(names)].sort() : undefined;
  }
}

/** Captures that name what their match is. */
const BINDING_HEADS = [
  'future',
  'import',
  'assign',
  'walrus',
  'for',
  'with',
  'except',
  'case',
  'alias',
  'return',
  'yield',
] as const;
const HEADS: ReadonlySet<string> = new Set([
  'function',
  'class',
  'decorated',
  ...BINDING_HEADS,
  'global',
  'nonlocal',
  'lambda',
  'comprehension',
]);

/** The innermost scope at ascending offsets. */
class Cursor {
  private current: Scope;
  private next = 0;

  constructor(
    module: Scope,
    private readonly scopes: readonly Scope[],
  ) {
    this.current = module;
  }

  at(offset: number): Scope {
    while (this.current.end <= offset && this.current.parent) this.current = this.current.parent;
    while (this.next < this.scopes.length) {
      const scope = this.scopes[this.next] as Scope;
      if (scope.start > offset) break;
      this.next++;
      if (scope.end > offset) this.current = scope;
    }
    return this.current;
  }
}

/** Where an assignment in this scope binds: comprehensions and lambdas have no assignments of their own. */
function owningScope(scope: Scope): Scope {
  let owner = scope;
  while (owner.kind === 'inner' && owner.parent) owner = owner.parent;
  return owner;
}

function kindOf({ kind, parent, decorators }: Definition): SymbolKind {
  if (kind === 'class') return 'class';
  if (parent.kind !== 'class') return 'function';
  return decorators.some((text) => PROPERTY.test(text.replace(/\(.*$/s, ''))) ? 'property' : 'method';
}

/** The names in `pytest.mark.usefixtures("a", "b")`, wherever it stands in the text; a comment out of it. */
function namesInMarks(text: string): string[] {
  const plain = text.replace(/#.*$/gm, '');
  return [...plain.matchAll(/\bmark\s*\.\s*usefixtures\s*\(([^)]*)\)/g)].flatMap(([, names = '']) =>
    [...names.matchAll(/["'](\w+)["']/g)].map(([, name = '']) => name),
  );
}

/** Of a receiver that nothing is known about, only a method's name can say something. */
function unknownReceiver(kind: ReferenceKind, chain: readonly string[]): { chain: readonly string[] } | undefined {
  const last = chain.at(-1) as string;
  if (kind !== 'call' || chain.length < 2 || !last.endsWith('()')) return undefined;
  const name = last.slice(0, -2);
  return COMMON_METHODS.has(name) || name.startsWith('__') ? undefined : { chain: [UNKNOWN_ROOT, last] };
}

function unique<T>(values: readonly T[]): T[] {
  const seen = new Set<string>();
  return values.filter((value) => {
    const key = JSON.stringify(value);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
