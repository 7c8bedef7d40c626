/** What gate, ladder and questions ask of the repository's files, one file at a time: nothing is read that nobody asks for. */
import type { FileFacts, SymbolFact } from '../facts/model.js';
import type { EdgeDraft } from '../graph/edge.js';
import { byText } from './repository.js';

export interface Evidence {
  /** Files whose content was read for facts, sorted. */
  paths(): readonly string[];
  /** Language of a file, '' where it has none. */
  language(path: string): string;
  /** Definitions of a file. */
  symbols(path: string): readonly SymbolFact[];
  /** Edges out of a file, in their order. */
  edges(path: string): readonly EdgeDraft[];
  /** Files with an edge into the file, or into that symbol of it, sorted. */
  sources(path: string, symbol: string | undefined): readonly string[];
  /** Files that define something of which the last segment is the name, perhaps others too; sorted. */
  mayDefine(name: string): readonly string[];
}

/** Last segment of a qualified name, without the number of a repeated one. */
export const lastSegment = (name: string): string => name.slice(name.lastIndexOf('.') + 1).replace(/#\d+$/, '');

/** Evidence from facts and edges of all files. */
export class MemoryEvidence implements Evidence {
  private readonly sorted: readonly string[];
  private readonly definers = new Map<string, Set<string>>();
  private readonly incoming = new Map<string, Set<string>>();

  constructor(
    private readonly facts: ReadonlyMap<string, FileFacts>,
    private readonly links: ReadonlyMap<string, readonly EdgeDraft[]>,
  ) {
    this.sorted = [...facts.keys()].sort(byText);
    const put = (map: Map<string, Set<string>>, key: string, path: string): void => {
      const set = map.get(key);
      if (set) set.add(path);
      else map.set(key, new Set([path]));
    };
    for (const path of this.sorted) {
      for (const { name } of facts.get(path)?.symbols ?? []) put(this.definers, lastSegment(name), path);
    }
    for (const path of [...links.keys()].sort(byText)) {
      for (const { to } of links.get(path) ?? []) put(this.incoming, endOf(to.path, to.symbol), path);
    }
  }

  paths(): readonly string[] {
    return this.sorted;
  }

  language(path: string): string {
    return this.facts.get(path)?.language ?? '';
  }

  symbols(path: string): readonly SymbolFact[] {
    return this.facts.get(path)?.symbols ?? [];
  }

  edges(path: string): readonly EdgeDraft[] {
    return this.links.get(path) ?? [];
  }

  sources(path: string, symbol: string | undefined): readonly string[] {
    return [...(this.incoming.get(endOf(path, symbol)) ?? [])];
  }

  mayDefine(name: string): readonly string[] {
    return [...(this.definers.get(name) ?? [])];
  }
}

const endOf = (path: string, symbol: string | undefined): string =>
  symbol === undefined ? path : `${path}\0${symbol}`;
