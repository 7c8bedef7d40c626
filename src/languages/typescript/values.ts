/** What values and types are: type expressions and chains of names to definitions, instances and what is outside. */
import type { FileFacts, Json } from '../../facts/model.js';
import type { Target } from '../../graph/edge.js';
import type { LinkView } from '../../graph/view.js';
import { isObject } from './configuration.js';
import {
  type Arguments,
  ambient,
  declaredExportOf,
  dottedName,
  type Entity,
  type Entry,
  entryFrom,
  globalType,
  imported,
  memberOf,
  type Named,
  nameOf,
  OUTSIDE,
} from './members.js';
import { nameIn, type TypeExpression, withoutNumber } from './type-expression.js';

/** How many steps one evaluation may take from type to type: what needs more is unknown. */
const DEEPEST = 12;
/** How many parts of a union are told of: enough for a discriminated union of options. */
const MOST_TARGETS = 24;
const OF_ALL_OBJECTS = new Set(['constructor', 'hasOwnProperty', 'toString', 'valueOf']);
type Instance = Extract<Entity, { readonly is: 'instance' }>;
type Definition = Extract<Entity, { readonly is: 'definition' }>;

/** What a segment of a chain is, and the definition that its mention points to. */
export interface Step {
  readonly entity: Entity | undefined;
  readonly target?: Target;
}

/** What the values and types are that a file names, asked through the view. */
export class Values {
  private readonly types = new Map<string, Entity | undefined>();
  private readonly values = new Map<string, Entity | undefined>();
  private readonly local: { readonly [key: string]: Json | undefined };

  constructor(
    readonly path: string,
    { extra }: Pick<FileFacts, 'extra'>,
    readonly view: LinkView,
  ) {
    const local = isObject(extra) ? extra.local : undefined;
    this.local = isObject(local) ? local : {};
  }

  /** What is said of a definition; nested ones are known to their own file only. */
  entry(path: string, name: string): Entry | undefined {
    return (
      entryFrom(this.view.entry(path, `.${name}`)) ??
      (path === this.path ? entryFrom(this.local[`.${name}`]) : undefined)
    );
  }

  /** `nameOf`, remembered for the file itself. */
  private name(path: string, name: string, asType: boolean): Entity | undefined {
    if (path !== this.path) return this.meaning(path, name, asType);
    const known = asType ? this.types : this.values;
    if (!known.has(name)) known.set(name, this.meaning(path, name, asType));
    return known.get(name);
  }

  /**
   * A value is never an interface or alias: behind `interface Both`, `const Both` is what `Both.make()` means, and
   * beside a mere `type Error`, `new Error()` is the platform's.
   */
  private meaning(path: string, name: string, asType: boolean): Entity | undefined {
    const entity = nameOf(this.view, path, name, asType);
    if (asType || entity?.is !== 'definition') return entity;
    const kind = this.entry(entity.path, entity.name)?.kind;
    if (kind !== 't' && kind !== 'i') return entity;
    const value = this.view.entry(entity.path, `v:${entity.name}`);
    if (typeof value === 'string') return { ...entity, name: value };
    // An interface in `declare global` may add to what another file declares.
    const isGlobal = entity.path === path && this.view.entry(path, `g:${name}`) !== undefined;
    const global = isGlobal ? ambient(this.view, path, name, false) : undefined;
    const isValue = global?.is === 'definition' && !/^[it]$/.test(this.entry(global.path, global.name)?.kind ?? '');
    return isValue ? global : OUTSIDE;
  }

  private isOwnLocal(path: string, name: string): boolean {
    return path === this.path && this.local[`.${name}`] !== undefined;
  }

  member(path: string, owner: string, member: string, depth = 0): Entity | undefined {
    if (this.isOwnLocal(path, owner)) {
      const name = `${owner}.${member}`;
      if (this.entry(path, name)) return { is: 'definition', path, name };
      for (const base of this.local[`.${owner}`] ? (this.entry(path, owner)?.bases ?? []) : []) {
        const entity = depth < DEEPEST ? this.evaluate(base, path, depth + 1) : undefined;
        const found = entity?.is === 'instance' ? this.member(entity.path, entity.name, member, depth + 1) : undefined;
        if (found) return found;
      }
      return undefined;
    }
    return memberOf(this.view, path, owner, member);
  }

