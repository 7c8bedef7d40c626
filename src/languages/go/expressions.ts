/**
 * How types and values are written in facts where only other files can tell what they are.
 *
 * Pointers are left out: `*T` has the members of `T`. What is outside the repository by its looks
 * (predeclared types, the standard library) is `null`, unknown.
 */
import type { Json } from '../../facts/model.js';

/** A name of an imported package: module path as written, then the name. */
export type Imported = readonly ['@', string, string];
/** As `Imported`, where no import of the file looks like the qualifier: qualifier, name, the modules in question. */
export type Guessed = readonly ['?', string, string, ...string[]];

export type TypeExpression =
  | null
  /** Index into the types of the file (`GoExtra.types`). */
  | number
  /** A name of the package. */
  | string
  | Imported
  | Guessed
  | readonly ['[]', TypeExpression]
  | readonly ['map', TypeExpression, TypeExpression]
  | readonly ['chan', TypeExpression]
  /** Results, parameters. */
  | readonly ['func', readonly TypeExpression[], readonly TypeExpression[]]
  /** Fields by name, names of the embedded ones. */
  | readonly ['struct', { readonly [name: string]: TypeExpression }, readonly string[]]
  /** Results of methods by name, embedded interfaces. */
  | readonly ['interface', { readonly [name: string]: readonly TypeExpression[] }, readonly TypeExpression[]]
  /** The type parameter of that index, its constraint. */
  | readonly ['$', number, TypeExpression]
  /** Base and type arguments: `List[int]`. */
  | readonly ['<>', TypeExpression, ...TypeExpression[]]
  /** The type of a method's receiver. */
  | readonly ['self', TypeExpression]
  /** The type of a literal or of `new(T)`. */
  | readonly ['made', TypeExpression]
  /** The type of a value. */
  | readonly ['of', ValueExpression];

export type ValueExpression =
  | string
  | Imported
  | Guessed
  /** A value of that type. */
  | readonly ['as', TypeExpression]
  | readonly ['select', ValueExpression, string]
  /** The arguments follow where they may tell type arguments apart. */
  | readonly ['call', ValueExpression, ...(ValueExpression | null)[]]
  /** One of several results of a call. */
  | readonly ['result', ValueExpression, number]
  /** What ranging over the value gives second: elements of slices and maps, of channels what is received. */
  | readonly ['element', ValueExpression]
  /** What ranging over the value gives first. */
  | readonly ['key', ValueExpression]
  /** An index, or type arguments where the value turns out to be generic. */
  | readonly ['index', ValueExpression, ...TypeExpression[]];

/** Entries of a Go file's surface, by kind `k`. */
export type GoEntry =
  /** Results; of generic functions also parameters, and whether the last of them is variadic. */
  | {
      readonly k: 'func';
      readonly r?: readonly TypeExpression[];
      readonly p?: readonly TypeExpression[];
      readonly v?: true;
    }
  | { readonly k: 'type'; readonly t: TypeExpression; readonly alias?: true }
  | { readonly k: 'var' | 'const'; readonly t?: TypeExpression };

/** An interface as `#satisfy:` entries list it: name, signatures of its methods by name, embedded interfaces. */
export type InterfaceEntry = readonly [string, { readonly [method: string]: string }, readonly TypeExpression[]];

/** What Go's link needs about the file itself beside references and imports. */
export interface GoExtra {
  readonly package: string;
  /** Excluded from every build by its constraint (`//go:build ignore`). */
  readonly ignored?: true;
  /** The build constraint, where a build without `-tags` leaves the file out. */
  readonly tagged?: string;
  /** Modules of imports whose package may have any name, see `Imports.open`. */
  readonly open?: readonly string[];
  /** Types of locals, as `ReferenceFact.rootType` refers to them. */
  readonly types: readonly TypeExpression[];
  /** Named types of the file that may satisfy interfaces: index of the symbol, name. */
  readonly concrete: readonly (readonly [number, string])[];
}

export const asJson = (value: TypeExpression | readonly TypeExpression[] | GoExtra | GoEntry): Json =>
  value as unknown as Json;
