/** Reads a command line of rg or grep by the table of flags.ts, the way the launcher does it in sh. */
import { FLAGS, type Flag, type Tool } from './flags.js';

export interface CommandLine {
  /** Absent: may be augmented as far as flags go. */
  readonly exec?: 'flag' | 'value' | 'incomplete' | 'no-pattern' | 'stdin';
  /** The flags that mean exec, by their first long name (a letter where they have none); unknown ones as given. */
  readonly refused: readonly string[];
  /** Patterns given with -e or as the first operand; GNU grep and rg take newlines as separators. */
  readonly patterns: readonly string[];
  /** True where patterns also come from a file. */
  readonly patternFile: boolean;
  readonly paths: readonly string[];
  /** Whether it walks folders. */
  readonly recursive: boolean;
}

interface Index {
  readonly long: ReadonlyMap<string, Flag>;
  readonly short: ReadonlyMap<string, Flag>;
}

function indexOf(tool: Tool): Index {
  const long = new Map<string, Flag>();
  const short = new Map<string, Flag>();
  for (const flag of FLAGS[tool].flags) {
    for (const name of flag.long ?? []) long.set(name, flag);
    for (const char of flag.short ?? '') short.set(char, flag);
  }
  return { long, short };
}

/** Pure. Arguments without the tool's own name. */
export function readCommandLine(tool: Tool, args: readonly string[]): CommandLine {
  const flags = indexOf(tool);
  const patterns: string[] = [];
  const operands: string[] = [];
  const refused: string[] = [];
  let exec: CommandLine['exec'];
  let patternFile = false;
  let recursive = tool === 'rg';
  let pending: Flag | undefined;

  const refuse = (flag: string): void => {
    exec ??= 'flag';
    refused.push(flag);
  };
  const take = (flag: Flag, value: string | undefined): void => {
    if (flag.action === 'exec') refuse(flag.long?.[0] ?? flag.short ?? '');
    if (flag.only && (value === undefined ? flag.value === 'required' : !flag.only.includes(value))) exec ??= 'value';
    if (flag.recursive) recursive ||= flag.value === undefined || flag.recursive.includes(value ?? '');
    if (flag.holds === 'pattern') patterns.push(value ?? '');
    if (flag.holds === 'pattern-file') patternFile = true;
    if (flag.holds?.endsWith('file') && value === '-') exec ??= 'stdin';
  };

  let flagsEnded = false;
  for (const arg of args) {
    if (pending) {
      take(pending, arg);
      pending = undefined;
    } else if (flagsEnded || arg === '-' || !arg.startsWith('-')) {
      operands.push(arg);
    } else if (arg === '--') {
      flagsEnded = true;
    } else if (arg.startsWith('--')) {
      const equals = arg.indexOf('=');
      const flag = flags.long.get(arg.slice(2, equals < 0 ? undefined : equals));
      const value = equals < 0 ? undefined : arg.slice(equals + 1);
      if (!flag || (value !== undefined && flag.value === undefined)) refuse(arg);
      else if (flag.value === 'required' && value === undefined) pending = flag;
      else take(flag, value);
    } else {
      pending = takeCluster(arg.slice(1));
    }
  }

  function takeCluster(cluster: string): Flag | undefined {
    const chars = [...cluster];
    for (let i = 0; i < chars.length; i += 1) {
      const char = chars[i] ?? '';
      if (FLAGS[tool].digits && /^[0-9]$/.test(char)) continue;
      const flag = flags.short.get(char);
      if (!flag) {
        refuse(`-${char}`);
        return undefined;
      }
      if (flag.value !== 'required') {
        take(flag, undefined);
        continue;
      }
      if (i === chars.length - 1) return flag;
      const attached = chars.slice(i + 1).join('');
      take(flag, tool === 'rg' && attached.startsWith('=') ? attached.slice(1) : attached);
      return undefined;
    }
    return undefined;
  }

  if (pending) exec ??= 'incomplete';
  if (patterns.length === 0 && !patternFile) {
    const first = operands.shift();
    if (first === undefined) exec ??= 'no-pattern';
    else patterns.push(first);
  }
  if (operands.includes('-') || (operands.length === 0 && !recursive)) exec ??= 'stdin';
  return {
    ...(exec ? { exec } : {}),
    refused,
    patterns: patterns.flatMap((p) => p.split('\n')),
    patternFile,
    paths: operands,
    recursive,
  };
}