  private instance(entity: Entity | undefined, depth: number, args?: Arguments): Entity | undefined {
    if (entity?.is !== 'definition') return entity?.is === 'outside' ? entity : undefined;
    const entry = this.entry(entity.path, entity.name);
    if (entry?.kind === 't' && entry.type && !entry.hasMembers && depth < DEEPEST) {
      // An alias with members of its own is a type like an interface; others stand for what they name.
      const meant = this.evaluate(entry.type, entity.path, depth + 1, args);
      if (meant && meant.is !== 'outside') return meant;
    }
    return { ...entity, is: 'instance', args };
  }

  /** What declarations beside a script say that a definition of it is. */
  private asDeclared(entity: Entity): Entity | undefined {
    return 'declared' in entity && entity.declared ? { is: 'definition', ...entity.declared } : undefined;
  }

  /** What a type written in the file at `path` is, with what the type parameters around it stand for. */
  evaluate(type: TypeExpression | undefined, path: string, depth = 0, args?: Arguments): Entity | undefined {
    if (!type || depth > DEEPEST) return undefined;
    if ('t' in type || 'n' in type) {
      const given = type.g?.map((one) => one && ({ is: 'expression', path, type: one, args } as const)) ?? undefined;
      const named = dottedName(this.view, path, 't' in type ? type.t : type.n);
      return this.instance(
        named,
        depth,
        given?.map((one) => one ?? undefined),
      );
    }
    if ('k' in type) {
      const given = this.settled(args?.[type.k], depth);
      return given ?? this.evaluate(type.c, path, depth + 1, args);
    }
    if ('o' in type) return { is: 'object', path, members: type.o, isLiteral: type.l === 1, args };
    if ('less' in type) {
      const of = this.evaluate(type.less, path, depth + 1, args);
      return of && of.is !== 'outside' ? { is: 'less', of, not: type.not } : of;
    }
    if ('either' in type) {
      const [yes, no] = type.either.map((one) => this.evaluate(one, path, depth + 1, args));
      return yes && no && same(yes, no) ? yes : undefined;
    }
    if ('i' in type) return { is: 'instance', path, name: type.i, args };
    if ('s' in type) return { is: 'definition', path, name: type.s };
    if ('m' in type) return this.settled(imported(this.view, path, type.m, type.x), depth);
    if ('p' in type) {
      const of = this.evaluate(type.p, path, depth + 1, args);
      return of && (of.is === 'promise' ? of : { is: 'promise', of });
    }
    if ('a' in type) {
      const of = this.evaluate(type.a, path, depth + 1, args);
      return of && { is: 'array', of };
    }
    if ('d' in type) {
      const of = this.evaluate(type.d, path, depth + 1, args);
      return of && { is: 'dictionary', of };
    }
    if ('f' in type) {
      const of = this.evaluate(type.f, path, depth + 1, args);
      return { is: 'function', of, path, parameters: type.q ?? [], args };
    }
    if ('z' in type) return this.evaluate(type.z, path, depth + 1, args);
    if ('w' in type) {
      const inner = this.evaluate(type.w, path, depth + 1, args);
      return inner?.is === 'promise' ? inner.of : inner;
    }
    if ('e' in type) {
      const inner = this.evaluate(type.e, path, depth + 1, args);
      return inner?.is === 'array' ? inner.of : inner?.is === 'outside' ? inner : undefined;
    }
    if ('u' in type) {
      const all = type.u.map((one) => this.evaluate(one, path, depth + 1, args)).filter((one) => one !== undefined);
      const ours = all.filter((one) => one.is !== 'outside');
      return ours.length > 1 ? { is: 'union', of: ours } : (ours[0] ?? all[0]);
    }
    if ('b' in type) return OUTSIDE;
    const steps = this.walk(type.v, type.r, path, depth + 1, false, args);
    return steps.length === type.v.length ? this.valueOf(steps.at(-1)?.entity, depth + 1) : outsideOf(steps);
  }

  /** An exported value expression evaluated. */
  settled(entity: Entity | undefined, depth: number): Entity | undefined {
    return entity?.is === 'expression' ? this.evaluate(entity.type, entity.path, depth + 1, entity.args) : entity;
  }

