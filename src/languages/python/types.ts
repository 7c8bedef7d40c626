/** How the values of expressions and the entries of a file's surface are written down. */
import type { Json } from '../../facts/model.js';

/**
 * An expression in the module's scope, as a chain of steps. The first is a name, or `name()` for its call;
 * each further one is an attribute `x`, a method call `x()`, a call of the result `()`, a subscript `[]` or an
 * iteration `[*]`. `self`, `cls` and `super()` at the start mean the receiver.
 */
export type Chain = readonly string[];

/** The value of an expression, or the type that it was declared with, as far as one file can tell. */
export type Shape =
  | Chain
  /** Nothing of this repository: a literal, an instance of a builtin. */
  | 'outside'
  /** An instance of the class that the chain names, with type arguments. */
  | { readonly i: Chain; readonly a?: readonly Shape[] }
  /** One of several. */
  | { readonly u: readonly Shape[] }
  /** Steps taken from another value. */
  | { readonly v: Shape; readonly c: Chain }
  /** A definition of this file by its qualified name. */
  | { readonly s: string }
  /** What a function-local import binds: module, name. */
  | { readonly m: string; readonly n?: string }
  /** What the pytest fixture of that name yields. */
  | { readonly f: string };

export interface ClassEntry {
  readonly k: 'c';
  readonly b?: readonly Shape[];
}

export interface FunctionEntry {
  readonly k: 'f';
  /** What a call returns: declared, else seen at its return statements. */
  readonly r?: Shape;
  /** What it yields. */
  readonly y?: Shape;
  /** How it is reached: property, static method, class method. */
  readonly d?: 'p' | 's' | 'c';
}

export interface VariableEntry {
  readonly k: 'v';
  readonly t?: Shape;
  /** Set where it has an annotation. */
  readonly d?: 1;
}

/** Alternatives in source order: `try: from a import x` / `except ImportError: from b import x`. */
export interface ImportEntry {
  readonly k: 'i';
  readonly o: readonly (readonly [module: string, name: string | null])[];
}

export type Entry = ClassEntry | FunctionEntry | VariableEntry | ImportEntry;

/** Keys of `surface.entries` that are no qualified names. */
export const STAR_IMPORTS = '*';
export const ALL = '*all';
export const fixtureKey = (name: string): string => `fixture:${name}`;

/** `FileFacts.extra` of a Python file. */
export interface PythonExtra {
  /** Functions that pytest may call, with their parameters: each may name a fixture. */
  readonly injected?: readonly (readonly [symbol: number, line: number, ...names: string[]])[];
}

export const asEntry = (json: Json | undefined): Entry | undefined => json as unknown as Entry | undefined;
export const isChain = (shape: Shape): shape is Chain => Array.isArray(shape);
