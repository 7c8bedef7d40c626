/**
 * Signatures as text, comparable across files, for interface satisfaction: `(context.Context,string)(*port.User,error)`
 * names the package of each type by the last segment of its path, whatever the file calls it.
 */
import type { Imports } from './imports.js';
import { isPredeclared } from './scopes.js';
import type { Node, Signature } from './syntax.js';

/** Stands for a package whose name its path does not tell for sure. */
const UNSURE = '?';

export class Shapes {
  constructor(
    private readonly packageName: string,
    private readonly imports: Imports,
  ) {}

  /** The signature's shape; undefined where type parameters are involved. */
  of(signature: Signature, generic: ReadonlySet<string>): string | undefined {
    const params = this.list(signature.params, generic);
    const results = this.list(signature.results, generic);
    return params === undefined || results === undefined ? undefined : params + results;
  }

  private list(fields: Signature['params'], generic: ReadonlySet<string>): string | undefined {
    const types: string[] = [];
    for (const { type, variadic } of fields) {
      const shape = this.type(type, generic);
      if (shape === undefined) return undefined;
      types.push(variadic ? `...${shape}` : shape);
    }
    return `(${types.join(',')})`;
  }

  private type(type: Node, generic: ReadonlySet<string>): string | undefined {
    const inner = (prefix: string, of: Node, suffix = ''): string | undefined => {
      const shape = this.type(of, generic);
      return shape === undefined ? undefined : `${prefix}${shape}${suffix}`;
    };
    switch (type.is) {
      case 'name':
        if (generic.has(type.name)) return undefined;
        if (type.name === 'any') return 'interface';
        return isPredeclared(type.name) ? type.name : `${this.packageName}.${type.name}`;
      case 'select':
        return type.of.is === 'name' ? `${this.packageOf(type.of.name)}.${type.name}` : undefined;
      case 'star':
        return inner('*', type.of);
      case 'array':
        return inner('[]', type.of);
      case 'map': {
        const key = this.type(type.key, generic);
        return key === undefined ? undefined : inner(`map[${key}]`, type.of);
      }
      case 'chan':
        return inner('chan ', type.of);
      case 'index': {
        const args = type.args.map((arg) => this.type(arg, generic));
        return args.includes(undefined) ? undefined : inner('', type.of, `[${args.join(',')}]`);
      }
      case 'func': {
        const shape = this.of(type.signature, generic);
        return shape === undefined ? undefined : `func${shape}`;
      }
      case 'interface':
        return type.methods.length === 0 && type.embedded.length === 0 ? 'interface' : undefined;
      case 'struct':
        return type.fields.length === 0 ? 'struct' : undefined;
      default:
        return undefined;
    }
  }

  private packageOf(qualifier: string): string {
    const module = this.imports.moduleOf(qualifier);
    const last = module?.slice(module.lastIndexOf('/') + 1);
    return last !== undefined && /^[a-z][a-z_]*$/.test(last) ? last : UNSURE;
  }
}

/** The shape without packages, to look up by. */
export const bareShape = (shape: string): string => shape.replace(/[\w?]+\./g, '');

/** Whether two shapes may be of the same signature. */
export function shapesAgree(a: string, b: string): boolean {
  if (a === b) return true;
  if (bareShape(a) !== bareShape(b)) return false;
  const ofA = a.match(/[\w?]+(?=\.)/g) ?? [];
  const ofB = b.match(/[\w?]+(?=\.)/g) ?? [];
  return ofA.every((name, at) => name === ofB[at] || name === UNSURE || ofB[at] === UNSURE);
}
