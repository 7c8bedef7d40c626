/** The syntax of Go as far as names and types need it. Types and expressions share one kind of node, as in the language. */

export type Node =
  | { readonly is: 'name'; readonly name: string; readonly row: number }
  | { readonly is: 'select'; readonly of: Node; readonly name: string; readonly row: number }
  | { readonly is: 'call'; readonly of: Node; readonly args: readonly Node[]; readonly row: number }
  /** `a[i]`, and also `F[T]`: only the other files can tell. */
  | { readonly is: 'index'; readonly of: Node; readonly args: readonly Node[]; readonly row: number }
  | { readonly is: 'slice'; readonly of: Node; readonly bounds: readonly Node[] }
  /** Without a type: the `x.(type)` of a type switch. */
  | { readonly is: 'assert'; readonly of: Node; readonly type: Node | undefined; readonly row: number }
  /** `*x`, as an expression or a type. */
  | { readonly is: 'star'; readonly of: Node }
  | { readonly is: 'unary'; readonly operator: string; readonly of: Node }
  | { readonly is: 'binary'; readonly operator: string; readonly left: Node; readonly right: Node }
  | { readonly is: 'literal'; readonly text: string; readonly row: number }
  /** `T{...}`; without a type where it is left out inside another literal. */
  | {
      readonly is: 'composite';
      readonly type: Node | undefined;
      readonly elements: readonly Element[];
      readonly row: number;
    }
  | { readonly is: 'closure'; readonly signature: Signature; readonly body: readonly Statement[] }
  | { readonly is: 'array'; readonly length: Node | undefined; readonly of: Node }
  | { readonly is: 'map'; readonly key: Node; readonly of: Node }
  | { readonly is: 'chan'; readonly of: Node }
  | { readonly is: 'func'; readonly signature: Signature }
  | { readonly is: 'struct'; readonly fields: readonly Field[] }
  | { readonly is: 'interface'; readonly methods: readonly Method[]; readonly embedded: readonly Node[] }
  | { readonly is: 'nothing' };

export interface Element {
  readonly key: Node | undefined;
  readonly value: Node;
}

/** A struct field, a parameter or a result. Embedded fields and unnamed parameters have no name. */
export interface Field {
  readonly name: string | undefined;
  readonly type: Node;
  readonly row: number;
  readonly variadic?: boolean;
}

export interface Method {
  readonly name: string;
  readonly signature: Signature;
  readonly row: number;
  readonly endRow: number;
}

export interface Signature {
  readonly params: readonly Field[];
  readonly results: readonly Field[];
}

export interface Clause {
  /** Empty for `default`. */
  readonly values: readonly Node[];
  /** The communication of a select clause. */
  readonly before: Statement | undefined;
  readonly body: readonly Statement[];
}

export type Statement =
  | { readonly is: 'expression'; readonly values: readonly Node[] }
  | { readonly is: 'define'; readonly targets: readonly Node[]; readonly values: readonly Node[] }
  | { readonly is: 'assign'; readonly targets: readonly Node[]; readonly values: readonly Node[] }
  | { readonly is: 'declare'; readonly declaration: Declaration }
  | { readonly is: 'block'; readonly body: readonly Statement[] }
  | {
      readonly is: 'if';
      readonly before: Statement | undefined;
      readonly test: readonly Node[];
      readonly then: readonly Statement[];
      readonly otherwise: Statement | undefined;
    }
  | {
      readonly is: 'for';
      readonly before: Statement | undefined;
      readonly test: readonly Node[];
      readonly after: Statement | undefined;
      readonly body: readonly Statement[];
    }
  | {
      readonly is: 'range';
      readonly targets: readonly Node[];
      readonly defines: boolean;
      readonly over: Node;
      readonly body: readonly Statement[];
    }
  | {
      readonly is: 'switch';
      readonly before: Statement | undefined;
      readonly test: Statement | undefined;
      readonly clauses: readonly Clause[];
    };

export interface TypeParameter {
  readonly name: string;
  readonly constraint: Node;
}

export interface TypeSpec {
  readonly name: string;
  readonly parameters: readonly TypeParameter[];
  readonly alias: boolean;
  readonly type: Node;
  readonly row: number;
  readonly endRow: number;
}

/** One line of a var or const declaration. In a const group `type` and `values` are repeated where left out. */
export interface ValueSpec {
  readonly names: readonly string[];
  readonly type: Node | undefined;
  readonly values: readonly Node[];
  /** Whether type and values were taken over from the line before. */
  readonly repeated: boolean;
  readonly row: number;
  readonly endRow: number;
}

export interface ImportSpec {
  readonly path: string;
  readonly alias: string | undefined;
  readonly row: number;
}

export type Declaration =
  | { readonly is: 'types'; readonly specs: readonly TypeSpec[] }
  | { readonly is: 'values'; readonly constant: boolean; readonly specs: readonly ValueSpec[] };

export interface FunctionDeclaration {
  readonly name: string;
  readonly receiver: Field | undefined;
  readonly parameters: readonly TypeParameter[];
  readonly signature: Signature;
  readonly body: readonly Statement[];
  /** The text before the body. */
  readonly header: string;
  readonly row: number;
  readonly endRow: number;
}
