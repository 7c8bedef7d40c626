/** What names, exports and members mean across files, asked through the view. */
import type { Json } from '../../facts/model.js';
import type { LinkView } from '../../graph/view.js';
import { isObject, strings } from './configuration.js';
import { counterpart, isScript, resolveModule } from './modules.js';
import { fromJson, type TypeExpression, withoutNumber } from './type-expression.js';

/** A definition as such. */
export interface Named {
  readonly path: string;
  readonly name: string;
}

/** What the type parameters of a class, interface or alias stand for; undefined where that is not known. */
export type Arguments = readonly (Entity | undefined)[];

/** What a value or a name turns out to be. `declared` is what declarations beside a script say of it. */
export type Entity =
  /** The module itself, with its exports as members. */
  | { readonly is: 'module'; readonly path: string }
  /** A definition: a function, a class as a value, a variable. */
  | {
      readonly is: 'definition';
      readonly path: string;
      readonly name: string;
      readonly declared?: Named;
      /** Whether it was reached as what an object literal holds: a mention of the key is none of the variable. */
      readonly isHeld?: boolean;
      /** Of a member: the type arguments of what it was found on. */
      readonly args?: Arguments | undefined;
    }
  /** An instance of a class or interface. */
  | {
      readonly is: 'instance';
      readonly path: string;
      readonly name: string;
      readonly declared?: Named;
      readonly args?: Arguments | undefined;
    }
  /** An object whose members are written out where its type stands. */
  | {
      readonly is: 'object';
      readonly path: string;
      readonly members: { readonly [name: string]: TypeExpression };
      readonly isLiteral: boolean;
      readonly args: Arguments | undefined;
    }
  | { readonly is: 'promise' | 'array' | 'dictionary'; readonly of: Entity }
  /** A function without a name: what it returns, and its parameters' types as a file has them written. */
  | {
      readonly is: 'function';
      readonly of: Entity | undefined;
      readonly path: string;
      readonly parameters: readonly (TypeExpression | null)[];
      readonly args?: Arguments | undefined;
    }
  | { readonly is: 'union'; readonly of: readonly Entity[] }
  /** Something without the members of some names, which are known or not. */
  | { readonly is: 'less'; readonly of: Entity; readonly not: readonly string[] | undefined }
  /** Something written down as a type expression in a file, not evaluated yet. */
  | {
      readonly is: 'expression';
      readonly path: string;
      readonly type: TypeExpression;
      readonly args?: Arguments | undefined;
    }
  /** Known not to be of this repository. */
  | { readonly is: 'outside' };

export const OUTSIDE: Entity = { is: 'outside' };

/** What a file's surface says of a definition (see facts.ts). */
export interface Entry {
  readonly kind: string;
  readonly bases: readonly TypeExpression[];
  readonly returns: TypeExpression | undefined;
  readonly type: TypeExpression | undefined;
  /** Whether an alias has members of its own beside what it is made of. */
  readonly hasMembers: boolean;
  /** Whether what it says mentions type parameters of its owner. */
  readonly isGeneric: boolean;
  readonly parameters: readonly (TypeExpression | null)[];
}

export function entryFrom(json: Json | undefined): Entry | undefined {
  if (!isObject(json)) return undefined;
  return {
    kind: typeof json.k === 'string' ? json.k : '',
    bases: Array.isArray(json.b) ? json.b.map((base) => fromJson(base) as TypeExpression) : [],
    returns: fromJson(json.r),
    type: fromJson(json.t),
    hasMembers: json.o === 1,
    isGeneric: json.g === 1,
    parameters: Array.isArray(json.q) ? json.q.map((one) => (one === null ? null : (fromJson(one) ?? null))) : [],
  };
}

const isComponent = (path: string): boolean => /\.(?:vue|svelte|json)$/.test(path);

/** What a module exports under a name: '*' is the module itself, '=' what `require` gives. */
export function exportOf(view: LinkView, path: string, name: string): Entity | undefined {
  return view.derive(`typescript:export:${path}\0${name}`, () => followExport(view, path, name, new Set()));
}

