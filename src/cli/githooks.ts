/** `sidecar githooks install|uninstall`: an align in the background after git has changed the work tree. */
import { existsSync, readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { type GitHook, withAlign, withoutAlign } from '../agents/git-hooks.js';
import { SidecarError } from '../errors.js';
import { hooksFolder } from '../io/git.js';
import { modeOf, readUserFile, removeUserFile, writeUserFile } from '../io/user-file.js';
import { type CommonOptions, type ExitCode, locate, type Streams } from './context.js';
import { mainScript } from './environment.js';

const HOOKS: readonly GitHook[] = ['post-checkout', 'post-commit', 'post-merge', 'post-rewrite'];

/** Where a hook that is no shell script waits while ours calls it. */
const BESIDE = '.before-sidecar';

interface Hooks {
  /** The folder that git runs hooks from, core.hooksPath included. */
  readonly folder: string;
  /** True where it serves more than this repository, or is part of its work tree. */
  readonly shared: boolean;
  readonly where: string;
}

async function hooksOf(options: CommonOptions, streams: Streams): Promise<Hooks> {
  const { target } = await locate(streams, options);
  if (!target.repository) {
    throw new SidecarError(
      'there are no git hooks here',
      'this folder is not in a git repository',
      'run git init first',
    );
  }
  const folder = await hooksFolder(target.repository);
  const inside = folder.startsWith(target.repository.commonDir + sep);
  return { folder, shared: !inside, where: inside ? relative(target.root, folder) || folder : folder };
}

interface Change {
  readonly hook: GitHook;
  readonly did: 'added' | 'chained' | 'present' | 'removed' | 'absent';
}

function report(hooks: Hooks, changes: readonly Change[], options: CommonOptions, streams: Streams): void {
  if (options.json) {
    streams.out(`${JSON.stringify({ folder: hooks.folder, hooks: changes })}\n`);
    return;
  }
  if (options.quiet) return;
  const words = {
    added: 'aligns in the background',
    chained: 'aligns in the background, and runs what was there',
    present: 'was there already',
    removed: 'is as it was before',
    absent: 'had nothing of ours',
  };
  for (const { hook, did } of changes) streams.out(`${hook} ${words[did]}\n`);
  streams.out(`hooks in ${hooks.where}\n`);
  if (hooks.shared && changes.some(({ did }) => did === 'added' || did === 'chained')) {
    streams.out(
      'core.hooksPath names this folder: others that use it run these hooks too (without an index they do nothing)\n',
    );
  }
}

export async function installGithooks(options: CommonOptions, streams: Streams): Promise<ExitCode> {
  const hooks = await hooksOf(options, streams);
  const changes = HOOKS.map((hook): Change => {
    const path = join(hooks.folder, hook);
    const before = readUserFile(path);
    const script = withAlign(hook, before && { content: before, runs: (modeOf(path) & 0o111) !== 0 }, {
      node: process.execPath,
      main: mainScript(),
      beside: hook + BESIDE,
    });
    if (script.kind === 'present') return { hook, did: 'present' };
    if (script.kind === 'beside' && before) {
      writeUserFile(path + BESIDE, before, modeOf(path), true);
      writeUserFile(path, script.text, 0o755, true);
      return { hook, did: 'chained' };
    }
    writeUserFile(path, script.text, 0o755);
    return { hook, did: before ? 'chained' : 'added' };
  });
  report(hooks, changes, options, streams);
  return 0;
}

export async function uninstallGithooks(options: CommonOptions, streams: Streams): Promise<ExitCode> {
  const hooks = await hooksOf(options, streams);
  const changes = HOOKS.map((hook): Change => {
    const path = join(hooks.folder, hook);
    const now = readUserFile(path);
    const rest = now && withoutAlign(now);
    if (!now || rest === undefined) return { hook, did: 'absent' };
    const aside = readUserFile(path + BESIDE);
    if (rest === 'ours' && aside) {
      writeUserFile(path, aside, modeOf(path + BESIDE), true);
      removeUserFile(path + BESIDE);
    } else if (rest === 'ours') removeUserFile(path);
    else writeUserFile(path, rest);
    return { hook, did: 'removed' };
  });
  if (existsSync(hooks.folder) && readdirSync(hooks.folder).length === 0)
    removeUserFile(join(hooks.folder, HOOKS[0] ?? ''), hooks.folder);
  report(hooks, changes, options, streams);
  return 0;
}
