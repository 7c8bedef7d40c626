/**
 * Git plumbing, NUL-separated and read-only. Nothing here takes git's optional locks, runs a pager or
 * opens a connection: a partial clone's missing objects stay missing.
 */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { SidecarError } from '../errors.js';

/** Where a repository lives. All paths are absolute and real. */
export interface Repository {
  /** Top of the work tree; for a bare repository, the git directory. */
  readonly root: string;
  readonly gitDir: string;
  /** Shared by all worktrees. */
  readonly commonDir: string;
  readonly bare: boolean;
  readonly objectFormat: 'sha1' | 'sha256';
}

/** One listed path: its mode as git writes it (`100644`, `120000`, `160000`) and its blob id. */
export interface TreeEntry {
  readonly path: string;
  readonly mode: string;
  readonly id: string;
}

/** Variables by which a calling hook would point git at another repository or index. */
const LOCAL_VARIABLES = [
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_PREFIX',
  'GIT_OBJECT_DIRECTORY',
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_COMMON_DIR',
  'GIT_IMPLICIT_WORK_TREE',
  'GIT_CONFIG',
  'GIT_GRAFT_FILE',
  'GIT_SHALLOW_FILE',
  'GIT_REPLACE_REF_BASE',
  'GIT_LITERAL_PATHSPECS',
  'GIT_GLOB_PATHSPECS',
  'GIT_NOGLOB_PATHSPECS',
  'GIT_ICASE_PATHSPECS',
  'GIT_NAMESPACE',
  'GIT_QUARANTINE_PATH',
];

const COMMON = [
  '--no-pager',
  '-c',
  'protocol.allow=never',
  '-c',
  'core.quotePath=false',
  '-c',
  'diff.autoRefreshIndex=true',
];

export function gitEnvironment(): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = { ...process.env, GIT_OPTIONAL_LOCKS: '0', LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0' };
  for (const name of LOCAL_VARIABLES) delete env[name];
  return env;
}

interface GitResult {
  readonly out: Buffer;
  readonly code: number;
  readonly error: string;
}

/** Through `spawn` itself: an align starts git some four times, and a library around it costs more to load than that. */
function run(cwd: string, args: readonly string[], input?: string): Promise<GitResult> {
  return new Promise((done, fail) => {
    const child = spawn('git', [...COMMON, ...args], {
      cwd,
      env: gitEnvironment(),
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    });
    const out: Buffer[] = [];
    const error: Buffer[] = [];
    child.stdout?.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr?.on('data', (chunk: Buffer) => error.push(chunk));
    child.on('error', (problem: NodeJS.ErrnoException) =>
      fail(
        problem.code === 'ENOENT'
          ? new SidecarError('cannot run git', 'it is not on PATH', 'install git, or put it on PATH')
          : new SidecarError('git failed', String(problem), 'check that git works in this folder'),
      ),
    );
    child.on('close', (code) =>
      done({ out: Buffer.concat(out), code: code ?? 128, error: Buffer.concat(error).toString('utf8').trim() }),
    );
    // A git that ends early closes its input: its exit code says why.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
  });
}

const firstLine = (text: string): string => text.split('\n')[0] ?? '';

/** What a git that must not fail has written. */
function outputOf({ out, code, error }: GitResult, command: string): Buffer {
  if (code !== 0) {
    throw new SidecarError(
      `git ${command} failed`,
      firstLine(error) || `exit code ${code}`,
      'run it by hand to see more',
    );
  }
  return out;
}

const must = async (cwd: string, args: readonly string[], input?: string): Promise<Buffer> =>
  outputOf(await run(cwd, args, input), args[0] ?? '');

const records = (out: Buffer): string[] => {
  const text = out.toString('utf8');
  return text === '' ? [] : text.replace(/\0$/, '').split('\0');
};

/** The repository that holds `folder`, or undefined outside of one. */
export async function findRepository(folder: string): Promise<Repository | undefined> {
  // The second fails where there is no work tree, and would fail the first.
  const [{ out, code, error }, top] = await Promise.all([
    run(folder, [
      'rev-parse',
      '--is-bare-repository',
      '--absolute-git-dir',
      '--git-common-dir',
      '--show-object-format',
      '--is-inside-work-tree',
    ]),
    run(folder, ['rev-parse', '--show-toplevel']),
  ]);
  if (code !== 0) {
    if (/dubious ownership/.test(error)) {
      throw new SidecarError(
        'git does not trust this repository',
        firstLine(error),
        `run: git config --global --add safe.directory ${folder}`,
      );
    }
    return undefined;
  }
  const [bare, gitDir = '', commonDir = '', format, inside] = out.toString('utf8').split('\n');
  const common = {
    gitDir: realpathSync(gitDir),
    commonDir: realpathSync(resolve(folder, commonDir)),
    objectFormat: format === 'sha256' ? ('sha256' as const) : ('sha1' as const),
  };
  if (bare === 'true' || inside !== 'true') return { ...common, root: common.gitDir, bare: true };
  return { ...common, root: realpathSync(outputOf(top, 'rev-parse').toString('utf8').replace(/\n$/, '')), bare: false };
}

