/** The entry points of flows that a Python file declares by itself. */
import type { FileFacts, ReferenceFact, SymbolFact } from '../../facts/model.js';

interface Decorated {
  readonly symbol: number;
  readonly decorators: readonly string[];
}

const COMMAND = /^[\w.]*(?:command|group|callback)\b/;
const CLICK = /^(?:click|typer|app|cli|[\w.]*(?:click|typer|cli|app|main|group))\./;
const ROUTE =
  /^[\w.]+\.(route|get|post|put|patch|delete|head|options|websocket|api_route)\s*\(\s*(?:path\s*=\s*)?r?["']([^"']*)["']/;
const TASK = /^(?:[\w.]*\.)?(?:shared_task|task)\b/;

/** `if __name__ == '__main__'`, commands of click and typer, routes of flask and fastapi, celery tasks. */
export function entryPointsOf(
  source: string,
  definitions: readonly Decorated[],
  symbols: readonly SymbolFact[],
  references: readonly ReferenceFact[],
  lineStarts: readonly number[],
): FileFacts['entryPoints'] {
  const found = new Map<number, string>();
  for (const { symbol, decorators } of definitions) {
    for (const text of decorators) {
      const route = ROUTE.exec(text);
      if (route) found.set(symbol, `route ${route[2]}`);
      else if (/^[\w.]*click\.|^command\b|^group\b/.test(text) && COMMAND.test(text))
        found.set(symbol, 'click command');
      else if (CLICK.test(text) && /\.(?:command|group|callback)\b/.test(text)) found.set(symbol, 'command');
      else if (TASK.test(text)) found.set(symbol, 'task');
    }
  }
  const main = /^if\s+__name__\s*==\s*["']__main__["']/m.exec(source);
  if (main) {
    const line = lineStarts.findIndex((start) => start > main.index);
    const byName = new Map(symbols.map((symbol, index) => [symbol.name, index]));
    for (const reference of references) {
      if (reference.from >= 0 || reference.kind !== 'call' || reference.line < line || line < 0) continue;
      if (reference.chain.length !== 1) continue;
      const called = byName.get((reference.chain[0] as string).slice(0, -2));
      if (called !== undefined && symbols[called]?.kind === 'function' && !found.has(called)) found.set(called, 'main');
    }
  }
  return [...found].map(([symbol, kind]) => ({ symbol, kind })).sort((a, b) => a.symbol - b.symbol);
}
