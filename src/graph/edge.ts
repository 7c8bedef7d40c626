/** Typed edges with provenance. Confidence follows from provenance (see confidence.ts). */

export type EdgeType =
  | 'imports'
  | 'calls'
  | 'inherits'
  | 'references'
  | 'tests'
  | 'documents'
  | 'configures'
  | 'changed_together'
  | 'shares_identifiers';

/**
 * The kind of static evidence that produced an edge. Finer than the paper's Table 11, since each is
 * calibrated on its own: what turns out equally reliable may share a number, never a name.
 */
export type Provenance =
  /** Bound in the same file. */
  | 'same-file'
  /** An import statement that names the target itself. */
  | 'import'
  /** An import that reaches the target through re-exports, aliases or a package. */
  | 'resolved-import'
  /** A use of a name that an import binds: `from m import f; f()`, `import m; m.f()`. */
  | 'imported-name'
  /** A use of a name of the same package or namespace in another file (Go, TypeScript globals). */
  | 'package-scope'
  /** Class header: `class A(B)`, `extends`, `implements`, embedding. */
  | 'inheritance'
  /** Found to satisfy an interface structurally (Go). */
  | 'interface-satisfaction'
  /** `self.x()`, `this.x()`, `super().x()` along the hierarchy. */
  | 'self-receiver'
  /** Receiver typed by an annotation or declaration. */
  | 'declared-receiver'
  /** Receiver typed by a constructor call or literal in scope. */
  | 'constructed-receiver'
  /** Receiver typed by the declared result of a call. */
  | 'returned-receiver'
  /** Receiver typed by the assignment to a field elsewhere (`self.x = Foo()` in `__init__`). */
  | 'field-receiver'
  /** A method that exactly one class hierarchy of the repository defines, receiver unknown. */
  | 'unique-member'
  /** Injected by name: pytest fixtures. */
  | 'fixture'
  /** A string that names a module, file or class. */
  | 'string'
  /** Cython .pyx/.pxd pair. */
  | 'cython'
  /** What hand-written declarations (`x.d.ts`) declare, to the script beside them (`x.js`) that defines it. */
  | 'declaration'
  /** Test linkage by imports, calls or naming. */
  | 'test-import'
  | 'test-name'
  /** A document or configuration file that names a path, module or symbol. */
  | 'documentation'
  | 'configuration'
  /** Few definers of the name, nothing says otherwise. */
  | 'fuzzy'
  | 'history'
  | 'identifiers';

/** The far end of an edge. Without a symbol: the file itself. */
export interface Target {
  readonly path: string;
  /** Qualified name in that file, as in `SymbolFact.name`. */
  readonly symbol?: string;
}

/** An outgoing edge as `link` returns it. */
export interface EdgeDraft {
  /** Index into the file's `symbols`, -1 for the file itself. */
  readonly from: number;
  readonly to: Target;
  readonly type: 'imports' | 'calls' | 'inherits' | 'references' | 'tests' | 'documents' | 'configures';
  readonly provenance: Provenance;
  /** Line of the first use, counted from 1. */
  readonly line: number;
  /**
   * Among how many equally likely targets this is one: confidence is divided by it. Absent: 1. Not whole for
   * `tests`, where it says how much of the test is about the target.
   */
  readonly among?: number;
}
