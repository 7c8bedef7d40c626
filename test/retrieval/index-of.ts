/** A small index in memory: what a test says about files, and defaults for the rest. */
import type { SidecarReader } from '../../src/retrieval/request.js';
import type { Neighbours, Sidecar, SidecarSymbol } from '../../src/sidecars/sidecar.generated.js';

export type Described = Partial<Omit<Sidecar, 'neighbours'>> & {
  readonly neighbours?: Neighbours;
  readonly ago?: number;
};

export function symbol(name: string, line: number, endLine: number, neighbours?: Neighbours): SidecarSymbol {
  const kind = /^[A-Z]\w*$/.test(name) ? 'class' : 'function';
  return { name, kind, line, endLine, signature: name, ...(neighbours ? { neighbours } : {}) };
}

/** `total` and the items of a structural list, each as `path[:symbol]`. */
export function edges(confidence: number, ...ends: string[]): NonNullable<Neighbours['callers']> {
  return {
    total: ends.length,
    items: ends.map((end) => {
      const [path = '', name] = end.split(':');
      return { path, ...(name === undefined ? {} : { symbol: name }), confidence, provenance: 'test' };
    }),
  };
}

export function together(scores: Readonly<Record<string, number>>): NonNullable<Neighbours['changedTogether']> {
  const items = Object.entries(scores).map(([path, score]) => ({ path, score, commits: Math.round(score * 20) }));
  return { total: items.length, items };
}

export function shared(
  words: Readonly<Record<string, number>>,
  ...names: string[]
): NonNullable<Neighbours['sharedIdentifiers']> {
  const items = Object.entries(words).map(([path, score]) => ({ path, score, words: names }));
  return { total: items.length, items };
}

/** A reader over the described files; every path that a list names exists as a source file. */
export function indexOf(files: Readonly<Record<string, Described>>): SidecarReader {
  const named = new Set<string>(JSON.stringify(files).match(/[\w./-]+\.(py|md|toml|ts|go)/g) ?? []);
  return {
    sidecar(path): Sidecar | undefined {
      const described = files[path];
      if (!described && !named.has(path)) return undefined;
      const { ago: _, ...rest } = described ?? {};
      const role = /(^|\/)tests?\//.test(path) ? 'test' : /\.md$/.test(path) ? 'documentation' : 'source';
      return {
        schemaVersion: 1,
        path,
        content: '',
        role,
        lines: 100,
        symbols: [],
        neighbours: {},
        flows: [],
        ...rest,
      };
    },
    recency: (path) => files[path]?.ago,
  };
}