function followExport(view: LinkView, path: string, name: string, seen: Set<string>): Entity | undefined {
  if (name === '*') return { is: 'module', path };
  const key = `${path}\0${name}`;
  if (seen.has(key)) return undefined;
  seen.add(key);
  const own = followEntry(view, path, view.entry(path, `x:${name}`), seen);
  if (own) return own;
  if (isComponent(path)) return name === 'default' ? { is: 'module', path } : undefined;
  if (name === '=') return { is: 'module', path };
  const whole = view.entry(path, 'x:=');
  if (whole !== undefined) {
    const value = followEntry(view, path, whole, seen);
    if (value?.is === 'outside') return value;
    if (value?.is === 'module') return followExport(view, value.path, name, seen);
    const member = value?.is === 'definition' ? memberOfNamespace(view, value, name, seen) : undefined;
    if (member) return member;
    if (name === 'default') return value;
  }
  if (name === 'default') return undefined;
  for (const star of strings(view.entry(path, 'x*'))) {
    const module = resolveModule(view, path, star);
    const found = module && followExport(view, module.path, name, seen);
    if (found) return found;
  }
  return undefined;
}

/** What a namespace declares under a name, or exports of the names around it. */
function memberOfNamespace(view: LinkView, of: Named, name: string, seen: Set<string>): Entity | undefined {
  // What a key of `module.exports` names, before the key itself.
  const isExported = withoutNumber(of.name) === 'exports' && view.entry(of.path, `x:${name}`) !== undefined;
  if (isExported) return followExport(view, of.path, name, seen);
  const member = `${of.name}.${name}`;
  if (view.entry(of.path, `.${member}`) !== undefined) return { is: 'definition', path: of.path, name: member };
  return followEntry(view, of.path, view.entry(of.path, `x:${member}`), seen);
}

function followEntry(view: LinkView, path: string, entry: Json | undefined, seen: Set<string>): Entity | undefined {
  if (typeof entry === 'string') return { is: 'definition', path, name: entry };
  if (!isObject(entry)) return undefined;
  if (typeof entry.m === 'string') {
    const module = resolveModule(view, path, entry.m);
    return module ? followExport(view, module.path, typeof entry.x === 'string' ? entry.x : '*', seen) : OUTSIDE;
  }
  const type = fromJson(entry.v);
  return type && { is: 'expression', path, type };
}

/** What an import of `specifier` in a file of that path gives under an exported name. */
export function imported(view: LinkView, path: string, specifier: string, name: string): Entity | undefined {
  if (specifier === '.') return exportOf(view, path, name);
  const module = resolveModule(view, path, specifier);
  if (!module) return OUTSIDE;
  return declaredExportOf(view, module.path, name);
}

/** `exportOf`; of a script, with what the declarations beside it say of that export. */
export function declaredExportOf(view: LinkView, path: string, name: string): Entity | undefined {
  const found = exportOf(view, path, name);
  const beside = isScript(path) && name !== '*' ? counterpart(view, path) : undefined;
  const declared = beside === undefined ? undefined : exportOf(view, beside, name);
  if (declared?.is !== 'definition') return found;
  if (found?.is === 'definition') return { ...found, declared: { path: declared.path, name: declared.name } };
  // What only the declarations name is made in some way that the script does not show.
  return !found || found.is === 'expression' ? declared : found;
}

/** What a name of a module's own scope stands for, as a type or as a value. */
export function nameOf(view: LinkView, path: string, name: string, asType: boolean): Entity | undefined {
  const binding = view.entry(path, `i:${name}`);
  if (isObject(binding)) return imported(view, path, String(binding.m), String(binding.x));
  if (asType) {
    const twin = view.entry(path, `t:${name}`);
    if (typeof twin === 'string') return { is: 'definition', path, name: twin };
  }
  if (view.entry(path, `.${name}`) !== undefined) return { is: 'definition', path, name };
  return ambient(view, path, name, asType);
}

/** The name of what a file declares as a global of that name, a value where it is one; undefined where it is no value. */
function globalValue(view: LinkView, file: string, name: string): string | undefined {
  const inModule = view.entry(file, `g:${name}`);
  if (isObject(inModule)) return typeof inModule.v === 'string' ? inModule.v : undefined;
  const kind = entryFrom(view.entry(file, `.${name}`))?.kind;
  if (kind !== 'i' && kind !== 't') return name;
  const value = view.entry(file, `v:${name}`);
  return typeof value === 'string' ? value : undefined;
}

