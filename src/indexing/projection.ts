/** The sidecars of an aligned index: whole ones of the files whose edges changed, new lists in those of others. */
import type { ChangedTogether } from '../graph/history.js';
import type { SharedIdentifiers } from '../graph/shared-identifiers.js';
import type { FactsStore } from '../io/facts-store.js';
import { readPublished } from '../io/index-folder.js';
import type { GlobalRecord, IncomingRecord, IndexStore } from '../io/index-store.js';
import { sidecarPath } from '../sidecars/layout.js';
import { encodeSidecar, projectSidecar, withLists } from '../sidecars/project.js';
import type { Sidecar } from '../sidecars/sidecar.generated.js';
import { parseSidecar } from '../sidecars/stored.js';
import { type Content, factsOf } from './contents.js';
import { incomingEdges } from './incoming.js';
import type { Relinked } from './relinked.js';
import { StoreIncomplete, storedContent } from './store-source.js';

/** The lists that rank; absent: as the present sidecar has them. */
export interface Lists {
  readonly changedTogether?: ChangedTogether;
  readonly sharedIdentifiers?: SharedIdentifiers;
}

export interface Changes {
  readonly generation: string;
  readonly store: IndexStore;
  readonly facts: FactsStore;
  /** Most structural neighbours listed for a symbol and kind. */
  readonly cap: number;
  readonly contents: ReadonlyMap<string, Content | undefined>;
  readonly relinked: ReadonlyMap<string, Relinked>;
  /** Target path -> source path -> its edges now (undefined: none any more), where they differ from before. */
  readonly incoming: ReadonlyMap<string, ReadonlyMap<string, IncomingRecord | undefined>>;
  readonly globals: (path: string) => GlobalRecord | undefined;
  readonly isAside: (path: string) => boolean;
}

const NOTHING = { items: [], total: 0 };

export class Projection {
  constructor(private readonly changes: Changes) {}

  /** The text of a sidecar made anew, undefined where it is the present one. */
  whole(path: string, lists: Lists): string | undefined {
    const { store, facts: stored, contents, relinked, globals, cap, isAside } = this.changes;
    const record = store.file(path);
    const content = contents.get(path) ?? (record && storedContent(stored, path, record));
    if (!content) return undefined;
    const present = this.present(path);
    if (!present && record) throw new StoreIncomplete(`the sidecar of ${path} is gone or damaged`);
    const known = present?.sidecar.neighbours;
    const linked = relinked.get(path);
    const facts = linked ? linked.after.facts : factsOf(content);
    const outgoing = linked ? linked.after.edges : record ? store.edgesOf(record.number) : [];
    const global = globals(path);
    const sidecar = projectSidecar(
      {
        path,
        content: content.id,
        role: content.role,
        lines: content.lines,
        ...(content.language === undefined ? {} : { language: content.language }),
        ...(facts ? { facts } : {}),
        outgoing,
        incoming: incomingEdges(this.incomingOf(path)),
        changedTogether: lists.changedTogether ?? known?.changedTogether ?? NOTHING,
        sharedIdentifiers: lists.sharedIdentifiers ?? known?.sharedIdentifiers ?? NOTHING,
        ...(global?.community ? { community: global.community } : {}),
        flows: global?.flows ?? [],
      },
      cap,
      isAside,
    );
    const text = encodeSidecar(sidecar);
    return text === present?.text ? undefined : text;
  }

  /** The text of the present sidecar with other lists, undefined where it has them: neither facts nor edges are read. */
  relisted(path: string, lists: Lists): string | undefined {
    const present = this.present(path);
    if (!present) throw new StoreIncomplete(`the sidecar of ${path} is gone or damaged`);
    const { sidecar } = present;
    const relisted = withLists(sidecar, lists);
    if (JSON.stringify(relisted.neighbours) === JSON.stringify(sidecar.neighbours)) return undefined;
    return encodeSidecar(relisted);
  }

  /** Source path -> its edges into `path`, as they are now. */
  incomingOf(path: string): Map<string, IncomingRecord> {
    const { store, incoming } = this.changes;
    const sources = new Map<string, IncomingRecord>();
    const number = store.file(path)?.number;
    if (number !== undefined) {
      for (const { source, record } of store.incomingOf(number)) {
        const from = store.path(source);
        if (from !== undefined) sources.set(from, record);
      }
    }
    for (const [from, record] of incoming.get(path) ?? []) {
      if (record) sources.set(from, record);
      else sources.delete(from);
    }
    return sources;
  }

  private present(path: string): { readonly text: string; readonly sidecar: Sidecar } | undefined {
    const text = readPublished(this.changes.generation, sidecarPath(path));
    const sidecar = text === undefined ? undefined : parseSidecar(text);
    return text !== undefined && sidecar?.path === path ? { text, sidecar } : undefined;
  }
}
