/** What was read, as facts: types closed over their scopes, references resolved to names of the module. */
import type { FileFacts, Json, ReferenceFact, SymbolFact, SymbolKind } from '../../facts/model.js';
import { declareDocumented } from './doc-declarations.js';
import type { Detail, Exported, Extraction, PendingReference } from './extraction.js';
import { isWellKnown } from './globals.js';
import { type Binding, Closing, shortened } from './scopes.js';
import { asJson, nameIn, type TypeExpression, withoutNumber } from './type-expression.js';

/** How many types a function may return. */
const MOST_RETURNED = 4;

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

/** The facts of a file that was read to its end. */
export function factsOf(extraction: Extraction): FileFacts {
  declareDocumented(extraction);
  const closing = new Closing(extraction.module, (symbol) => extraction.symbols[symbol]?.name ?? '');
  const references = closedReferences(extraction, closing);
  const declared = new Closing(extraction.module, (symbol) => extraction.symbols[symbol]?.name ?? '', true);
  const entries = surfaceEntries(extraction, declared);
  const defines: string[] = [];
  extraction.symbols.forEach((symbol, index) => {
    if (extraction.details[index]?.isNested || symbol.name.includes('#')) return;
    if (/^(class|interface|enum|type|function|method)$/.test(symbol.kind)) defines.push(symbol.name);
  });
  return {
    language: 'typescript',
    lines: extraction.lineStarts.length,
    errors: extraction.parsed.errors,
    symbols: extraction.symbols as SymbolFact[],
    references,
    imports: extraction.imports,
    entryPoints: allEntryPoints(extraction),
    strings: extraction.strings,
    surface: { entries, defines },
    extra: extra(extraction, declared),
  };
}

function allEntryPoints(extraction: Extraction): { symbol: number; kind: string }[] {
  const found = [...extraction.entryPoints];
  const add = (symbol: number | undefined, kind: string): void => {
    if (symbol !== undefined && !found.some((one) => one.symbol === symbol)) found.push({ symbol, kind });
  };
  for (const { handler, kind, scope } of extraction.registrations) add(scope.find(handler)?.symbol, kind);
  if (extraction.parsed.source.startsWith('#!')) add(extraction.module.names.get('main')?.symbol, 'main');
  return found.sort((a, b) => a.symbol - b.symbol);
}

function extra(extraction: Extraction, closing: Closing): Json {
  const local: { [name: string]: Json } = {};
  extraction.symbols.forEach((symbol, index) => {
    const detail = extraction.details[index];
    if (detail?.isNested) local[`.${symbol.name}`] = entryOf(extraction, index, closing);
  });
  return { local };
}

function entryOf(extraction: Extraction, index: number, closing: Closing): Json {
  const symbol = extraction.symbols[index];
  const detail = extraction.details[index];
  if (!symbol || !detail) return {};
  closing.hasKept = false;
  const bases = (detail.bases ?? [])
    .map((base) => closing.close(base, detail.scope))
    .filter((base) => base !== undefined);
  const returns = detail.returned ? returnedType(detail, closing) : closing.close(detail.returns, detail.scope);
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
    ...(detail.hasMembers && type ? { o: 1 } : {}),
    ...(closing.hasKept ? { g: 1 } : {}),
  };
}

/** What the `return`s of a function give, each closed where it stands. */
function returnedType({ returned = [], isAsync }: Detail, closing: Closing): TypeExpression | undefined {
  const all = returned.map(({ type, scope }) => closing.close(type, scope)).filter((type) => type !== undefined);
  const texts = all.map((type) => JSON.stringify(type));
  const ours = all.filter((type, index) => !('b' in type) && texts.indexOf(texts[index] ?? '') === index);
  const [first = all[0]] = ours;
  const type = ours.length > 1 ? { u: ours.slice(0, MOST_RETURNED) } : first;
  return type && isAsync ? { p: { w: type } } : type;
}

