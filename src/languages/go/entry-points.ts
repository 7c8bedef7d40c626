/** Entry points that a file shows by itself: cobra commands, HTTP routes, main. */
import type { Scope, Typing } from './scopes.js';
import type { Element, Node } from './syntax.js';

/** Methods by which net/http, gin, echo, chi, gorilla and fiber bind a path to a handler. */
const ROUTE_METHODS = new Set(
  'Handle HandleFunc Any GET POST PUT DELETE PATCH HEAD OPTIONS CONNECT TRACE Get Post Put Delete Patch Head Options'.split(
    ' ',
  ),
);

/** Modules whose routers have those methods. */
const ROUTERS =
  /^(net\/http|github\.com\/(gin-gonic\/gin|labstack\/echo|go-chi\/chi|gorilla\/mux|gofiber\/fiber|julienschmidt\/httprouter)(\/v\d+)?)$/;

const COBRA = /(^|\/)spf13\/cobra$/;

interface Found {
  /** Symbol that holds the binding. */
  readonly from: number;
  /** Name of the symbol that handles it, where it has one in this file. */
  readonly handler: string | undefined;
  readonly kind: string;
}

const textOf = (node: Node | undefined): string | undefined =>
  node?.is === 'literal' && /^["`]/.test(node.text) ? node.text.slice(1, -1) : undefined;

export class EntryPoints {
  private readonly found: Found[] = [];
  private readonly routes: boolean;

  constructor(private readonly modules: readonly string[]) {
    this.routes = modules.some((module) => ROUTERS.test(module));
  }

  /** `r.GET("/path", middleware, handler)`. */
  call(node: Extract<Node, { is: 'call' }>, from: number, typing: Typing, scope: Scope): void {
    if (!this.routes || node.of.is !== 'select' || !ROUTE_METHODS.has(node.of.name)) return;
    const path = textOf(node.args[0]);
    const handler = node.args.at(-1);
    if (path === undefined || !/^([A-Z]+ )?[^ ]*\//.test(path) || node.args.length < 2 || !handler) return;
    if (handler.is !== 'name' && handler.is !== 'select' && handler.is !== 'closure') return;
    this.found.push({ from, handler: handlerOf(handler, typing, scope), kind: `route ${path}` });
  }

  /** `cobra.Command{Use: "serve", RunE: ...}`. */
  composite(type: Node, elements: readonly Element[], from: number, typing: Typing, scope: Scope): void {
    if (type.is !== 'select' || type.name !== 'Command' || type.of.is !== 'name') return;
    if (!this.modules.some((module) => COBRA.test(module))) return;
    const valueAt = (name: string): Node | undefined =>
      elements.find(({ key }) => key?.is === 'name' && key.name === name)?.value;
    const run = valueAt('RunE') ?? valueAt('Run');
    if (!run) return;
    const use = textOf(valueAt('Use'))?.split(/\s/)[0];
    this.found.push({
      from,
      handler: handlerOf(run, typing, scope),
      kind: use ? `cobra command ${use}` : 'cobra command',
    });
  }

  /** By index of the symbol that runs: the handler if this file defines it, else the one that binds it. */
  facts(symbolOf: (name: string) => number | undefined): { symbol: number; kind: string }[] {
    const kinds = new Map<number, string>();
    for (const { from, handler, kind } of this.found) {
      const symbol = (handler === undefined ? undefined : symbolOf(handler)) ?? from;
      if (symbol >= 0 && !kinds.has(symbol)) kinds.set(symbol, kind);
    }
    return [...kinds].map(([symbol, kind]) => ({ symbol, kind }));
  }
}

function handlerOf(node: Node, typing: Typing, scope: Scope): string | undefined {
  if (node.is === 'name') return scope.find(node.name) ? undefined : node.name;
  if (node.is !== 'select' || node.of.is !== 'name') return undefined;
  const binding = scope.find(node.of.name);
  if (binding?.is !== 'value' || binding.type === undefined) return undefined;
  const type = typing.types[binding.type];
  const named = Array.isArray(type) && type[0] === 'self' ? type[1] : type;
  return typeof named === 'string' ? `${named}.${node.name}` : undefined;
}
