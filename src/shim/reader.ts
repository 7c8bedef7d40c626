/** Reads an index from disk for one search: sidecars by path, checked, and at most once each. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { CommitEvidence, SidecarReader } from '../retrieval/request.js';
import { COMMITS_FILE, INDEX_FILE, JOURNAL_FILE, RECENCY_FILE, sidecarPath } from '../sidecars/layout.js';
import { commitsAgo } from '../sidecars/recency.js';
import type { Sidecar } from '../sidecars/sidecar.generated.js';
import { sidecarFrom } from './lazy-sidecar.js';
import { publishedFolder } from './locate.js';
import { isIndex, isRepositoryPath } from './validation.js';

/** Nothing that a builder writes is larger: what is, is broken or hostile. */
const LARGEST_SIDECAR = 4 << 20;
const LARGEST_TABLE = 32 << 20;

function read(path: string, largest: number): Buffer | undefined {
  try {
    const stat = statSync(path);
    return stat.isFile() && stat.size <= largest ? readFileSync(path) : undefined;
  } catch {
    return undefined;
  }
}

function readJson(path: string, largest: number): unknown {
  const bytes = read(path, largest);
  if (!bytes) return undefined;
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** Identity of the published state: changes with every publication. */
function stamp(index: string): string | undefined {
  try {
    const stat = statSync(join(index, INDEX_FILE), { bigint: true });
    return `${stat.dev} ${stat.ino} ${stat.mtimeNs} ${publishedFolder(index)}`;
  } catch {
    return undefined;
  }
}

export class DiskReader implements SidecarReader {
  private readonly seen = new Map<string, Sidecar | undefined>();
  private recencyTable: Buffer | undefined;

  private constructor(
    private readonly index: string,
    private readonly folder: string,
    private readonly opened: string,
    /** True where the index describes the work tree as it was, and not a commit from git objects. */
    readonly ofWorkTree: boolean,
    /** When it was published, in milliseconds since the epoch. */
    readonly publishedMs: number,
    /** The commit that it describes, with the work tree's changes where `ofWorkTree`. */
    readonly commit: string | null,
  ) {}

  /** Undefined where there is no index, one of another schema, or one that is being published right now. */
  static open(index: string): DiskReader | undefined {
    const opened = stamp(index);
    const folder = publishedFolder(index);
    if (opened === undefined || existsSync(join(folder, JOURNAL_FILE))) return undefined;
    const described = readJson(join(folder, INDEX_FILE), LARGEST_TABLE);
    if (!isIndex(described)) return undefined;
    const published = statSync(join(folder, INDEX_FILE)).mtimeMs;
    return new DiskReader(index, folder, opened, described.tree !== 'commit', published, described.commit);
  }

  /** False where something was published since `open`: what was read may not belong together. */
  consistent(): boolean {
    return stamp(this.index) === this.opened && !existsSync(join(this.folder, JOURNAL_FILE));
  }

  sidecar(path: string): Sidecar | undefined {
    if (this.seen.has(path)) return this.seen.get(path);
    let found: Sidecar | undefined;
    if (isRepositoryPath(path)) {
      const bytes = read(`${this.folder}/${sidecarPath(path)}`, LARGEST_SIDECAR);
      if (bytes) found = sidecarFrom(bytes.toString('utf8'), path);
    }
    this.seen.set(path, found);
    return found;
  }

  recency(path: string): number | undefined {
    this.recencyTable ??= read(join(this.folder, RECENCY_FILE), LARGEST_TABLE) ?? Buffer.alloc(0);
    return commitsAgo(this.recencyTable, path);
  }

  commits(): readonly CommitEvidence[] | undefined {
    const parsed = readJson(join(this.folder, COMMITS_FILE), LARGEST_TABLE);
    if (!Array.isArray(parsed)) return undefined;
    return parsed.filter(isCommit);
  }
}

function isCommit(value: unknown): value is CommitEvidence {
  if (typeof value !== 'object' || value === null) return false;
  const { message, files } = value as Record<string, unknown>;
  return typeof message === 'string' && Array.isArray(files) && files.every(isRepositoryPath);
}
