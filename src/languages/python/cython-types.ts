/** C types and declarators as Cython writes them: what they name, and what they mean for Python's evaluation. */
import { isNamePart, isNameStart, splitAt } from './lexical.js';
import type { Range } from './scan.js';
import type { Shape } from './types.js';

/** Words of a type that name nothing of a repository. */
const C_WORDS = new Set(
  `void char short int long float double signed unsigned bint size_t ssize_t Py_ssize_t Py_UNICODE Py_UCS4 Py_hash_t
   ptrdiff_t complex const volatile struct union enum inline object str bytes bytearray unicode list dict tuple set
   frozenset bool type slice public readonly api extern packed static not None or noexcept nogil gil with except`.split(
    /\s+/,
  ),
);

/** A type's name where it stands. */
export interface TypeUse {
  readonly chain: readonly string[];
  readonly at: number;
  readonly end: number;
}

/** The names of types in the text `[start, end)`, arguments included; `ndim=2` is an option. */
export function typeUses(source: string, start: number, end: number): TypeUse[] {
  const uses: TypeUse[] = [];
  const text = source.slice(start, end);
  for (const match of text.matchAll(/(?<![\w.'"])[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*(?!\w|\s*=|['"])/g)) {
    const chain = match[0].split('.');
    if (chain.length === 1 && C_WORDS.has(match[0])) continue;
    uses.push({ chain, at: start + match.index, end: start + match.index + match[0].length });
  }
  return uses;
}

/** The class that a value of the C type is an instance of; `outside` where it can be none of the repository. */
export function typeShape(text: string): Shape | undefined {
  const plain = text.replace(/\b(?:const|volatile|struct|union|enum|unsigned|signed)\b/g, ' ').trim();
  if (plain === '') return text.trim() === '' ? undefined : 'outside';
  const match = /^([A-Za-z_]\w*(?:\s*\.\s*[A-Za-z_]\w*)*)\s*(\[[\s\S]*\])?[\s*&]*$/.exec(plain);
  if (!match) return 'outside';
  const chain = (match[1] as string).split('.').map((part) => part.trim());
  if (chain.length === 1 && C_WORDS.has(chain[0] as string)) return 'outside';
  // A memoryview or an array of it.
  if (match[2]?.includes(':')) return 'outside';
  return { i: chain };
}

/** A declared name: `*x`, `x[3]`, `(*x)(int)`, with the type that stands before the first. */
export interface Declarator {
  readonly name: string;
  readonly at: number;
  /** After the name, and what stands there: `(` for a function. */
  readonly end: number;
  /** Range of the type, empty where none is written. */
  readonly type: Range;
  /** A pointer to a function: its type says nothing about the value. */
  readonly pointer: boolean;
}

const NAME_AT_END = /([A-Za-z_]\w*)\s*((?:\[[^\]]*\]\s*)*)$/;

/** Reads the declarator in `[start, end)`, without an initial value. */
export function declarator(source: string, start: number, end: number): Declarator | undefined {
  const text = source.slice(start, end);
  const pointer = /\(\s*\*+\s*(?:const\s+)?([A-Za-z_]\w*)?[^()]*\)\s*\(/.exec(text);
  if (pointer) {
    if (pointer[1] === undefined) return undefined;
    const at = start + pointer.index + pointer[0].indexOf(pointer[1]);
    return { name: pointer[1], at, end: at + pointer[1].length, type: [start, start + pointer.index], pointer: true };
  }
  const match = NAME_AT_END.exec(text);
  if (!match) return undefined;
  const name = match[1] as string;
  const at = start + match.index;
  return { name, at, end: at + name.length, type: [start, at], pointer: false };
}

/** Offset of the `=` that gives an initial or default value in `[start, end)`, or `end`. */
export function valueSign(source: string, start: number, end: number): number {
  const parts = splitAt(source, start, end, 61);
  const sign = parts[0]?.[1] ?? end;
  return sign < end && source.charCodeAt(sign) === 61 ? sign : end;
}

/** Whether the character before `at` ends a word that goes on there. */
export const insideName = (source: string, at: number): boolean =>
  at > 0 && isNamePart(source.charCodeAt(at - 1)) && isNameStart(source.charCodeAt(at));
