/** `sidecar doctor`: what would and would not work here, and why. Each answer comes from trying, where it can. */
import { spawnSync } from 'node:child_process';
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import type { Agent } from '../agents/agent.js';
import { AGENTS } from '../agents/registry.js';
import { currentGeneration, readIndex } from '../io/index-folder.js';
import { HEADER } from '../retrieval/render.js';
import { extrasFor } from './agent-extras.js';
import { type CommonOptions, type ExitCode, locate, type Place, type Streams } from './context.js';
import { findOnPath, launcherEnvironment, shimsFolder } from './environment.js';
import { hookInstalled } from './hook-install.js';
import { searchableTerm } from './searchable-term.js';
import { stalePaths } from './status.js';

export interface Finding {
  readonly name: string;
  /** `note`: works, but the user may want to know. */
  readonly state: 'ok' | 'note' | 'fails';
  readonly says: string;
}

const LIMIT_MS = 20_000;
/** Of a machine that is busy, only whether it works at all is asked. */
const DEADLINE_MS = '10000';
const OLDEST_NODE = 20;

function firstLine(program: string, args: readonly string[]): string | undefined {
  const { status, stdout } = spawnSync(program, args, {
    encoding: 'utf8',
    timeout: LIMIT_MS,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return status === 0 ? stdout.split('\n')[0] : undefined;
}

function tools(env: NodeJS.ProcessEnv, shims: string): Finding[] {
  const path = env.PATH ?? '';
  const first = (name: string): string | undefined =>
    path
      .split(delimiter)
      .map((folder) => join(folder, name))
      .find((file) => existsSync(file));
  return ['rg', 'grep'].flatMap((name): Finding[] => {
    const real = findOnPath(name, path, shims);
    const version = real && firstLine(real, ['--version']);
    const answers = first(name);
    const launched = answers !== undefined && dirname(realpathSync(answers)) === shims;
    return [
      version
        ? { name: `real ${name}`, state: 'ok', says: `${version} (${real})` }
        : name === 'rg'
          ? { name: 'real rg', state: 'note', says: 'none on PATH: the one that comes with this package is used' }
          : { name: 'real grep', state: 'fails', says: 'none on PATH; install grep' },
      launched
        ? { name: `${name} in this shell`, state: 'ok', says: `the launcher (${answers})` }
        : {
            name: `${name} in this shell`,
            state: 'note',
            says: `${answers ?? 'nothing'}, without evidence; use sidecar run, or eval "$(sidecar shellenv)"`,
          },
    ];
  });
}

function installation(shims: string): Finding[] {
  const major = Number(process.versions.node.split('.')[0]);
  const node: Finding =
    major >= OLDEST_NODE
      ? { name: 'node', state: 'ok', says: `${process.version} (${process.execPath})` }
      : { name: 'node', state: 'fails', says: `${process.version} is too old; install ${OLDEST_NODE} or later` };
  const git = firstLine('git', ['--version']);
  const launchers = ['rg', 'grep'].map((name): Finding => {
    const file = join(shims, name);
    try {
      accessSync(file, constants.X_OK);
      return { name: `launcher of ${name}`, state: 'ok', says: file };
    } catch {
      return { name: `launcher of ${name}`, state: 'fails', says: `${file} cannot be run; install the package again` };
    }
  });
  const evidence = join(shims, '../dist/shim/evidence.cjs');
  const proc: Finding = existsSync('/proc/self/fd/1')
    ? { name: '/proc', state: 'ok', says: 'there' }
    : {
        name: '/proc',
        state: 'fails',
        says: 'missing: the launchers cannot tell who reads a result and stay silent; use sidecar hook install',
      };
  return [
    node,
    git ? { name: 'git', state: 'ok', says: git } : { name: 'git', state: 'fails', says: 'not on PATH; install git' },
    ...launchers,
    existsSync(evidence)
      ? { name: 'evidence side', state: 'ok', says: evidence }
      : { name: 'evidence side', state: 'fails', says: `${evidence} is missing; install the package again` },
    proc,
  ];
}

function writable(folder: string): boolean {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(at)) {
      try {
        accessSync(at, constants.W_OK | constants.X_OK);
        return statSync(at).isDirectory();
      } catch {
        return false;
      }
    }
    if (dirname(at) === at) return false;
  }
}

async function indexFindings(place: Place): Promise<Finding[]> {
  const permission: Finding = writable(place.folder)
    ? { name: 'index folder', state: 'ok', says: place.folder }
    : { name: 'index folder', state: 'fails', says: `${place.folder} is not writable; set SIDECAR_INDEX_DIR` };
  const index = readIndex(place.folder);
  const generation = currentGeneration(place.folder);
  if (!index || generation === undefined) {
    return [permission, { name: 'index', state: 'fails', says: 'none of this work tree; run sidecar build' }];
  }
  const stale = await stalePaths(place, index, generation);
  const of = index.commit === null ? 'a folder without git' : index.commit.slice(0, 10);
  return [
    permission,
    { name: 'index', state: 'ok', says: `${index.counts.files} files of ${of}` },
    stale.length === 0
      ? { name: 'staleness', state: 'ok', says: 'up to date' }
      : { name: 'staleness', state: 'note', says: `${stale.length} paths differ; run sidecar align` },
  ];
}

