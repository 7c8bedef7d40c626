/** The `sidecar` command: parses arguments, injects the process's streams, turns errors into exit codes. */
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { SidecarError } from '../errors.js';
import { EXPORT_FORMATS, type ExportFormat } from '../graph/export.js';
import type { CommonOptions, Streams } from './context.js';

const VERSION = '0.1.0';

function processStreams(noColour: boolean): Streams {
  const { env } = process;
  const colour = !noColour && !env.NO_COLOR && (Boolean(env.FORCE_COLOR) || process.stdout.isTTY === true);
  return {
    out: (text) => process.stdout.write(text),
    error: (text) => process.stderr.write(text),
    interactive: process.stderr.isTTY === true,
    colour,
    cwd: process.cwd(),
    env,
  };
}

const wholeNumber = (text: string): number => {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new InvalidArgumentError('it must be a whole number above 0');
  return value;
};

const share = (text: string): number => {
  const value = Number(text);
  if (text === '' || !(value >= 0 && value <= 1)) throw new InvalidArgumentError('it must lie between 0 and 1');
  return value;
};

/** Adds the options that all commands share, and runs `body` with what they say. */
function define(
  program: Command,
  usage: string,
  description: string,
  body: (options: Record<string, unknown> & CommonOptions, operands: string[], streams: Streams) => Promise<number>,
  configure: (command: Command) => Command = (command) => command,
): void {
  const command = configure(
    program
      .command(usage)
      .description(description)
      .option('--json', 'one JSON document on stdout')
      .option('--quiet', 'no progress and no summary')
      .option('--index-dir <dir>', 'keep the index there')
      .addOption(new Option('--no-color', 'plain output')),
  );
  command.action(async () => {
    const options = command.opts();
    process.exitCode = await body(options, command.args, processStreams(options.color === false));
  });
}

