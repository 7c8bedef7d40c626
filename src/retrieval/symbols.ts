/** A symbol of a file by line or by name. */
import type { Sidecar, SidecarSymbol } from '../sidecars/sidecar.generated.js';

/** What a sidecar may answer itself, where it can do so without having parsed all of its symbols. */
export interface SymbolLookup {
  symbolAt(line: number): SidecarSymbol | undefined;
  symbolNamed(name: string): SidecarSymbol | undefined;
}

/** The place in `spans` of the innermost one around a line; of equal ones the later. */
export function innermost(
  spans: readonly { readonly line: number; readonly endLine: number }[],
  line: number,
): number | undefined {
  let best: number | undefined;
  let shortest = Number.POSITIVE_INFINITY;
  for (let i = 0; i < spans.length; i += 1) {
    const span = spans[i];
    if (!span || span.line > line || span.endLine < line) continue;
    const length = span.endLine - span.line;
    if (length <= shortest) {
      best = i;
      shortest = length;
    }
  }
  return best;
}

/** The innermost symbol of `sidecar` around a line. */
export function symbolAt(sidecar: Sidecar & Partial<SymbolLookup>, line: number): SidecarSymbol | undefined {
  if (sidecar.symbolAt) return sidecar.symbolAt(line);
  const at = innermost(sidecar.symbols, line);
  return at === undefined ? undefined : sidecar.symbols[at];
}

/** The first symbol of that qualified name. */
export function symbolNamed(sidecar: Sidecar & Partial<SymbolLookup>, name: string): SidecarSymbol | undefined {
  if (sidecar.symbolNamed) return sidecar.symbolNamed(name);
  return sidecar.symbols.find((symbol) => symbol.name === name);
}