  /** What a definition is worth when it is read: for a variable or field, the value that it holds. */
  private valueOf(entity: Entity | undefined, depth: number): Entity | undefined {
    if (entity?.is !== 'definition' || depth > DEEPEST) return this.settled(entity, depth);
    const declared = this.asDeclared(entity);
    const said = declared && this.valueOf(declared, depth + 1);
    if (said && said.is !== 'definition' && said.is !== 'outside') return said;
    const entry = this.entry(entity.path, entity.name);
    if (!entry || !/^[vp]$/.test(entry.kind)) return entity;
    const type = entry.type ?? (entry.kind === 'p' ? entry.returns : undefined);
    return this.evaluate(type, entity.path, depth + 1, entity.args) ?? entity;
  }

  private called(entity: Entity | undefined, receiver: Entity | undefined, depth: number): Entity | undefined {
    if (!entity || depth > DEEPEST) return undefined;
    if (entity.is === 'outside') return entity;
    if (entity.is === 'function') return entity.of;
    if (entity.is === 'union') return this.eitherOf(entity.of.map((one) => this.called(one, undefined, depth + 1)));
    if (entity.is !== 'definition' && entity.is !== 'instance') return undefined;
    const entry = this.entry(entity.path, entity.name);
    if (entity.is === 'definition' && entry?.kind !== 'c') {
      const declared = this.asDeclared(entity);
      const said = declared && this.called(declared, receiver, depth + 1);
      if (said && said.is !== 'outside') return said;
    }
    if (!entry) return undefined;
    if (entity.is === 'instance') {
      if (!entry.returns && entry.hasMembers)
        return this.called(this.partsOf(entity, entry, depth), undefined, depth + 1);
      return this.evaluate(entry.returns, entity.path, depth + 1, entity.args);
    }
    if (entry.kind === 'c') return { ...entity, is: 'instance', args: undefined };
    if (entry.returns) {
      const { returns } = entry;
      // A method that returns `this` returns what it was called on.
      if ('i' in returns && receiver?.is === 'instance' && entity.name.startsWith(`${returns.i}.`)) return receiver;
      return this.evaluate(returns, entity.path, depth + 1, entity.args);
    }
    const held = this.valueOf(entity, depth + 1);
    if (held?.is === 'function') return held.of;
    if (held?.is === 'instance') return this.called(held, undefined, depth + 1);
    if (held && held.is === 'definition' && (held.path !== entity.path || held.name !== entity.name)) {
      return this.called(held, undefined, depth + 1);
    }
    return held?.is === 'outside' ? held : undefined;
  }

  /** What is known to be one of several, each once. */
  private eitherOf(all: readonly (Entity | undefined)[]): Entity | undefined {
    const found = all.flatMap((one) => (one?.is === 'union' ? one.of : one ? [one] : []));
    const ours = found.filter((one) => one.is !== 'outside');
    return oneOf(ours, MOST_TARGETS) ?? found[0];
  }

  /** What a function takes as its n-th argument. */
  private parameterOf(entity: Entity, position: number, depth: number): Entity | undefined {
    if (depth > DEEPEST) return undefined;
    switch (entity.is) {
      case 'outside':
        return entity;
      case 'function':
        return this.parameter(entity.parameters, position, entity, depth);
      case 'expression':
      case 'union': {
        const all = entity.is === 'union' ? entity.of : [this.settled(entity, depth)];
        for (const one of all) {
          const found = one && this.parameterOf(one, position, depth + 1);
          if (found && found.is !== 'outside') return found;
        }
        return undefined;
      }
      case 'instance':
      case 'definition': {
        const declared = this.asDeclared(entity);
        const said = declared && this.parameterOf(declared, position, depth + 1);
        if (said && said.is !== 'outside') return said;
        const entry = this.entry(entity.path, entity.name);
        const made = entry?.kind === 'c' ? this.member(entity.path, entity.name, 'constructor') : undefined;
        if (made?.is === 'definition') return this.parameterOf(made, position, depth + 1);
        if (entry?.hasMembers && entry.parameters.length === 0) {
          const parts = this.partsOf(entity, entry, depth);
          return parts && this.parameterOf(parts, position, depth + 1);
        }
        if (entry && entry.parameters.length > 0) {
          return this.parameter(entry.parameters, position, entity, depth);
        }
        const value = this.valueOf(entity, depth + 1);
        return value && value !== entity && !same(value, entity)
          ? this.parameterOf(value, position, depth + 1)
          : undefined;
      }
      default:
        return undefined;
    }
  }