function surfaceEntries(extraction: Extraction, closing: Closing): { [key: string]: Json } {
  const entries: { [key: string]: Json } = {};
  extraction.symbols.forEach((symbol, index) => {
    if (extraction.details[index]?.isNested) return;
    entries[`.${symbol.name}`] = entryOf(extraction, index, closing);
  });
  for (const [name, binding] of extraction.module.names) {
    if (binding.imported) entries[`i:${name}`] = { m: binding.imported.m, x: binding.imported.x };
    if (binding.symbol !== undefined && binding.type !== undefined) {
      entries[`t:${name}`] = extraction.symbols[binding.type]?.name ?? '';
      const value = extraction.symbols[binding.symbol]?.name;
      if (value !== undefined && value !== name) entries[`v:${name}`] = value;
    }
  }
  for (const [name, exported] of extraction.exported) {
    const entry = exportEntry(extraction, exported, closing);
    if (entry !== undefined) entries[`x:${name}`] = entry;
  }
  Object.assign(entries, globalEntries(extraction));
  if (extraction.stars.length > 0) entries['x*'] = [...new Set(extraction.stars)];
  return entries;
}

/** `g:Name`: what `declare global` declares under a name, as a type (`t`) and as a value (`v`). */
function globalEntries({ globals, symbols }: Extraction): { [key: string]: Json } {
  const entries: { [key: string]: { t?: string; v?: string } } = {};
  for (const index of globals) {
    const { name, kind } = symbols[index] as SymbolFact;
    const key = `g:${withoutNumber(name)}`;
    const entry = entries[key] ?? {};
    if (kind !== 'interface' && kind !== 'type') entry.v ??= name;
    if (kind === 'interface' || kind === 'type' || kind === 'class' || kind === 'enum') entry.t ??= name;
    entries[key] = entry;
  }
  return entries;
}

function exportEntry(extraction: Extraction, exported: Exported, closing: Closing): Json | undefined {
  if ('symbol' in exported) return extraction.symbols[exported.symbol]?.name;
  if ('m' in exported) return { m: exported.m, x: exported.x };
  if ('type' in exported) {
    const type = closing.close(exported.type, extraction.module);
    return type && { v: asJson(type) };
  }
  const binding: Binding | undefined = (exported.scope ?? extraction.module).find(exported.local);
  if (!binding) return undefined;
  if (binding.imported) return { m: binding.imported.m, x: binding.imported.x };
  const symbol = binding.symbol ?? binding.type;
  if (symbol !== undefined) return extraction.symbols[symbol]?.name;
  const type = closing.bound(binding);
  return type && { v: asJson(type) };
}

function closedReferences(extraction: Extraction, closing: Closing): ReferenceFact[] {
  const known = new Map<string, { fact: ReferenceFact; count: number }>();
  for (const pending of extraction.references) {
    const closed = closedReference(extraction, pending, closing);
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
        line: extraction.lineOf(pending.offset),
        count: 1,
      },
    });
  }
  return [...known.values()].map(({ fact, count }) => (count === 1 ? fact : { ...fact, count }));
}

function closedReference(
  extraction: Extraction,
  { kind, scope, chain, root }: PendingReference,
  closing: Closing,
): { readonly chain: readonly string[]; readonly rootType?: TypeExpression } | undefined {
  const last = chain[chain.length - 1] ?? '';
  const anyone = kind === 'call' && chain.length > 1 ? { chain: ['?', last] } : undefined;
  if (root) {
    const rootType = closing.close(root, scope);
    return behindRoot(chain, rootType, anyone);
  }
  const [first = ''] = chain;
  if (first.startsWith('?')) return anyone;
  const name = nameIn(first);
  const binding = scope.find(name);
  if (!binding) return isWellKnown(name) ? undefined : { chain };
  if (
    binding.scope === extraction.module &&
    (binding.symbol !== undefined || binding.type !== undefined || binding.imported)
  ) {
    return { chain };
  }
  return behindRoot(chain, closing.bound(binding), anyone);
}

/** A chain behind a type: without its steps into objects that are written out, which are no definitions. */
function behindRoot(
  chain: readonly string[],
  rootType: TypeExpression | undefined,
  anyone: { readonly chain: readonly string[] } | undefined,
): { readonly chain: readonly string[]; readonly rootType?: TypeExpression } | undefined {
  if (!rootType) return anyone;
  if ('b' in rootType) return undefined;
  if (!('o' in rootType)) return { chain, rootType };
  const [first = '', ...rest] = chain;
  if (rest.length === 0) return undefined;
  const short = first.includes('()') ? undefined : shortened(['?', ...rest], rootType, true);
  if (!short) return anyone;
  return 'v' in short && short.r ? { chain: short.v, rootType: short.r } : undefined;
}
