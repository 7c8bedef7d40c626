/** The commits that serve as evidence: read from git, and as the index keeps them. */
import type { CommitFact } from '../graph/history.js';
import { isShallow, listCommits, type Repository, readCommits } from '../io/git.js';

/** The commits that serve as evidence, newest first, and whether history is whole. */
export async function readHistory(
  repository: Repository | undefined,
  tip: string | null,
  limit: number,
  known: ReadonlyMap<string, CommitFact> = new Map(),
): Promise<{ readonly commits: CommitFact[]; readonly complete: boolean }> {
  if (!repository || tip === null || limit === 0) return { commits: [], complete: true };
  const [ids, shallow] = await Promise.all([listCommits(repository, tip, limit), isShallow(repository)]);
  const unknown = ids.filter((id) => !known.has(id));
  const read = new Map((await readCommits(repository, unknown)).map((commit) => [commit.id, commit]));
  const commits = ids.flatMap((id) => known.get(id) ?? read.get(id) ?? []);
  return { commits, complete: !shallow && commits.length === ids.length };
}

/** The commits as readers see them: what a search term in a message points to. */
export function encodeCommits(commits: readonly CommitFact[]): string {
  return `${JSON.stringify(commits.map(({ files, message }) => ({ files, message })))}\n`;
}

/** What `encodeCommits` wrote, with the ids that the store keeps beside it; undefined where they do not fit. */
export function decodeCommits(text: string, ids: readonly string[]): CommitFact[] | undefined {
  try {
    const commits = JSON.parse(text) as Omit<CommitFact, 'id'>[];
    return commits.length === ids.length ? commits.map((commit, i) => ({ id: ids[i] ?? '', ...commit })) : undefined;
  } catch {
    return undefined;
  }
}