  private parameter(
    types: readonly (TypeExpression | null)[],
    position: number,
    { path, args }: { readonly path: string; readonly args?: Arguments | undefined },
    depth: number,
  ): Entity | undefined {
    // Overloads are one list: where one of them has a rest parameter, others may still have one of their own.
    const parts = (type: TypeExpression | null | undefined): readonly TypeExpression[] =>
      type ? ('u' in type ? type.u : [type]) : [];
    const all = [
      ...parts(types[position]),
      ...types.slice(0, position).flatMap((type) => parts(type).filter((one) => 'z' in one)),
    ];
    const found: Entity[] = [];
    for (const one of all) {
      const entity = this.evaluate(one, path, depth + 1, args);
      const element = 'z' in one && entity?.is === 'array' ? entity.of : entity;
      if (element && element.is !== 'outside') found.push(...(element.is === 'union' ? element.of : [element]));
    }
    return oneOf(found);
  }

  /** The member `name` of an entity, and the definitions that a mention of it points to. */
  private select(entity: Entity | undefined, name: string, depth: number): Entity | undefined {
    if (!entity || depth > DEEPEST) return undefined;
    switch (entity.is) {
      case 'outside':
        return entity;
      case 'module':
        return declaredExportOf(this.view, entity.path, name);
      case 'instance': {
        const found = this.declaredMember(entity, name);
        if (found) return this.applied(found, entity, depth);
        const entry = this.entry(entity.path, entity.name);
        if (entry?.hasMembers) return this.select(this.partsOf(entity, entry, depth), name, depth + 1);
        const written = entry && this.select(this.writtenBases(entity, entry, depth), name, depth + 1);
        return written ?? this.memberElsewhere(entity, name);
      }
      case 'definition': {
        const own = this.declaredMember(entity, name);
        if (own) return this.behindKey(own, depth);
        const value = this.valueOf(entity, depth + 1);
        return value && value !== entity && value.is !== 'definition'
          ? this.select(value, name, depth + 1)
          : this.otherDefinition(entity, value, name, depth);
      }
      case 'union': {
        const select = (one: Entity): Entity | undefined => this.select(one, name, depth + 1);
        const literal = entity.of.find(
          (one) => one.is === 'object' && one.isLiteral && Object.hasOwn(one.members, name),
        );
        if (literal) return select(literal);
        const named = entity.of.filter(({ is }) => is !== 'dictionary');
        // What is left out of a part is what the others say anew.
        const sure = named.filter((one) => one.is !== 'less' || one.not);
        for (const parts of [sure, named]) {
          const all = parts.map(select).filter((one) => one !== undefined);
          if (all.some((one) => one.is !== 'outside')) return oneOf(all, MOST_TARGETS);
        }
        return oneOf(
          entity.of.map(select).filter((one) => one !== undefined),
          MOST_TARGETS,
        );
      }
      case 'less':
        return entity.not?.includes(name) ? undefined : this.select(entity.of, name, depth + 1);
      case 'array':
        if (name === '[]' || /^(?:find|findLast|pop|shift|at)$/.test(name))
          return name === '[]' ? entity.of : returning(entity.of);
        if (/^(?:filter|slice|reverse|sort|concat)$/.test(name)) return returning(entity);
        return OUTSIDE;
      case 'dictionary':
        return OF_ALL_OBJECTS.has(name) ? OUTSIDE : entity.of;
      case 'promise':
        return /^(?:catch|finally)$/.test(name) ? returning(entity) : OUTSIDE;
      case 'object':
        return Object.hasOwn(entity.members, name)
          ? this.held(this.evaluate(entity.members[name], entity.path, depth + 1, entity.args))
          : entity.isLiteral
            ? OUTSIDE
            : undefined;
      case 'function':
        return OUTSIDE;
      case 'expression':
        return this.select(this.settled(entity, depth), name, depth + 1);
    }
  }

