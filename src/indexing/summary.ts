/** Counts and skipped files of an index, in the canonical (alphabetical) key order of index.json. */
import type { EdgeDraft } from '../graph/edge.js';
import type { Skipped } from '../io/listing.js';
import type { Index } from '../sidecars/index.generated.js';
import type { Content } from './contents.js';

const SHOWN = 10;

type Tally = Record<string, number>;

const sorted = (tally: Tally): Tally =>
  Object.fromEntries(
    Object.entries(tally)
      .filter(([, n]) => n !== 0)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );

/** Running counts: files and edges are added and, while aligning, taken away. */
export class Counts {
  private files = 0;
  private symbols = 0;
  private edges = 0;
  private readonly byLanguage: Tally = {};
  private readonly byRole: Tally = {};
  private readonly byProvenance: Tally = {};

  constructor(start?: Index['counts']) {
    if (!start) return;
    this.files = start.files;
    this.symbols = start.symbols;
    this.edges = start.edges;
    Object.assign(this.byLanguage, start.byLanguage);
    Object.assign(this.byRole, start.byRole);
    Object.assign(this.byProvenance, start.edgesByProvenance);
  }

  /** @param sign 1: the file appears, -1: it goes */
  file(role: string, language: string | undefined, symbols: number, sign: 1 | -1): void {
    this.files += sign;
    this.symbols += sign * symbols;
    this.byRole[role] = (this.byRole[role] ?? 0) + sign;
    if (language !== undefined) this.byLanguage[language] = (this.byLanguage[language] ?? 0) + sign;
  }

  edgesOf(edges: readonly EdgeDraft[], sign: 1 | -1): void {
    this.edges += sign * edges.length;
    for (const { provenance } of edges) {
      this.byProvenance[provenance] = (this.byProvenance[provenance] ?? 0) + sign;
    }
  }

  result(): Index['counts'] {
    return {
      byLanguage: sorted(this.byLanguage),
      byRole: sorted(this.byRole),
      edges: this.edges,
      edgesByProvenance: sorted(this.byProvenance),
      files: this.files,
      symbols: this.symbols,
    };
  }
}

/** Skipped files by reason. */
export function skippedByReason(skipped: Iterable<Skipped>): Index['skipped'] {
  const byReason = new Map<string, string[]>();
  for (const { path, reason } of skipped) {
    const paths = byReason.get(reason);
    if (paths) paths.push(path);
    else byReason.set(reason, [path]);
  }
  return [...byReason]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([reason, paths]) => ({ count: paths.length, paths: paths.sort().slice(0, SHOWN), reason }));
}

/** Files that are part of the index, of which something could not be read. */
const SETTINGS_NOT_READ = 'not readable as configuration';
const SYNTAX_NOT_READ = 'syntax not understood';

/** Whether files listed for the reason are followed all the same. */
export const isFollowed = (reason: string): boolean => reason === SETTINGS_NOT_READ || reason === SYNTAX_NOT_READ;

/** What could not be read in a file that is followed; undefined where all could. */
export function troubleOf(
  { reader, surface }: Pick<Content, 'reader' | 'surface'>,
  errors: number,
): string | undefined {
  if (reader?.configuration && surface && Object.hasOwn(surface.entries, 'error')) return SETTINGS_NOT_READ;
  return errors > 0 ? SYNTAX_NOT_READ : undefined;
}

/** Why a listed file's content is not followed, in the words of `status`; undefined where it is. */
export function skipReason(role: string, reason: string | undefined): string | undefined {
  if (role === 'vendored') return 'vendored';
  if (role === 'minified') return 'minified';
  if (role === 'generated') return 'generated';
  if (reason === 'binary') return 'binary';
  return reason?.startsWith('parser failed') ? reason : undefined;
}