/** A global that a file of the repository declares; of several files, one where it is a value too. */
export function ambient(view: LinkView, path: string, name: string, asType: boolean): Entity | undefined {
  const all = view.scope('typescript:globals', name);
  if (all.length === 0) return undefined;
  const values = view.derive(`typescript:global-value:${name}`, () =>
    view.scope('typescript:globals', name).filter((file) => globalValue(view, file, name) !== undefined),
  );
  const file = nearest(values.length > 0 ? values : all, path);
  const type = globalType(view, file, name);
  return { is: 'definition', path: file, name: asType ? type : (globalValue(view, file, name) ?? type) };
}

/** The name of what a file declares as a global type of that name. */
export function globalType(view: LinkView, file: string, name: string): string {
  const inModule = view.entry(file, `g:${name}`);
  return isObject(inModule) && typeof inModule.t === 'string' ? inModule.t : name;
}

function nearest(files: readonly string[], path: string): string {
  const shared = (file: string): number => {
    let at = 0;
    while (at < file.length && file[at] === path[at]) at++;
    return at;
  };
  return files.reduce((best, file) => (shared(file) > shared(best) ? file : best));
}

const LONGEST_HIERARCHY = 64;

/** Where a class or interface, or what it inherits from, defines a member. */
export function memberOf(view: LinkView, path: string, owner: string, member: string): Entity | undefined {
  return view.derive(`typescript:member:${path}\0${owner}\0${member}`, () => {
    const queue: { readonly path: string; readonly name: string }[] = [{ path, name: owner }];
    const seen = new Set<string>();
    for (let next = queue.shift(); next && seen.size < LONGEST_HIERARCHY; next = queue.shift()) {
      const key = `${next.path}\0${next.name}`;
      if (seen.has(key)) continue;
      seen.add(key);
      const name = `${next.name}.${member}`;
      if (view.entry(next.path, `.${name}`) !== undefined) return { is: 'definition', path: next.path, name };
      queue.push(...basesOf(view, next.path, next.name, member));
    }
    return undefined;
  });
}

/**
 * The direct bases of a class or interface that the repository defines; for an alias, what it stands for. With
 * `member`, those that are not without it.
 */
function basesOf(view: LinkView, path: string, name: string, member: string): { path: string; name: string }[] {
  const entry = entryFrom(view.entry(path, `.${name}`));
  if (!entry) return [];
  const all = entry.kind === 't' && entry.type ? [entry.type] : [...entry.bases];
  const first = withoutNumber(name);
  // Declarations of one name are one interface.
  const merged = first === name ? [] : [{ path, name: first }];
  const twin = view.entry(path, `t:${name}`);
  if (typeof twin === 'string' && twin !== name) merged.push({ path, name: twin });
  return [...merged, ...all.flatMap((base) => namedTypes(view, path, base, member))];
}

/** The definitions that a base names directly. Calls (mixins) are not evaluated here. */
function namedTypes(
  view: LinkView,
  path: string,
  type: TypeExpression,
  member: string,
): { path: string; name: string }[] {
  if ('u' in type) return type.u.flatMap((one) => namedTypes(view, path, one, member));
  if ('less' in type) return type.not?.includes(member) ? [] : namedTypes(view, path, type.less, member);
  let entity: Entity | undefined;
  if ('t' in type || 'n' in type) entity = dottedName(view, path, 't' in type ? type.t : type.n);
  else if ('s' in type || 'i' in type) return [{ path, name: 's' in type ? type.s : type.i }];
  else if ('m' in type) entity = imported(view, path, type.m, type.x);
  return entity?.is === 'definition' ? [{ path: entity.path, name: entity.name }] : [];
}

/** `A.B.C` as a type, through modules and namespaces. */
export function dottedName(view: LinkView, path: string, dotted: string): Entity | undefined {
  const [first = '', ...rest] = dotted.split('.');
  let entity = nameOf(view, path, first, rest.length === 0);
  for (const segment of rest) {
    if (entity?.is === 'module') entity = declaredExportOf(view, entity.path, segment);
    else if (entity?.is === 'definition') entity = memberOfNamespace(view, entity, segment, new Set());
    else return entity?.is === 'outside' ? entity : undefined;
  }
  return entity;
}