  /** What an object holds: a function by a key is that function, but a variable's value is not the variable. */
  private held(entity: Entity | undefined): Entity | undefined {
    if (entity?.is !== 'definition') return entity;
    return /^[vp]$/.test(this.entry(entity.path, entity.name)?.kind ?? '') ? { ...entity, isHeld: true } : entity;
  }

  /**
   * `{ run }` and `{ run: start }` are no definitions where they name a function or class, and in what a module exports
   * whatever they name: what is called or read is what they name.
   */
  private behindKey(member: Entity, depth: number): Entity {
    if (member.is !== 'definition') return member;
    const { kind, type } = this.entry(member.path, member.name) ?? {};
    const isName =
      kind === 'p' && type && 'v' in type && !type.r && type.v.length === 1 && !/\W$/.test(type.v[0] ?? '');
    const owner = member.name.slice(0, member.name.lastIndexOf('.'));
    if (!isName || !isLiteral(this.entry(member.path, owner)?.type)) return member;
    const named = this.walk(type.v, undefined, member.path, depth + 1)[0]?.target;
    if (named?.symbol === undefined) return member;
    const isDefined = /^[fmc]$/.test(this.entry(named.path, named.symbol)?.kind ?? '');
    return isDefined || withoutNumber(owner) === 'exports'
      ? { is: 'definition', path: named.path, name: named.symbol }
      : member;
  }

  /** A member by the script that defines its owner, with what declarations beside the script say of it. */
  private declaredMember(
    { path, name: owner, declared }: Named & { readonly declared?: Named },
    name: string,
  ): Entity | undefined {
    const found = this.member(path, owner, name);
    const said = declared && this.member(declared.path, declared.name, name);
    if (!found || said?.is !== 'definition') return found ?? said;
    return found.is === 'definition' ? { ...found, declared: { path: said.path, name: said.name } } : found;
  }

  /** A member with the type arguments that its owner has on the way from the instance that it was found on. */
  private applied(member: Entity, on: Instance, depth: number): Entity {
    if (member.is !== 'definition' || !this.entry(member.path, member.name)?.isGeneric) return member;
    const owner = member.name.slice(0, member.name.lastIndexOf('.'));
    const args = this.argumentsOf(on, { path: member.path, name: owner }, depth);
    return args ? { ...member, args } : member;
  }

  private argumentsOf(on: Instance, owner: Named, depth: number): Arguments | undefined {
    const isOwner = on.path === owner.path && withoutNumber(on.name) === withoutNumber(owner.name);
    if (isOwner || depth > DEEPEST) return isOwner ? on.args : undefined;
    const entry = this.entry(on.path, on.name);
    for (const base of entry?.kind === 't' && entry.type ? [entry.type] : (entry?.bases ?? [])) {
      const meant = this.evaluate(base, on.path, depth + 1, on.args);
      for (const part of meant?.is === 'union' ? meant.of : [meant]) {
        const one = part?.is === 'less' ? part.of : part;
        const found = one?.is === 'instance' ? this.argumentsOf(one, owner, depth + 1) : undefined;
        if (found) return found;
      }
    }
    return undefined;
  }

  /** What an alias is made of beside its own members. */
  private partsOf({ path, args }: Instance | Definition, { type }: Entry, depth: number): Entity | undefined {
    return depth < DEEPEST ? this.evaluate(type, path, depth + 1, args) : undefined;
  }

  /** A member that another declaration of a global interface has: those of `Window` may stand in many files. */
  private memberElsewhere({ path, name }: Instance, member: string): Entity | undefined {
    const written = withoutNumber(name);
    const files = name.includes('.') ? [] : this.view.scope('typescript:globals', written);
    if (!files.includes(path)) return undefined;
    for (const file of files) {
      const found = file === path ? undefined : this.member(file, globalType(this.view, file, written), member);
      if (found) return found;
    }
    return undefined;
  }

  /** The object types among what a class or interface extends: `interface A extends Omit<B, 'x'> & { x: X }`. */
  private writtenBases({ path, args }: Instance, { bases }: Entry, depth: number): Entity | undefined {
    const parts = bases.flatMap((base) => ('u' in base ? base.u : [base])).filter((part) => 'o' in part);
    return parts.length > 0 && depth < DEEPEST ? this.evaluate({ u: parts }, path, depth + 1, args) : undefined;
  }

