/** Finds the searches in a tool call whose matches the model sees. Pure. */
import { basename } from 'node:path/posix';
import { readCommandLine } from '../shim/command-line.js';
import type { Tool } from '../shim/flags.js';
import type { ToolCall } from './agent.js';
import { type Pipeline, readPipelines, type SimpleCommand } from './shell-command.js';

export interface Search {
  readonly patterns: readonly string[];
  /** Folders that `cd` was given before it, in order. */
  readonly folders: readonly string[];
  /** The one file that was named, whose name the result may leave out. */
  readonly single?: string;
  /** The result is a list of files. */
  readonly lists: boolean;
}

const TOOLS: ReadonlyMap<string, Tool> = new Map([
  ['rg', 'rg'],
  ['grep', 'grep'],
  ['egrep', 'grep'],
  ['fgrep', 'grep'],
]);

/** Programs that run the command given to them: looked through, with the flags of theirs that take a value. */
const CARRIERS: ReadonlyMap<string, RegExp> = new Map([
  ['command', /^$/],
  ['builtin', /^$/],
  ['env', /^-[uC]$/],
  ['nice', /^-n$/],
  ['nohup', /^$/],
  ['stdbuf', /^-[ioe]$/],
  ['sudo', /^-[ugh]$/],
  ['time', /^-[fo]$/],
  ['timeout', /^-[ks]$/],
  ['xargs', /^-[InPLsdEa]$/],
]);

/** Stages of a pipe that let lines through as they are. */
const KEEP_LINES = new Set(['head', 'tail', 'sort', 'uniq', 'cat', 'less', 'more', 'tee', 'sed', 'grep', 'rg']);

interface Invocation {
  readonly tool: Tool;
  readonly args: readonly string[];
  /** Its files come from somewhere else than its arguments. */
  readonly fed: boolean;
}

/** The rg or grep that the words run. */
function invocation(words: readonly string[]): Invocation | undefined {
  let fed = false;
  let i = 0;
  for (;;) {
    const name = basename(words[i] ?? '');
    const tool = TOOLS.get(name);
    if (tool) return { tool, args: words.slice(i + 1), fed };
    if (name === 'git') {
      let at = i + 1;
      while (words[at]?.startsWith('-')) at += words[at] === '-C' || words[at] === '-c' ? 2 : 1;
      // It always walks, and its flags are close enough to grep's.
      return words[at] === 'grep' ? { tool: 'grep', args: ['-r', ...words.slice(at + 1)], fed } : undefined;
    }
    if (name === 'find') {
      const at = words.findIndex((word) => /^-exec(dir)?$/.test(word));
      if (at < 0) return undefined;
      const end = words.findIndex((word, index) => index > at && (word === ';' || word === '+'));
      const inner = invocation(words.slice(at + 1, end < 0 ? undefined : end).filter((word) => word !== '{}'));
      return inner && { ...inner, fed: true };
    }
    const valued = CARRIERS.get(name);
    if (!valued) return undefined;
    fed ||= name === 'xargs';
    i += 1;
    while (words[i]?.startsWith('-') || (name === 'env' && /^\w+=/.test(words[i] ?? ''))) {
      i += valued.test(words[i] ?? '') ? 2 : 1;
    }
    if (name === 'timeout') i += 1;
  }
}

/** What the stage searches; undefined where it is a filter of its stdin, or prints something else than matches. */
function searchOf(stage: SimpleCommand, folders: readonly string[], piped: boolean): Search | undefined {
  const found = invocation(stage.words);
  if (!found) return undefined;
  const { tool, args, fed } = found;
  const line = readCommandLine(tool, args);
  const lists = line.refused.length > 0 && line.refused.every((flag) => flag === 'files-with-matches');
  if (line.refused.length > 0 && !lists) return undefined;
  if (line.exec !== undefined && line.exec !== 'stdin' && line.exec !== 'flag') return undefined;
  const walks = line.recursive && !(tool === 'rg' && piped);
  if (!fed && !walks && line.paths.every((path) => path === '-')) return undefined;
  const [single] = line.paths;
  return {
    patterns: line.patterns,
    folders,
    lists,
    ...(line.paths.length === 1 && single !== undefined && !fed ? { single } : {}),
  };
}

const printsOwnLines = ({ words }: SimpleCommand): boolean => {
  const name = basename(words[0] ?? '');
  if (!KEEP_LINES.has(name)) return false;
  const tool = TOOLS.get(name);
  if (tool) return readCommandLine(tool, words.slice(1)).refused.every((flag) => flag === 'invert-match');
  // Of sed, only the selection of lines.
  return name !== 'sed' || words.slice(1).every((word) => /^-n$|^-?[\d,$]+p?$|^[\d,$]+[pq]$/.test(word));
};

function searchIn({ stages, folders }: Pipeline): Search | undefined {
  for (let i = stages.length - 1; i >= 0; i -= 1) {
    const stage = stages[i] as SimpleCommand;
    if (stage.redirected) return undefined;
    const search = searchOf(stage, folders, i > 0);
    if (search) return search;
    if (!printsOwnLines(stage)) return undefined;
  }
  return undefined;
}

/** The searches of a call, in order. */
export function searchesIn({ call }: ToolCall): readonly Search[] {
  if (call.kind === 'search') {
    return [
      {
        patterns: [call.pattern],
        folders: [],
        lists: true,
        ...(call.path === undefined ? {} : { single: call.path }),
      },
    ];
  }
  // Most commands are no searches, and this is asked about each of them.
  if (!/\b(?:rg|[ef]?grep)\b/.test(call.command)) return [];
  return readPipelines(call.command).flatMap((pipeline) => searchIn(pipeline) ?? []);
}
