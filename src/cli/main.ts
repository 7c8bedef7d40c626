#!/usr/bin/env node
/** The `sidecar` command: parses arguments, injects the process's streams, turns errors into exit codes. */
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { SidecarError } from '../errors.js';
import type { CommonOptions, ExitCode, Streams } from './context.js';

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

/** Adds the options that all commands share, and runs `body` with what they say. */
function define(
  program: Command,
  usage: string,
  description: string,
  body: (options: Record<string, unknown> & CommonOptions, operands: string[], streams: Streams) => Promise<ExitCode>,
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
    async (options, [revision], streams) =>
      (await import('./align.js')).runAlign({ ...options, ...(revision === undefined ? {} : { revision }) }, streams),
    (command) =>
      command
        .option('--check', 'build the same from scratch and compare every byte; exit 1 where they differ')
        .addOption(new Option('--globals <when>', 'renew communities and flows').choices(['auto', 'always', 'never']))
        .option('--workers <n>', 'threads that parse', wholeNumber),
  );
  return program;
}

async function main(): Promise<void> {
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

await main();