/** The folder that git runs this repository's hooks from, core.hooksPath included. */
export async function hooksFolder({ root }: Repository): Promise<string> {
  const out = await must(root, ['rev-parse', '--git-path', 'hooks']);
  return resolve(root, out.toString('utf8').replace(/\n$/, ''));
}

/** The full id of a commit, or an error that says whether the revision is unknown or ambiguous. */
export async function resolveCommit(repository: Repository, revision: string): Promise<string> {
  const { out, code, error } = await run(repository.root, [
    'rev-parse',
    '--verify',
    '--end-of-options',
    `${revision}^{commit}`,
  ]);
  if (code === 0) return out.toString('utf8').trim();
  const why = /ambiguous/.test(error) ? 'it is ambiguous' : 'no such commit in this clone';
  throw new SidecarError(`cannot index revision '${revision}'`, why, 'check it with: git log -1 REVISION');
}

/** The commit that HEAD names, undefined where there is none yet. */
export async function headCommit(repository: Repository): Promise<string | undefined> {
  const { out, code } = await run(repository.root, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']);
  return code === 0 ? out.toString('utf8').trim() : undefined;
}

export interface Worktree {
  readonly root: string;
  /** What it has checked out; undefined before its first commit. */
  readonly commit: string | undefined;
}

/** The work trees of a repository, the main one first. A path with a line end in it is not told apart. */
export async function listWorktrees({ root }: Repository): Promise<Worktree[]> {
  const out = await must(root, ['worktree', 'list', '--porcelain']);
  return out
    .toString('utf8')
    .split('\n\n')
    .flatMap((entry) => {
      const path = /^worktree (.+)$/m.exec(entry)?.[1];
      return path === undefined ? [] : [{ root: path, commit: /^HEAD ([0-9a-f]+)$/m.exec(entry)?.[1] }];
    });
}

/** All entries of a commit's tree, submodules as their `160000` entry. */
export async function listTree(
  repository: Repository,
  commit: string,
  limits: readonly string[] = [],
): Promise<TreeEntry[]> {
  const out = await must(repository.root, ['ls-tree', '-r', '-z', '--full-tree', commit, ...limits]);
  return records(out).map((record) => {
    const tab = record.indexOf('\t');
    const [mode = '', , id = ''] = record.slice(0, tab).split(' ');
    return { path: record.slice(tab + 1), mode, id };
  });
}

/** An entry of git's index. */
export interface IndexEntry extends TreeEntry {
  /** Outside of the sparse checkout: not on disk, and not missed there. */
  readonly absent: boolean;
}

/** What the index of the work tree holds. Of an unmerged path, our side. */
export async function listIndex(root: string): Promise<IndexEntry[]> {
  const out = await must(root, ['ls-files', '-s', '-t', '-z']);
  const entries = new Map<string, IndexEntry>();
  for (const record of records(out)) {
    const tab = record.indexOf('\t');
    const [tag, mode = '', id = '', stage] = record.slice(0, tab).split(' ');
    const path = record.slice(tab + 1);
    if (stage === '0' || stage === '2' || !entries.has(path))
      entries.set(path, { path, mode, id, absent: tag === 'S' });
  }
  return [...entries.values()];
}

/** Paths whose work tree content differs from the index, deleted ones included. */
export async function listModified(root: string): Promise<string[]> {
  return [...new Set(records(await must(root, ['ls-files', '-m', '-z'])))];
}

/**
 * Tracked paths that differ from the commit, in the index or on disk. The one porcelain command: `diff-index` also
 * names files that were only touched, until somebody refreshes git's index, so that the same tree would give two answers.
 */
export async function listDiffering(root: string, commit: string): Promise<string[]> {
  const plain = ['--no-renames', '--no-ext-diff', '--no-textconv', '--no-relative', '--ignore-submodules=dirty'];
  return records(await must(root, ['diff', '--name-only', '-z', ...plain, commit, '--']));
}

/** The commit's entries at the given paths; paths that it does not have are left out. */
export async function listTreeAt(
  repository: Repository,
  commit: string,
  paths: readonly string[],
): Promise<TreeEntry[]> {
  const wanted = new Set(paths);
  if (wanted.size === 0) return [];
  // Beyond some hundred names the whole tree is cheaper than the arguments.
  const few = wanted.size <= 200 ? ['--', ...[...wanted].map((path) => `:(literal)${path}`)] : [];
  const entries = await listTree(repository, commit, few);
  return entries.filter((entry) => wanted.has(entry.path));
}

/** Those of the paths whose content git stores in another form than it has on disk (filters such as LFS, `ident`, encodings). */
export async function listFiltered(root: string, paths: readonly string[]): Promise<Set<string>> {
  const filtered = new Set<string>();
  if (paths.length === 0) return filtered;
  const attributes = ['filter', 'ident', 'working-tree-encoding'];
  const out = await must(root, ['check-attr', '--stdin', '-z', ...attributes], `${paths.join('\0')}\0`);
  const fields = records(out);
  for (let i = 0; i + 2 < fields.length; i += 3) {
    if (fields[i + 2] !== 'unspecified' && fields[i + 2] !== 'unset') filtered.add(fields[i] ?? '');
  }
  return filtered;
}

/** Untracked paths that no ignore rule covers. A nested repository appears as `folder/`. */
export async function listUntracked(root: string): Promise<string[]> {
  return records(await must(root, ['ls-files', '-o', '--exclude-standard', '-z']));
}

export interface TreeChange {
  readonly path: string;
  /** Undefined: deleted. */
  readonly entry?: TreeEntry;
}

/** What turns one commit's tree into another's. */
export async function diffTrees(repository: Repository, from: string, to: string): Promise<TreeChange[]> {
  const fields = records(await must(repository.root, ['diff-tree', '-r', '-z', '--no-renames', from, to]));
  const changes: TreeChange[] = [];
  for (let i = 0; i + 1 < fields.length; i += 2) {
    const [, mode = '', , id = '', status] = (fields[i] ?? '').split(' ');
    const path = fields[i + 1] ?? '';
    changes.push(status === 'D' ? { path } : { path, entry: { path, mode, id } });
  }
  return changes;
}

export interface Commit {
  readonly id: string;
  readonly message: string;
  readonly files: readonly string[];
}

/** Ids of the last `limit` non-merge commits, newest first. */
export async function listCommits(repository: Repository, tip: string, limit: number): Promise<string[]> {
  const out = await must(repository.root, ['rev-list', '--no-merges', '-n', String(limit), tip]);
  return out.toString('utf8').split('\n').filter(Boolean);
}

/** Whether history is cut: objects beyond it may be missing. */
export async function isShallow(repository: Repository): Promise<boolean> {
  const { out } = await run(repository.root, ['rev-parse', '--is-shallow-repository']);
  return out.toString('utf8').trim() === 'true';
}

/**
 * Messages and changed files of the given commits, in their order. Commits whose trees are missing
 * (shallow or partial clones) are left out.
 */
export async function readCommits(repository: Repository, ids: readonly string[]): Promise<Commit[]> {
  if (ids.length === 0) return [];
  const { out } = await run(
    repository.root,
    ['log', '--no-walk=unsorted', '--stdin', '--no-renames', '--name-only', '-z', '--format=%x02%H%x00%B%x00'],
    `${ids.join('\n')}\n`,
  );
  const commits: Commit[] = [];
  for (const part of out.toString('utf8').split('\x02').slice(1)) {
    const [id = '', message = '', ...rest] = part.split('\0');
    const files = rest.map((name) => name.replace(/^\n/, '')).filter((name) => name !== '');
    commits.push({ id, message: message.trim(), files });
  }
  return commits;
}

/** Reads blobs one after the other through a single `git cat-file --batch`. */
export class BlobReader {
  private readonly child: ChildProcessWithoutNullStreams;
  private chunks: Buffer[] = [];
  private buffered = 0;
  private readonly waiting: ((blob: Buffer | undefined) => void)[] = [];
  /** Bytes of the object being read, with its final newline; undefined between objects. */
  private expected: number | undefined;
  private ended = false;

  constructor(root: string) {
    this.child = spawn('git', [...COMMON, 'cat-file', '--batch'], { cwd: root, env: gitEnvironment() });
    this.child.stderr.resume();
    this.child.stdout.on('data', (chunk: Buffer) => {
      this.chunks.push(chunk);
      this.buffered += chunk.length;
      this.drain();
    });
    const end = () => {
      this.ended = true;
      for (const done of this.waiting.splice(0)) done(undefined);
    };
    this.child.on('close', end);
    this.child.on('error', end);
    this.child.stdin.on('error', end);
  }

  private drain(): void {
    for (;;) {
      if (this.expected === undefined) {
        const all = this.joined();
        const newline = all.indexOf(10);
        if (newline < 0) return;
        const header = all.subarray(0, newline).toString('utf8');
        this.take(newline + 1);
        const size = / (?:blob|commit|tree|tag) (\d+)$/.exec(header)?.[1];
        if (size === undefined) {
          this.waiting.shift()?.(undefined);
          continue;
        }
        this.expected = Number(size) + 1;
      }
      if (this.buffered < this.expected) return;
      const body = Buffer.from(this.joined().subarray(0, this.expected - 1));
      this.take(this.expected);
      this.expected = undefined;
      this.waiting.shift()?.(body);
    }
  }

  private joined(): Buffer {
    if (this.chunks.length !== 1) this.chunks = [Buffer.concat(this.chunks)];
    return this.chunks[0] ?? Buffer.alloc(0);
  }

  private take(count: number): void {
    this.chunks = [this.joined().subarray(count)];
    this.buffered -= count;
  }

  /** The blob's bytes, undefined where the object is missing. */
  read(id: string): Promise<Buffer | undefined> {
    if (this.ended) return Promise.resolve(undefined);
    return new Promise((done) => {
      this.waiting.push(done);
      this.child.stdin.write(`${id}\n`);
    });
  }

  close(): void {
    this.child.stdin.end();
  }
}
