/**
 * What is known of the type of a value, as plain data that another file can evaluate: the names in it
 * are names of the module in which it was written.
 */
import type { Json } from '../../facts/model.js';

export type TypeExpression =
  /** An instance of the named type (dotted: `ns.Foo`), by annotation, with its type arguments. */
  | { readonly t: string; readonly g?: TypeArguments }
  /** An instance made by `new`. */
  | { readonly n: string; readonly g?: TypeArguments }
  /** The n-th type parameter of the class, interface or alias that it stands in, and what it is at least. */
  | { readonly k: number; readonly c?: TypeExpression }
  /**
   * An object of which the members are written out, of those with a type worth following. `l`: by an object literal,
   * so that what it has beside them is not of the repository.
   */
  | { readonly o: { readonly [member: string]: TypeExpression }; readonly l?: 1 }
  /** What a conditional type may turn out to be. */
  | { readonly either: readonly [TypeExpression, TypeExpression] }
  /**
   * The value of an attribute chain, whose first segment is a name, or '?' for a value of type `r`. A segment
   * `(n)` is what the function before it takes as its n-th argument.
   */
  | { readonly v: readonly string[]; readonly r?: TypeExpression }
  /** The export `x` of a module: '*' for the module itself, '=' for what `require` returns. */
  | { readonly m: string; readonly x: string }
  /** A definition of the same file by its qualified name. */
  | { readonly s: string }
  /** An instance of a class of the same file by its qualified name (`this`). */
  | { readonly i: string }
  /** A promise of. */
  | { readonly p: TypeExpression }
  /** An array or another iterable of. */
  | { readonly a: TypeExpression }
  /** A dictionary: each member that nothing else says more of is one of. */
  | { readonly d: TypeExpression }
  /** What awaiting it gives. */
  | { readonly w: TypeExpression }
  /** An element of it. */
  | { readonly e: TypeExpression }
  /** `Omit`: without the members of these names; without `not`, which ones are left out is not known. */
  | { readonly less: TypeExpression; readonly not?: readonly string[] }
  /** One of. */
  | { readonly u: readonly TypeExpression[] }
  /** A function that returns `f`, with the types of its parameters. */
  | { readonly f: TypeExpression; readonly q?: readonly (TypeExpression | null)[] }
  /** A rest parameter: each further argument is an element of it. */
  | { readonly z: TypeExpression }
  /** Something that the language itself provides: its members are never ours. */
  | { readonly b: 1 };

/** Type arguments in order; null where nothing is known of one. */
export type TypeArguments = readonly (TypeExpression | null)[];

export const BUILTIN: TypeExpression = { b: 1 };

/** What the platform provides and declarations of the repository may add to. */
export const WINDOW: TypeExpression = { t: 'Window' };
export const IMPORT_META: TypeExpression = { t: 'ImportMeta' };
/** The names under which a `Window` is always at hand. */
export const WINDOW_NAMES = /^(?:window|globalThis|self)$/;

/** Facts are JSON: a type expression is written as it is. */
export const asJson = (type: TypeExpression): Json => type as unknown as Json;
export const fromJson = (json: Json | undefined): TypeExpression | undefined =>
  json as unknown as TypeExpression | undefined;

/** The type of what is found behind `type` under further segments. */
export const behind = (type: TypeExpression, ...segments: readonly string[]): TypeExpression => {
  if ('v' in type) return { v: [...type.v, ...segments], ...(type.r ? { r: type.r } : {}) };
  return { v: ['?', ...segments], r: type };
};

/** What calling a value of the type gives. */
export const called = (type: TypeExpression): TypeExpression => {
  if (!('v' in type)) return { v: ['?()'], r: type };
  return { v: [...type.v.slice(0, -1), `${type.v.at(-1)}()`], ...(type.r ? { r: type.r } : {}) };
};

/** The name in a segment of a chain: `new Foo` and `foo()()` without what is done to it. */
export const nameIn = (segment: string): string => {
  const call = segment.indexOf('()');
  const name = call < 0 ? segment : segment.slice(0, call);
  return name.startsWith('new ') ? name.slice(4) : name;
};

/** A symbol's name as it is written: that of a second definition, `f#2`, ends in its number. */
export function withoutNumber(name: string): string {
  const hash = name.indexOf('#');
  return hash > 0 ? name.slice(0, hash) : name;
}