  private otherDefinition(entity: Entity, value: Entity | undefined, name: string, depth: number): Entity | undefined {
    return value && value.is === 'definition' && !same(value, entity) ? this.select(value, name, depth + 1) : undefined;
  }

  /** Evaluates a chain segment by segment, as far as it is known. */
  walk(
    chain: readonly string[],
    root: TypeExpression | undefined,
    path: string,
    depth: number,
    asType = false,
    args?: Arguments,
  ): Step[] {
    const steps: Step[] = [];
    const [first = ''] = chain;
    const name = nameIn(first);
    let entity = root
      ? this.evaluate(root, path, depth + 1, args)
      : this.name(path, name, asType && chain.length === 1);
    if (root && first === 'super' && entity?.is === 'instance') entity = this.parent(entity, depth);
    let receiver: Entity | undefined;
    const record = (segment: string): void => {
      const target = targetOf(entity);
      const call = segment.indexOf('()');
      const calls = call < 0 ? 0 : segment.length - call;
      let value = this.settled(entity, depth);
      for (let call = 0; call < calls; call += 2) value = this.called(value, receiver, depth);
      steps.push({ entity: value, ...(target ? { target } : {}) });
      receiver = calls > 0 ? value : this.valueOf(value, depth);
      entity = receiver;
    };
    if (!entity) return steps;
    record(first);
    for (const segment of chain.slice(1)) {
      const before = steps.at(-1)?.entity;
      if (!before) return steps;
      if (segment === 'new()') {
        steps.push({ entity: this.instance(before.is === 'definition' ? before : undefined, depth) });
        continue;
      }
      const argument = /^\((\d+)\)(?:\(\))*$/.exec(segment)?.[1];
      if (argument !== undefined) {
        const taken = this.parameterOf(before, Number(argument), depth + 1);
        if (!taken) return steps;
        const value = segment.endsWith('()') ? this.called(taken, undefined, depth + 1) : taken;
        if (!value) return steps;
        steps.push({ entity: value });
        receiver = value;
        continue;
      }
      const member = nameIn(segment);
      entity = this.select(before, member, depth);
      if (!entity) return steps;
      record(segment);
    }
    return steps;
  }

  private parent(entity: Entity, depth: number): Entity | undefined {
    if (entity.is !== 'instance') return undefined;
    const bases = this.entry(entity.path, entity.name)?.bases ?? [];
    const all = bases
      .map((base) => this.evaluate(base, entity.path, depth + 1, entity.args))
      .filter((one) => one !== undefined);
    return all.length > 1 ? { is: 'union', of: all } : all[0];
  }
}

/** Whether a type is what was read from an object literal, and not declared. */
function isLiteral(type: TypeExpression | undefined): boolean {
  return type !== undefined && ('o' in type ? type.l === 1 : 'u' in type && type.u.some(isLiteral));
}

const returning = (of: Entity): Entity => ({ is: 'function', of, path: '', parameters: [] });

/** The definition that a mention points to. */
export function targetOf(entity: Entity | undefined): Target | undefined {
  return entity?.is === 'definition' && !entity.isHeld ? { path: entity.path, symbol: entity.name } : undefined;
}

/** The outside, where a chain leads there. */
export function outsideOf(steps: readonly Step[]): Entity | undefined {
  return steps.some((step) => step.entity?.is === 'outside') ? OUTSIDE : undefined;
}

function same(a: Entity, b: Entity): boolean {
  if (a === b) return true;
  if (a.is !== b.is) return false;
  if ('name' in a && 'name' in b) return a.path === b.path && a.name === b.name;
  if (a.is === 'object' && b.is === 'object') return a.members === b.members;
  return a.is === 'module' && b.is === 'module' && a.path === b.path;
}

/** What is one of several entities, each counted once, of which the first `most` are kept. */
function oneOf(all: readonly Entity[], most = all.length): Entity | undefined {
  const distinct = all.filter((one, index) => all.findIndex((other) => same(one, other)) === index);
  return distinct.length > 1 ? { is: 'union', of: distinct.slice(0, most) } : distinct[0];
}
