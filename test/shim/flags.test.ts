/** The table of flags against the tools that are installed, and against itself. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { rgPath } from '@vscode/ripgrep';
import { describe, expect, it } from 'vitest';
import { readCommandLine } from '../../src/shim/command-line.js';
import { FLAGS, type Flag, type Tool } from '../../src/shim/flags.js';
import { launcherFor } from '../../src/shim/launcher.js';

function known(tool: Tool): Map<string, Flag> {
  const names = new Map<string, Flag>();
  for (const flag of FLAGS[tool].flags) {
    for (const name of [...(flag.long ?? []).map((l) => `--${l}`), ...[...(flag.short ?? '')].map((s) => `-${s}`)]) {
      expect(names.has(name), `${tool} ${name} is listed twice`).toBe(false);
      names.set(name, flag);
    }
  }
  return names;
}

describe('rg', () => {
  const completion = execFileSync(rgPath, ['--generate', 'complete-bash'], { encoding: 'utf8' });
  const offered =
    /opts="(--regexp [^"]*)"/
      .exec(completion)?.[1]
      ?.split(' ')
      .filter((word) => word.startsWith('-')) ?? [];

  it('offers no flag that the table does not have', () => {
    expect(offered.length).toBeGreaterThan(100);
    expect(offered.filter((name) => !known('rg').has(name))).toEqual([]);
  });

  it('has every flag of the table', () => {
    expect([...known('rg').keys()].filter((name) => !offered.includes(name))).toEqual([]);
  });

  it('takes values where the table says so', () => {
    const help = execFileSync(rgPath, ['-h'], { encoding: 'utf8' });
    for (const [, short, long, value] of help.matchAll(/^ {2}(?:(-.), )?(?: {4})?--([a-z0-9-]+)(=\S+)? /gm)) {
      expect(known('rg').get(`--${long}`)?.value === 'required', `--${long}`).toBe(value !== undefined);
      if (short) expect(known('rg').get(short), short).toBe(known('rg').get(`--${long}`));
    }
  });
});

describe('GNU grep', () => {
  const help = execFileSync('grep', ['--help'], { encoding: 'utf8' });
  const gnu = help.includes('GNU');
  const offered = [...help.matchAll(/^ {2}.{0,30}/gm)].flatMap(([line]) => [
    ...line.matchAll(/(?:^ {2}|, | {6})(-[A-Za-z](?!UM)|--[a-z-]+)(\[?=[A-Z]+\]?)?/g),
  ]);

  it.runIf(gnu)('offers no flag that the table does not have, and takes values where the table says so', () => {
    expect(offered.length).toBeGreaterThan(50);
    for (const [, name = '', value] of offered) {
      const flag = known('grep').get(name);
      expect(flag, name).toBeDefined();
      if (name.startsWith('--')) {
        const wanted = value === undefined ? undefined : value.startsWith('[') ? 'optional' : 'required';
        expect(flag?.value, name).toBe(wanted);
      }
    }
  });
});

describe('the launchers', () => {
  it.each(['rg', 'grep'] as const)('shims/%s is what the table makes of it', (tool) => {
    expect(readFileSync(`shims/${tool}`, 'utf8')).toBe(launcherFor(tool));
  });
});

describe('a command line', () => {
  it.each([
    ['rg', ['-nle', 'foo'], 'flag'],
    ['rg', ['-A1', 'foo'], undefined],
    ['rg', ['-eql', 'x'], undefined],
    ['rg', ['-r', 'x', 'foo'], 'flag'],
    ['grep', ['-r', 'foo'], undefined],
    ['grep', ['-L', 'foo', 'a'], 'flag'],
    ['rg', ['-L', 'foo'], undefined],
    ['grep', ['-I', 'foo', 'a'], undefined],
    ['rg', ['-I', 'foo'], 'flag'],
    ['grep', ['foo'], 'stdin'],
    ['grep', ['foo', '-'], 'stdin'],
    ['grep', ['-5', 'foo', 'a'], undefined],
    ['rg', ['-5', 'foo'], 'flag'],
    ['grep', ['--color=always', 'foo', 'a'], 'value'],
    ['grep', ['--color', 'foo', 'a'], undefined],
    ['rg', ['--color', 'never', 'foo'], undefined],
    ['rg', ['--color', 'ansi', 'foo'], 'value'],
    ['rg', ['-e'], 'incomplete'],
    ['rg', [], 'no-pattern'],
    ['rg', ['--', '-l'], undefined],
    ['rg', ['-g', '--', '-l', 'x'], 'flag'],
    ['grep', ['-d', 'recurse', 'foo'], undefined],
    ['grep', ['-drecurse', 'foo'], undefined],
    ['grep', ['--recurs', 'foo'], 'flag'],
    ['rg', ['-f', '-', 'x'], 'stdin'],
  ] as const)('%s %j: %s', (tool, args, exec) => {
    expect(readCommandLine(tool, args).exec).toBe(exec);
  });

  it('knows its patterns and paths', () => {
    expect(readCommandLine('rg', ['-ie', 'a\nb', '--regexp=c', 'd', '--', '-e'])).toMatchObject({
      patterns: ['a', 'b', 'c'],
      patternFile: false,
      paths: ['d', '-e'],
    });
    expect(readCommandLine('grep', ['x', '-A', '3', 'f'])).toMatchObject({
      patterns: ['x'],
      patternFile: false,
      paths: ['f'],
    });
  });
});
