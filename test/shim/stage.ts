/**
 * A stage for the shim: the launchers and the evidence side as they are in the source, with a block that only says
 * what it was asked, a small repository with an index, and a way to run the same command with and without them.
 */
import { type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { rgPath } from '@vscode/ripgrep';
import { bundleEvidence } from '../../scripts/bundle-evidence.mjs';
import { indexDirFor } from '../../src/io/index-location.js';
import { launcherFor } from '../../src/shim/launcher.js';
import { sidecarPath } from '../../src/sidecars/layout.js';
import type { Sidecar } from '../../src/sidecars/sidecar.generated.js';
import { packSidecar } from '../../src/sidecars/stored.js';
import { removeFolder } from '../support/remove-folder.js';

/** Stands in for retrieval: one line with the files and lines that it was given. */
const PLAIN_BLOCK = `export function blockFor(request) {
  const searches = (request.session?.searches ?? 0) + 1;
  const known = request.matches.filter((match) => request.reader.sidecar(match.path));
  const named = known.map((match) => request.display(match.path) + ':' + match.lines.join('+'));
  return {
    text: named.length > 0 ? '[Block] ' + named.join(' ') + '\\n' : '',
    shown: [],
    session: { version: 1, searches, files: {}, trail: [], terms: [] },
    log: { decision: 'shown', search: searches, anchors: [], candidates: 0, best: 0, gate: 0, tokens: 0 },
  };
}`;

export const BLOCK = /(?:^|\n)\[Block\] [^\n]*\n$/;

/** Variables of the machine that would change what the shim decides. */
const LEFT_OUT =
  /^(SIDECAR_|CLAUDECODE|CODEX|GEMINI|QWEN|OPENCODE|CRUSH|COPILOT|CURSOR|GOOSE|AI_AGENT|AGENT$|RIPGREP|GREP|NODE_|_$)/;

export interface Ran {
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A version that no builder of today writes. */
function versionOf(more: object): object {
  return 'schemaVersion' in more ? { schemaVersion: more.schemaVersion } : {};
}

export class Stage {
  readonly base = realpathSync(mkdtempSync(join(tmpdir(), 'sidecar-shim-')));
  readonly home = join(this.base, 'home');
  readonly shims = join(this.home, 'shims');
  readonly repository = join(this.base, 'repository');
  readonly log = join(this.base, 'log');
  readonly real: NodeJS.ProcessEnv;
  readonly shimmed: NodeJS.ProcessEnv;

  private constructor() {
    const tools = join(this.base, 'tools');
    mkdirSync(tools, { recursive: true });
    const env: NodeJS.ProcessEnv = { LC_ALL: 'C.UTF-8' };
    for (const [name, value] of Object.entries(process.env)) if (!LEFT_OUT.test(name)) env[name] = value;
    const path = (process.env.PATH ?? '').split(delimiter).filter((folder) => !existsSync(join(folder, 'rg')));
    env.PATH = [dirname(rgPath), ...path].join(delimiter);
    env.XDG_CACHE_HOME = join(this.base, 'cache');
    delete env.XDG_RUNTIME_DIR;
    this.real = env;
    this.shimmed = {
      ...env,
      PATH: [this.shims, env.PATH].join(delimiter),
      SIDECAR_LOG: this.log,
      SIDECAR_NODE: process.execPath,
      // The machine that runs the tests may be busy; a block that is late is another test.
      SIDECAR_DEADLINE: '30000',
    };
  }

  static async open(): Promise<Stage> {
    const stage = new Stage();
    mkdirSync(stage.shims, { recursive: true });
    for (const tool of ['rg', 'grep'] as const) {
      writeFileSync(join(stage.shims, tool), launcherFor(tool));
      chmodSync(join(stage.shims, tool), 0o755);
    }
    await bundleEvidence(join(stage.home, 'dist/shim'), { 'src/retrieval/block.ts': PLAIN_BLOCK });
    mkdirSync(join(stage.repository, '.git'), { recursive: true });
    stage.file('a.py', 'def foo():\n    bar()\n');
    stage.file('b.py', 'foo()\nbar()\n');
    stage.file('sub/c.py', 'foo()\n');
    mkdirSync(stage.index, { recursive: true });
    stage.writeIndex({});
    for (const path of ['a.py', 'b.py', 'sub/c.py']) stage.sidecar(path);
    return stage;
  }

  close(): Promise<void> {
    return removeFolder(this.base);
  }

  get index(): string {
    return indexDirFor(this.repository, this.real);
  }

  writeIndex(more: object): void {
    writeFileSync(
      join(this.index, 'index.json'),
      JSON.stringify({ schemaVersion: 1, commit: null, tree: 'plain', counts: {}, ...more }),
    );
  }

  file(path: string, content: string | Uint8Array): void {
    mkdirSync(dirname(join(this.repository, path)), { recursive: true });
    writeFileSync(join(this.repository, path), content);
  }

  /** Writes a sidecar as a builder does; a string or bytes are written as they are. */
  sidecar(path: string, more: object | string | Uint8Array = {}): void {
    const target = join(this.index, sidecarPath(path));
    mkdirSync(dirname(target), { recursive: true });
    const least: Sidecar = {
      schemaVersion: 1,
      path,
      content: '0'.repeat(40),
      role: 'source',
      lines: 1,
      symbols: [],
      neighbours: {},
      flows: [],
    };
    const raw = typeof more === 'string' || more instanceof Uint8Array;
    writeFileSync(
      target,
      raw ? more : `${JSON.stringify({ ...packSidecar({ ...least, ...more }), ...versionOf(more) })}\n`,
    );
  }

  /** Runs argv to its end; stdin is /dev/null unless the options say otherwise. */
  run(argv: readonly string[], env: NodeJS.ProcessEnv, options: SpawnOptions = {}): Promise<Ran> {
    return new Promise((resolve, reject) => {
      const [file = '', ...args] = argv;
      const child = spawn(file, args, { cwd: this.repository, stdio: ['ignore', 'pipe', 'pipe'], ...options, env });
      const out: Buffer[] = [];
      const err: Buffer[] = [];
      child.stdout?.on('data', (chunk) => out.push(chunk));
      child.stderr?.on('data', (chunk) => err.push(chunk));
      child.on('error', reject);
      child.on('close', (status, signal) =>
        resolve({ stdout: Buffer.concat(out), stderr: Buffer.concat(err), status, signal }),
      );
    });
  }

  /** Under `bash -c`, with the shims. */
  bash(command: string, more: NodeJS.ProcessEnv = {}, options: SpawnOptions = {}): Promise<Ran> {
    return this.run(['bash', '-c', command], { ...this.shimmed, ...more }, options);
  }

  /** What the last search decided and why. */
  lastDecision(): { decision: string; why: string } | undefined {
    if (!existsSync(this.log)) return undefined;
    const line = readFileSync(this.log, 'utf8').trim().split('\n').at(-1);
    return line ? JSON.parse(line) : undefined;
  }
}

export function hasBlock(ran: Ran): boolean {
  return BLOCK.test(ran.stdout.toString());
}

/** Whether a program is there to test with. */
export function installed(program: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
}

/** Processes whose command line names the folder: nothing of a search may be left. */
export function processesNaming(folder: string): string[] {
  const listed = spawnSync('ps', ['-eo', 'pid,stat,args'], { encoding: 'utf8' }).stdout;
  return listed.split('\n').filter((line) => line.includes(folder));
}
