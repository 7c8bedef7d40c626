/**
 * Signatures as text, comparable across files: types without their package, so that `Context` in one
 * file and `ctx.Context` in another are alike. For interface satisfaction.
 */
import type { Node, Signature } from './syntax.js';

/** `(Context,string)(*User,error)`; undefined where type parameters are involved. */
export function shapeOf(signature: Signature, generic: ReadonlySet<string>): string | undefined {
  const list = (fields: Signature['params']): string | undefined => {
    const types: string[] = [];
    for (const { type, variadic } of fields) {
      const shape = typeShape(type, generic);
      if (shape === undefined) return undefined;
      types.push(variadic ? `...${shape}` : shape);
    }
    return `(${types.join(',')})`;
  };
  const params = list(signature.params);
  const results = list(signature.results);
  return params === undefined || results === undefined ? undefined : params + results;
}

function typeShape(type: Node, generic: ReadonlySet<string>): string | undefined {
  const inner = (prefix: string, of: Node, suffix = ''): string | undefined => {
    const shape = typeShape(of, generic);
    return shape === undefined ? undefined : `${prefix}${shape}${suffix}`;
  };
  switch (type.is) {
    case 'name':
      if (generic.has(type.name)) return undefined;
      return type.name === 'any' ? 'interface' : type.name;
    case 'select':
      return type.name;
    case 'star':
      return inner('*', type.of);
    case 'array':
      return inner('[]', type.of);
    case 'map': {
      const key = typeShape(type.key, generic);
      return key === undefined ? undefined : inner(`map[${key}]`, type.of);
    }
    case 'chan':
      return inner('chan ', type.of);
    case 'index': {
      const args = type.args.map((arg) => typeShape(arg, generic));
      return args.includes(undefined) ? undefined : inner('', type.of, `[${args.join(',')}]`);
    }
    case 'func': {
      const shape = shapeOf(type.signature, generic);
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