interface Trial {
  readonly block: boolean;
  /** Why not, as the launcher or the evidence side logged it. */
  readonly why: string;
}

/** Searches as the agent would: its shell, its environment, its kind of output. */
function search(agent: Agent['shell'], term: string, root: string, env: NodeJS.ProcessEnv): Trial {
  const folder = mkdtempSync(join(tmpdir(), 'sidecar-doctor-'));
  try {
    const log = join(folder, 'log');
    const output = join(folder, 'output');
    const [program, ...args] = agent.argv;
    // A shell that has one command only may become it; the second one keeps it.
    const command = `rg -n -w -F ${term} .; true`;
    const file = agent.output === 'file' ? openSync(output, 'a+') : undefined;
    const { stdout } = spawnSync(program, [...args, command], {
      cwd: root,
      env: {
        ...env,
        ...agent.env,
        SIDECAR_LOG: log,
        SIDECAR_DEADLINE: DEADLINE_MS,
        SIDECAR_SESSION: folder,
        SIDECAR_ALIGN: 'off',
      },
      timeout: LIMIT_MS,
      encoding: 'utf8',
      stdio: ['ignore', file ?? 'pipe', file ?? 'ignore'],
    });
    if (file !== undefined) closeSync(file);
    const text = file === undefined ? (stdout ?? '') : readFileSync(output, 'utf8');
    const logged = existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n').at(-1) : undefined;
    const why = logged ? String((JSON.parse(logged) as { why: unknown }).why) : 'the launcher was not reached';
    return { block: text.includes(HEADER), why };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Version of an agent from the package that its program lies in; starting it could take seconds. */
function versionOf(program: string): string {
  for (let folder = dirname(realpathSync(program)); dirname(folder) !== folder; folder = dirname(folder)) {
    try {
      const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version?: unknown };
      if (typeof version === 'string') return ` ${version}`;
    } catch {
      // Not a package, or a folder inside of one.
    }
  }
  return '';
}

function agentFinding(agent: Agent, program: string, term: string, root: string, env: NodeJS.ProcessEnv): Finding {
  const name = `${agent.title}${versionOf(program)}`;
  const extras = extrasFor([agent.programs[0] ?? ''], env, root);
  const bashEnv = extras?.bashEnv === undefined ? {} : { BASH_ENV: extras.bashEnv };
  const inRun = { ...env, ...Object.fromEntries(launcherEnvironment(env)), ...extras?.env, ...bashEnv };
  const started = search(agent.shell, term, root, inRun);
  const here = search(agent.shell, term, root, env);
  const hook = hookInstalled(agent, env, root);
  const ways = [
    started.block ? 'sidecar run' : undefined,
    here.block ? 'started from this shell' : undefined,
    hook === undefined ? undefined : `hook (${hook})`,
  ].filter((way) => way !== undefined);
  if (ways.length > 0) return { name, state: 'ok', says: `reached by ${ways.join(', ')}` };
  const other = agent.hook ? `; run: sidecar hook install ${agent.name}` : '';
  return { name, state: 'fails', says: `not reached, not even by sidecar run (${started.why})${other}` };
}

async function examine(args: CommonOptions, streams: Streams): Promise<Finding[]> {
  const { env } = streams;
  const shims = shimsFolder();
  const place = await locate(streams, args);
  const { root } = place.target;
  const found = [...installation(shims), ...tools(env, shims), ...(await indexFindings(place))];
  if (env.SIDECAR_MODE === 'off')
    found.push({ name: 'SIDECAR_MODE', state: 'fails', says: 'off: every search is the real tool alone' });
  const generation = currentGeneration(place.folder);
  const term = generation && searchableTerm(generation);
  if (!term) {
    found.push({ name: 'a real search', state: 'fails', says: 'there is nothing in the index to search for' });
    return found;
  }
  const withIndex = args.indexDir === undefined ? env : { ...env, SIDECAR_INDEX_DIR: place.folder };
  const launched = { ...withIndex, ...Object.fromEntries(launcherEnvironment(withIndex)) };
  const proof = search({ argv: ['sh', '-c'], env: { AI_AGENT: '1' }, output: 'pipe' }, term, root, launched);
  found.push(
    proof.block
      ? { name: 'a real search', state: 'ok', says: `rg ${term}: the block arrived` }
      : { name: 'a real search', state: 'fails', says: `rg ${term}: no block (${proof.why})` },
  );
  for (const agent of AGENTS) {
    const program = agent.programs.map((name) => findOnPath(name, env.PATH ?? '', shims)).find((file) => file);
    if (program) found.push(agentFinding(agent, program, term, root, withIndex));
  }
  return found;
}

export async function runDoctor(args: CommonOptions, streams: Streams): Promise<ExitCode> {
  const found = await examine(args, streams);
  const failed = found.some(({ state }) => state === 'fails');
  if (args.json) streams.out(`${JSON.stringify({ works: !failed, findings: found })}\n`);
  else if (!args.quiet) {
    const width = Math.max(...found.map(({ name }) => name.length));
    for (const { name, state, says } of found) streams.out(`${state.padEnd(5)}  ${name.padEnd(width)}  ${says}\n`);
  }
  return failed ? 1 : 0;
}
