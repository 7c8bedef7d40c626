/** Flows: call chains from entry points along confident calls. */

/** A symbol of a file. */
export interface Step {
  readonly path: string;
  readonly symbol: string;
}

export interface CallEdge {
  readonly from: Step;
  readonly to: Step;
  readonly confidence: number;
}

export interface EntryPoint extends Step {
  /** Why: `main`, `click command`, `route /x`, `exported`. */
  readonly kind: string;
}

/** A file's place in a flow. */
export interface FlowStep {
  /** The entry's own name. */
  readonly name: string;
  readonly entry: Step;
  readonly symbol: string;
  /** Counted from 1. */
  readonly step: number;
  readonly steps: number;
}

export interface FlowInput {
  /** Any order, tests left out by the caller's `isTest`. */
  readonly calls: readonly CallEdge[];
  /** What files declare; kind `exported` ranks last. */
  readonly entries: readonly EntryPoint[];
  readonly isTest: (path: string) => boolean;
}

export const FLOW_LIMITS = { depth: 8, perRepository: 300, perFile: 5, leastConfidence: 0.7, leastSteps: 3 } as const;

const keyOf = ({ path, symbol }: Step): string => `${path}\0${symbol}`;
const byKey = (a: Step, b: Step): number => (keyOf(a) < keyOf(b) ? -1 : keyOf(a) > keyOf(b) ? 1 : 0);

interface Chain {
  readonly entry: EntryPoint;
  readonly steps: readonly Step[];
  readonly files: number;
}

/** Confident calls by caller, best first, without tests. */
function calleesOf({ calls, isTest }: FlowInput): ReadonlyMap<string, readonly CallEdge[]> {
  const callees = new Map<string, CallEdge[]>();
  for (const call of calls) {
    if (call.confidence < FLOW_LIMITS.leastConfidence || isTest(call.from.path) || isTest(call.to.path)) continue;
    const key = keyOf(call.from);
    const known = callees.get(key);
    if (known) known.push(call);
    else callees.set(key, [call]);
  }
  for (const list of callees.values()) list.sort((a, b) => b.confidence - a.confidence || byKey(a.to, b.to));
  return callees;
}

/**
 * How far calls lead from each symbol: the longest chain within `depth`, by rounds. What leads nowhere
 * is worth less to follow.
 */
function reach(callees: ReadonlyMap<string, readonly CallEdge[]>): ReadonlyMap<string, number> {
  let lengths = new Map<string, number>();
  for (let round = 1; round < FLOW_LIMITS.depth; round += 1) {
    const next = new Map<string, number>();
    for (const [key, calls] of callees) {
      let longest = 0;
      for (const { to } of calls) longest = Math.max(longest, 1 + (lengths.get(keyOf(to)) ?? 0));
      next.set(key, Math.min(longest, FLOW_LIMITS.depth - 1));
    }
    lengths = next;
  }
  return lengths;
}

/** Follows from the entry the call that leads furthest, into other files first, never twice through a symbol. */
function chainFrom(
  entry: EntryPoint,
  callees: ReadonlyMap<string, readonly CallEdge[]>,
  lengths: ReadonlyMap<string, number>,
): Chain {
  const steps: Step[] = [{ path: entry.path, symbol: entry.symbol }];
  const seen = new Set([keyOf(entry)]);
  const files = new Set([entry.path]);
  while (steps.length < FLOW_LIMITS.depth) {
    const here = steps.at(-1);
    if (!here) break;
    let best: CallEdge | undefined;
    let bestWorth = -1;
    for (const call of callees.get(keyOf(here)) ?? []) {
      if (seen.has(keyOf(call.to))) continue;
      const worth = (lengths.get(keyOf(call.to)) ?? 0) + (files.has(call.to.path) ? 0 : 1.5) + call.confidence;
      if (worth > bestWorth) {
        best = call;
        bestWorth = worth;
      }
    }
    if (!best) break;
    seen.add(keyOf(best.to));
    files.add(best.to.path);
    steps.push(best.to);
  }
  return { entry, steps, files: files.size };
}

/** Examples show how the product is used; what the product itself starts comes first. */
const BESIDE_PRODUCT = /(^|\/)(examples?|samples?|demos?|docs?|benchmarks?|bench|scripts?|tools)\//;

/** 0: declared entry points of the product, 1: those of examples, 2: what is only exported, or runs on import (`init`). */
function rank({ entry }: Chain): number {
  if (entry.kind === 'exported' || entry.kind === 'init') return 2;
  return BESIDE_PRODUCT.test(entry.path) ? 1 : 0;
}

/**
 * The flows of a repository by file. Declared entry points first, then exported functions that nobody
 * calls; among those the chains through most files. A file that has its share starts no further one. At most `perRepository` flows, `perFile` for a file.
 */
export function flowsOf(input: FlowInput): ReadonlyMap<string, readonly FlowStep[]> {
  const callees = calleesOf(input);
  const lengths = reach(callees);
  const entries = new Map<string, EntryPoint>();
  for (const entry of input.entries) {
    const key = keyOf(entry);
    const known = entries.get(key);
    if (!input.isTest(entry.path) && (!known || known.kind === 'exported')) entries.set(key, entry);
  }
  const chains = [...entries.values()]
    .sort(byKey)
    .map((entry) => chainFrom(entry, callees, lengths))
    .filter(({ steps, files }) => steps.length >= FLOW_LIMITS.leastSteps && files > 1)
    .sort(
      (a, b) => rank(a) - rank(b) || b.files - a.files || b.steps.length - a.steps.length || byKey(a.entry, b.entry),
    );
  const byFile = new Map<string, FlowStep[]>();
  const room = (path: string): boolean => (byFile.get(path)?.length ?? 0) < FLOW_LIMITS.perFile;
  let flows = 0;
  for (const { entry, steps } of chains) {
    if (flows >= FLOW_LIMITS.perRepository) break;
    if (!room(entry.path)) continue;
    flows += 1;
    const seen = new Set<string>();
    steps.forEach(({ path, symbol }, i) => {
      if (seen.has(path) || !room(path)) return;
      seen.add(path);
      const step: FlowStep = {
        name: entry.symbol.slice(entry.symbol.lastIndexOf('.') + 1),
        entry: { path: entry.path, symbol: entry.symbol },
        symbol,
        step: i + 1,
        steps: steps.length,
      };
      const known = byFile.get(path);
      if (known) known.push(step);
      else byFile.set(path, [step]);
    });
  }
  return new Map([...byFile].sort(([a], [b]) => (a < b ? -1 : 1)));
}
