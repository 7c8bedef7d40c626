/**
 * Facts as bytes, for the store and for crossing threads. References are most of it: they become
 * tuples, since repeated keys would double both size and time.
 */
import { Packr } from 'msgpackr';
import type { FileFacts, ImportFact, ReferenceFact, ReferenceKind, Surface, SymbolFact } from './model.js';

/** Increase when the encoding changes: stored facts of other versions are not read. */
export const CODEC_VERSION = 1;

const KINDS: readonly ReferenceKind[] = ['call', 'type', 'inherit', 'decorator', 'jsx', 'read'];

const packr = new Packr({ useRecords: false, bundleStrings: false });

export interface EncodedFacts {
  readonly surface: Uint8Array;
  readonly body: Uint8Array;
}

export function encodeFacts(facts: FileFacts): EncodedFacts {
  const { surface, symbols, references, imports, ...rest } = facts;
  const body = [
    rest,
    symbols.map((s) => [s.name, s.kind, s.line, s.endLine, s.signature]),
    references.map((r) => {
      const tuple: unknown[] = [KINDS.indexOf(r.kind), r.from, r.chain.join(' '), r.line, r.count];
      if (r.rootType !== undefined) tuple.push(r.rootType);
      return tuple;
    }),
    imports,
  ];
  return { surface: packr.pack(surface), body: packr.pack(body) };
}

export function decodeSurface(bytes: Uint8Array): Surface {
  return packr.unpack(bytes) as Surface;
}

type ReferenceTuple = readonly [number, number, string, number, number, ReferenceFact['rootType']?];
type SymbolTuple = readonly [string, SymbolFact['kind'], number, number, string];

const symbolOf = ([name, kind, line, endLine, signature]: SymbolTuple): SymbolFact => ({
  name,
  kind,
  line,
  endLine,
  signature,
});

/** Only the definitions of a body. */
export function decodeSymbols(body: Uint8Array): SymbolFact[] {
  const [, symbols] = packr.unpack(body) as [unknown, SymbolTuple[]];
  return symbols.map(symbolOf);
}

/** The body with the surface that belongs to it. */
export function decodeFacts(body: Uint8Array, surface: Surface): FileFacts {
  const [rest, symbols, references, imports] = packr.unpack(body) as [
    Omit<FileFacts, 'surface' | 'symbols' | 'references' | 'imports'>,
    SymbolTuple[],
    ReferenceTuple[],
    ImportFact[],
  ];
  return {
    ...rest,
    surface,
    imports,
    symbols: symbols.map(symbolOf),
    references: references.map(([kind, from, chain, line, count, rootType]) => ({
      kind: KINDS[kind] as ReferenceKind,
      from,
      chain: chain.split(' '),
      line,
      count,
      ...(rootType === undefined ? {} : { rootType }),
    })),
  };
}
