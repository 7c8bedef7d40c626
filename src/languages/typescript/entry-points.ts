/** What starts a flow: scripts, commands of command-line libraries, routes of web frameworks. */
import { type TokenReader, unquoted } from './token-reader.js';

const ROUTES = new Set('get post put patch delete options head all use'.split(' '));
const ROUTE_DECORATORS = new Set('Get Post Put Patch Delete Options Head All MessagePattern EventPattern'.split(' '));

/** A call that registers a function under a name: which function (by its name), and as what. */
export interface Registration {
  readonly handler: string;
  readonly kind: string;
}

/** `app.get('/x', handler)` and `command.action(handler)`, whose method is the last of `chain`. */
export function registrationIn(
  reader: TokenReader,
  chain: readonly string[],
  open: number,
  close: number,
): Registration | undefined {
  const method = chain[chain.length - 1] ?? '';
  const last = close - 1;
  if (chain.length < 2 || !reader.isName(last) || !/^[(,]$/.test(reader.at(last - 1))) return undefined;
  if (method === 'action' && last === open + 1) return { handler: reader.at(last), kind: 'command' };
  if (!ROUTES.has(method) || !reader.isString(open + 1)) return undefined;
  const path = unquoted(reader.at(open + 1));
  return path.startsWith('/') ? { handler: reader.at(last), kind: `route ${path}` } : undefined;
}

/** The kind of entry point that a decorator at `index` (its name) makes of the method below it. */
export function decoratedRoute(reader: TokenReader, index: number): string | undefined {
  if (!ROUTE_DECORATORS.has(reader.at(index)) || reader.at(index + 1) !== '(') return undefined;
  const path = reader.isString(index + 2) ? unquoted(reader.at(index + 2)) : '';
  return `route ${path.startsWith('/') ? path : `/${path}`}`;
}
