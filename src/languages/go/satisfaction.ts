/** Which interfaces of the repository a type satisfies: by names and signatures of all their methods. */

import type { Evaluation, Holder, Type } from './evaluation.js';
import type { InterfaceEntry } from './expressions.js';
import { folderOf, isTestFile, type Package } from './packages.js';
import { bareShape, shapesAgree } from './shape.js';

/** Scope under which files list interfaces, by the method that `#satisfy:` entries name. */
export const INTERFACE_SCOPE = 'go:interface';

const MAX_DEPTH = 5;

type Shapes = Map<string, string>;

/**
 * Two methods are the same by name, and by package where the name is not exported: such a method is met by embedding a
 * type of its package, as the servers of gRPC do (`mustEmbedUnimplementedGreeterServer`).
 */
function identityOf(method: string, pkg: Package): string {
  const exported = method.charAt(0) !== method.charAt(0).toLowerCase();
  return exported ? method : `${method} ${pkg.dir}:${pkg.name}`;
}

const nameOf = (identity: string): string => identity.split(' ', 1)[0] ?? '';

/** The interfaces, by path then name. */
export function satisfied(name: string, evaluation: Evaluation): Holder[] {
  const { packages } = evaluation;
  const found = evaluation.find(name, packages.current, false);
  const type = found?.value?.is === 'type' ? found.value.type : undefined;
  if (type?.is !== 'named') return [];
  const methods: Shapes = new Map();
  const shadowed = new Set<string>();
  collect([type], evaluation, methods, shadowed);
  const holders: Holder[] = [];
  for (const [method, shape] of methods) {
    const key = `${nameOf(method)}${bareShape(shape)}`;
    for (const path of packages.view.scope(INTERFACE_SCOPE, key)) {
      if (isTestFile(path) && !(isTestFile(packages.path) && folderOf(path) === packages.current.dir)) continue;
      const list = packages.view.entry(path, `#satisfy:${key}`);
      if (!Array.isArray(list)) continue;
      const declared = packages.view.entry(path, '#package');
      if (typeof declared !== 'string') continue;
      const pkg = { dir: folderOf(path), name: declared };
      for (const entry of list as unknown as readonly InterfaceEntry[]) {
        // Of several definitions under different build constraints, those that are built with this file.
        const paths = packages.files(pkg, entry[0]);
        if (paths.includes(path) && meets(methods, entry, pkg, evaluation)) holders.push({ paths, symbol: entry[0] });
      }
    }
  }
  return holders;
}

function meets(methods: Shapes, [, shapes, bases]: InterfaceEntry, pkg: Package, evaluation: Evaluation): boolean {
  const meetsAll = (asked: Iterable<readonly [string, string]>): boolean => {
    for (const [method, shape] of asked) {
      const has = methods.get(method);
      if (has === undefined || !shapesAgree(has, shape)) return false;
    }
    return true;
  };
  if (!meetsAll(Object.entries(shapes).map(([method, shape]) => [identityOf(method, pkg), shape]))) return false;
  if (bases.length === 0) return true;
  const inherited: Shapes = new Map();
  const types = bases.map((base) => evaluation.type(base, { pkg }));
  if (types.includes(undefined)) return false;
  return collect(types as Type[], evaluation, inherited, new Set()) && meetsAll(inherited);
}

/** Adds the methods of types and of what they embed, shallowest first; false where some type is not known in full. */
function collect(types: readonly Type[], evaluation: Evaluation, methods: Shapes, shadowed: Set<string>): boolean {
  let level = types;
  let complete = true;
  const seen = new Set<string>();
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth++) {
    const next: Type[] = [];
    for (const type of level) {
      if (type.is === 'named') {
        const id = `${type.pkg.dir}:${type.name}`;
        if (seen.has(id)) continue;
        seen.add(id);
        const listed = evaluation.packages.entries(type.pkg, `${type.name}.*`);
        for (const shapes of listed) {
          for (const [method, shape] of Object.entries(shapes as Readonly<Record<string, string>>)) {
            const identity = identityOf(method, type.pkg);
            if (!methods.has(identity) && !shadowed.has(method)) methods.set(identity, shape);
          }
        }
      }
      const literal = evaluation.underlying(type);
      if (!literal) complete = false;
      else if (literal.expression[0] === 'struct')
        for (const field of Object.keys(literal.expression[1])) shadowed.add(field);
      else if (literal.expression[0] === 'interface') {
        const { pkg } = literal.place;
        const asked = Object.keys(literal.expression[1]);
        if (!asked.every((method) => methods.has(identityOf(method, pkg)))) complete = false;
      }
      next.push(...evaluation.embedded(type));
    }
    level = next;
  }
  return complete;
}