function commands(): Command {
  const program = new Command('sidecar')
    .description('Structural evidence for the searches of coding agents.')
    .version(VERSION)
    .showHelpAfterError('(see: sidecar --help)')
    .enablePositionalOptions()
    .exitOverride();
  define(
    program,
    'build [path]',
    'index the work tree that holds PATH',
    async (options, [path], streams) =>
      (await import('./build.js')).runBuild({ ...options, ...(path === undefined ? {} : { path }) }, streams),
    (command) =>
      command
        .option('--commit <rev>', "describe that commit's tree, without a checkout")
        .option('--workers <n>', 'threads that parse', wholeNumber)
        .option('--compact', 'at most 10 neighbours per kind instead of 20')
        .option('--full', 'forget what was parsed before'),
  );
  define(
    program,
    'align [rev]',
    'make the index describe REV, or the work tree as it is',
    async ({ background, ...options }, [revision], streams) =>
      background
        ? (await import('./background-align.js')).runBackgroundAlign(options, streams)
        : (await import('./align.js')).runAlign(
            { ...options, ...(revision === undefined ? {} : { revision }) },
            streams,
          ),
    (command) =>
      command
        .addOption(new Option('--background', 'one at a time, silent, never fails').hideHelp())
        .option('--check', 'build the same from scratch and compare every byte; exit 1 where they differ')
        .addOption(new Option('--globals <when>', 'renew communities and flows').choices(['auto', 'always', 'never']))
        .option('--workers <n>', 'threads that parse', wholeNumber),
  );
  define(
    program,
    'status',
    'what the index describes, and what of it is stale',
    async (options, _, streams) => (await import('./status.js')).runStatus(options, streams),
    (command) => command.option('--check', 'exit 1 when something is stale'),
  );
  define(program, 'show <file>', 'one sidecar, readable', async (options, [file = ''], streams) =>
    (await import('./show.js')).runShow(file, options, streams),
  );
  define(
    program,
    'related <anchor...>',
    'the block for these anchors: FILE or FILE:LINE',
    async (options, anchors, streams) => (await import('./related.js')).runRelated({ ...options, anchors }, streams),
    (command) =>
      command
        .option('--query <text>', 'the searched term')
        .option('--k <n>', 'most files to name', wholeNumber)
        .option('--theta <x>', 'least confidence of a structural neighbour', share)
        .option('--budget <tokens>', 'most tokens of the block', wholeNumber),
  );
  define(
    program,
    'export',
    'the whole graph, nothing capped',
    async ({ format, ...options }, _, streams) =>
      (await import('./export.js')).runExport(format as ExportFormat, options, streams),
    (command) =>
      command.addOption(new Option('--format <format>', 'what to write').choices(EXPORT_FORMATS).default('ndjson')),
  );
  define(program, 'shellenv', 'shell code that puts the launchers first on PATH', async (options, _, streams) =>
    (await import('./shellenv.js')).runShellenv(options, streams),
  );
  define(
    program,
    'run <command...>',
    'run an agent with the launchers on its PATH, after building the index where there is none',
    async (options, command, streams) => (await import('./run.js')).runCommand(command, options, streams),
    (command) => command.passThroughOptions(),
  );
  define(
    program,
    'hook <what> [agent]',
    'AGENT: its hook protocol on stdin and stdout; install AGENT or uninstall AGENT: write or remove it',
    async (options, [what = '', agent], streams) => {
      if (what !== 'install' && what !== 'uninstall') return (await import('./hook.js')).runHook(what, streams);
      const { installHook, uninstallHook } = await import('./hook-install.js');
      return (what === 'install' ? installHook : uninstallHook)(agent, options, streams);
    },
    (command) =>
      command
        .option('--user', 'in the settings of the user (the default)')
        .addOption(new Option('--project', 'in the settings of this work tree').conflicts('user'))
        .option('--dry-run', 'only show what would change'),
  );
  define(
    program,
    'githooks <what>',
    'install or uninstall: align in the background after checkout, commit, merge and rewrite',
    async (options, [what], streams) => {
      const { installGithooks, uninstallGithooks } = await import('./githooks.js');
      return (what === 'install' ? installGithooks : uninstallGithooks)(options, streams);
    },
    (command) => {
      command.registeredArguments[0]?.choices(['install', 'uninstall']);
      return command;
    },
  );
  define(program, 'doctor', 'what would and would not work here, and why', async (options, _, streams) =>
    (await import('./doctor.js')).runDoctor(options, streams),
  );
  define(program, 'manifest', 'what the repository is: commands, components, layout', async (options, _, streams) =>
    (await import('./manifest.js')).runManifest(options, streams),
  );
  define(
    program,
    'map',
    'signatures of what matters, within a token budget',
    async (options, _, streams) => (await import('./map.js')).runMap(options, streams),
    (command) =>
      command
        .option('--query <text>', 'rank for this text')
        .option('--issue <file>', 'rank for the text of this file')
        .option('--budget <n>', 'tokens, never exceeded', wholeNumber)
        .addOption(new Option('--ranker <name>', 'how to rank').choices(['bm25', 'bm25m', 'ppr', 'hybrid', 'layered'])),
  );
  define(
    program,
    'recon',
    'whether a task needs context beyond its module, and the slice that it earns',
    async (options, _, streams) =>
      (await import('./recon.js')).runRecon({ ...options, task: String(options.task) }, streams),
    (command) =>
      command
        .requiredOption('--task <text>', 'what is to be done')
        .option('--budget <n>', 'tokens, never exceeded', wholeNumber),
  );
  define(
    program,
    'ask <question...>',
    'tests-for, defines, callers, implements, affects or config NAME; command PURPOSE; or plain words',
    async (options, question, streams) => (await import('./ask.js')).runAsk({ ...options, question }, streams),
  );
  return program;
}

export async function main(): Promise<void> {
  process.on('SIGINT', () => process.exit(130));
  // A reader that went away (`| head`) is no error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 2));
  try {
    await commands().parseAsync(process.argv);
  } catch (error) {
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
    else if (error instanceof SidecarError) {
      process.stderr.write(`sidecar: ${error.message}\n`);
      process.exitCode = 2;
    } else {
      const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
      process.stderr.write(`sidecar: internal error, please report it: ${message}\n`);
      process.exitCode = 2;
    }
  }
}
