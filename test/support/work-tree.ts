/** A git repository on disk for tests, and the index of it. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type AlignOptions, type AlignReport, align } from '../../src/indexing/align.js';
import { type BuildReport, build } from '../../src/indexing/build.js';
import { DEFAULT_SETTINGS } from '../../src/indexing/settings.js';
import type { Target } from '../../src/indexing/target.js';
import { differences } from '../../src/io/compare-generations.js';
import { findRepository } from '../../src/io/git.js';
import { currentGeneration } from '../../src/io/index-folder.js';

const IDENTITY = {
  GIT_AUTHOR_NAME: 'Test',
  GIT_AUTHOR_EMAIL: 'test@example.invalid',
  GIT_COMMITTER_NAME: 'Test',
  GIT_COMMITTER_EMAIL: 'test@example.invalid',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
};

export class WorkTree {
  readonly base = realpathSync(mkdtempSync(join(tmpdir(), 'sidecar-test-')));
  readonly root = join(this.base, 'repository');
  private commits = 0;

  constructor(files: Readonly<Record<string, string | Buffer>> = {}, git = true) {
    mkdirSync(this.root);
    if (git) this.git('init', '-q', '-b', 'main');
    for (const [path, content] of Object.entries(files)) this.write(path, content);
  }

  git(...args: string[]): string {
    return execFileSync('git', args, { cwd: this.root, encoding: 'utf8', env: { ...process.env, ...IDENTITY } });
  }

  write(path: string, content: string | Buffer): void {
    mkdirSync(dirname(join(this.root, path)), { recursive: true });
    writeFileSync(join(this.root, path), content);
  }

  remove(path: string): void {
    rmSync(join(this.root, path), { recursive: true, force: true });
  }

  /** Commits everything, at a date that depends on nothing but the number of the commit. */
  commit(message = 'change'): string {
    this.commits += 1;
    const date = `2020-01-01T00:${String(Math.floor(this.commits / 60)).padStart(2, '0')}:${String(this.commits % 60).padStart(2, '0')}Z`;
    this.git('add', '-A');
    execFileSync('git', ['commit', '-q', '--allow-empty', '-m', message], {
      cwd: this.root,
      env: { ...process.env, ...IDENTITY, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date },
    });
    return this.git('rev-parse', 'HEAD').trim();
  }

  async target(commit?: string): Promise<Target> {
    const repository = await findRepository(this.root);
    return { root: this.root, ...(repository ? { repository } : {}), ...(commit === undefined ? {} : { commit }) };
  }

  private options(index: string): AlignOptions {
    return {
      folder: join(this.base, index),
      factsFolder: join(this.base, 'facts'),
      settings: DEFAULT_SETTINGS,
      workers: 1,
      onProgress: () => undefined,
      globals: 'always',
    };
  }

  async build(index = 'index', commit?: string): Promise<BuildReport> {
    return build(await this.target(commit), this.options(index));
  }

  async align(index = 'index', commit?: string, globals: AlignOptions['globals'] = 'always'): Promise<AlignReport> {
    return align(await this.target(commit), { ...this.options(index), globals });
  }

  /** Folder of the published generation of an index. */
  generation(index = 'index'): string {
    const folder = currentGeneration(join(this.base, index));
    if (folder === undefined) throw new Error(`no index ${index}`);
    return folder;
  }

  /** What differs between the index and one built from scratch of the same target. */
  async differencesFromBuild(index = 'index', commit?: string): Promise<string[]> {
    await this.build('fresh', commit);
    return differences(this.generation(index), this.generation('fresh'), false);
  }

  dispose(): void {
    rmSync(this.base, { recursive: true, force: true });
  }
}
