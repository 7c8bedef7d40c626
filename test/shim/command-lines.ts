/** Seeded command lines for the differential test and its larger run in bench/shim. */
import { FLAGS, type Flag, type Tool } from '../../src/shim/flags.js';

/** mulberry32: a small generator with a fixed sequence for each seed. */
export function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const PATTERNS = [
  'foo',
  'bar',
  'def',
  'fo*',
  '[ab]',
  '(',
  '',
  '^',
  'x y',
  "it's",
  '$HOME',
  'é',
  '-e',
  '--',
  'nothing',
  '\\bfoo\\b',
];
const PATHS = [
  '.',
  'a.py',
  'b.py',
  'sub',
  './sub',
  'missing',
  'binary',
  'latin',
  'with space.txt',
  '-dash',
  'link',
  '*.py',
  '-',
];
const NUMBERS = ['0', '1', '2', '10'];

/** Values for the flags whose values have a form; words and numbers for the others. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  color: ['never', 'auto', 'always'],
  colour: ['never', 'auto', 'always'],
  colors: ['match:fg:blue'],
  file: ['patterns', 'missing', '-'],
  'exclude-from': ['patterns', 'missing'],
  'ignore-file': ['patterns'],
  glob: ['*.py', '!sub'],
  iglob: ['*.PY'],
  include: ['*.py'],
  exclude: ['b*'],
  'exclude-dir': ['sub'],
  type: ['py', 'nosuchtype'],
  'type-not': ['py'],
  'type-add': ['mine:*.txt'],
  'type-clear': ['py'],
  sort: ['path', 'none'],
  sortr: ['path'],
  engine: ['default', 'auto'],
  encoding: ['utf-8', 'auto'],
  directories: ['read', 'skip', 'recurse'],
  devices: ['read', 'skip'],
  'binary-files': ['text', 'without-match'],
  generate: ['complete-bash'],
  pre: ['cat'],
  'hostname-bin': ['hostname'],
  'hyperlink-format': ['none'],
  'max-filesize': ['1M', '10'],
  'regex-size-limit': ['10M'],
  'dfa-size-limit': ['10M'],
  regexp: PATTERNS,
  replace: ['new'],
  'path-separator': ['/', ':'],
  'context-separator': ['...'],
  'group-separator': ['...'],
};

/** Output of these depends on time or chance. */
const UNSTABLE = new Set(['stats', 'debug', 'trace', 'json', 'threads', 'no-config']);

export function quote(word: string): string {
  return /^[\w./:=*-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

export interface Case {
  /** How it is run: the words of a shell, or the tool itself. */
  readonly argv: readonly string[];
  readonly stdin: 'null' | 'file' | 'pipe';
  readonly oneFile: boolean;
  readonly environment: Readonly<Record<string, string>>;
}

export function caseOf(seed: number, shells: readonly string[]): Case {
  const random = generator(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const chance = (share: number): boolean => random() < share;
  const tool: Tool = chance(0.55) ? 'rg' : 'grep';
  const flags = FLAGS[tool].flags.filter((flag) => !flag.long?.some((name) => UNSTABLE.has(name)));
  const safe = flags.filter((flag) => flag.action !== 'exec');

  const aValueOf = (flag: Flag): string => {
    const known = flag.long?.map((name) => VALUES[name]).find((values) => values !== undefined);
    return pick(known ?? NUMBERS);
  };
  const words: string[] = tool === 'rg' ? ['-j1'] : [];
  let cluster = '';
  for (let n = Math.floor(random() * 4); n > 0; n -= 1) {
    const flag = pick(chance(0.8) ? safe : flags);
    const short = flag.short && chance(0.6) ? pick([...flag.short]) : undefined;
    if (short && flag.value === undefined) cluster += short;
    else if (short)
      words.push(...(chance(0.5) ? [`-${cluster}${short}${aValueOf(flag)}`] : [`-${cluster}${short}`, aValueOf(flag)]));
    if (short && flag.value !== undefined) cluster = '';
    if (short || !flag.long) continue;
    const long = `--${pick(flag.long)}`;
    if (flag.value === undefined) words.push(long);
    else if (flag.value === 'optional') words.push(chance(0.5) ? long : `${long}=${aValueOf(flag)}`);
    else words.push(...(chance(0.5) ? [`${long}=${aValueOf(flag)}`] : [long, aValueOf(flag)]));
  }
  if (cluster) words.push(`-${cluster}`);
  if (chance(0.04)) words.push(pick(['--nosuchflag', '-J', '--recurs', '-A', '--glob', '-7', '-12']));
  if (tool === 'grep' && chance(0.5)) words.push('-r');
  const operands = [pick(chance(0.7) ? ['foo', 'bar'] : PATTERNS)];
  for (let n = Math.floor(random() * 3); n > 0; n -= 1) operands.push(pick(PATHS));
  if (chance(0.05)) operands.shift();
  if (chance(0.15)) words.push('--');
  const both = chance(0.15) ? [...operands, ...words] : [...words, ...operands];

  const shell = pick(shells);
  const search = [tool, ...both].map((word) => (word === '*.py' ? word : quote(word))).join(' ');
  const command = pick([
    (s: string) => s,
    (s: string) => `${s}; echo "status $?"`,
    (s: string) => `${s}; echo "status $?"`,
    (s: string) => `${s} 2>&1; echo "status $?"`,
    (s: string) => `${s} | cat`,
    (s: string) => `${s} | head -2; echo "status $?"`,
    (s: string) => `x=$(${s}); echo "$x"`,
    (s: string) => `${s} > "$OUT"; cat "$OUT"`,
    (s: string) => `(${s}) 2>/dev/null; true`,
    (s: string) => `cat a.py | ${s}; echo "status $?"`,
    (s: string) => `${s} <b.py; echo "status $?"`,
    (s: string) => `for i in 1 2; do ${s}; done`,
    (s: string) => `f() { ${s}; }; f; f | cat`,
    (s: string) => `${s} && echo yes || echo no`,
    (s: string) => `timeout 60 ${s}; echo "status $?"`,
    (s: string) => `${s} & wait $!; echo "status $?"`,
    (s: string) => `exec ${s}`,
    (s: string) => `${s} <&-; true`,
    (s: string) => `${s} >&-; echo "status $?"`,
    (s: string) => `exec 9</dev/null; ${s}; true`,
  ]);
  const environment: Record<string, string> = {};
  if (chance(0.05)) environment.RIPGREP_CONFIG_PATH = pick(['rgconfig', 'missing', 'rgformat']);
  if (chance(0.03)) environment.POSIXLY_CORRECT = '1';
  if (chance(0.3)) environment.CLAUDECODE = '1';
  const direct = chance(0.08);
  const argv = direct ? [tool, ...both] : [shell, '-c', command(search)];
  return {
    argv,
    stdin: pick(['null', 'null', 'null', 'file', 'pipe']),
    // What a filter and the search write to one file is in an order of chance.
    oneFile: chance(0.15) && !argv.join(' ').includes('|'),
    environment,
  };
}
