/** Which commands of a shell tool are searches whose matches the model sees. */
import { expect, test } from 'vitest';
import { searchesIn } from '../../src/agents/searches.js';

const of = (command: string) => searchesIn({ folder: '/r', output: '', call: { kind: 'shell', command } });

const patternsOf = (command: string): string[] => of(command).flatMap(({ patterns }) => [...patterns]);

test.each([
  ['rg -n foo src', ['foo']],
  ['rg "two words" -g "*.py"', ['two words']],
  ["grep -rn 'a\\|b' .", ['a\\|b']],
  ['cd src && rg foo', ['foo']],
  ['rg foo | head -20', ['foo']],
  ['rg -n foo | grep -v test | sort -u', ['foo']],
  ["rg -n foo src | sed -n '1,40p'", ['foo']],
  ['rg foo 2>/dev/null', ['foo']],
  ['rg foo 2>&1 | tail -5', ['foo']],
  ['timeout -k 1 10 rg foo', ['foo']],
  ['LC_ALL=C grep -rn foo lib', ['foo']],
  ['env -u X A=b rg foo', ['foo']],
  ['/usr/bin/grep -rn foo .', ['foo']],
  ['command grep -rn foo .', ['foo']],
  ['git -C . grep -n foo', ['foo']],
  ["git ls-files '*.py' | xargs grep -n foo", ['foo']],
  ['find . -name "*.py" -exec grep -n foo {} +', ['foo']],
  ['find . -name "*.py" -exec grep -n foo {} \\;', ['foo']],
  ['rg -l foo | xargs rg -n bar', ['bar']],
  ['ls; rg foo; git status', ['foo']],
  ['rg one; rg two', ['one', 'two']],
  ['if rg foo; then echo yes; fi', ['foo']],
  ['(cd a && rg foo); rg bar', ['foo', 'bar']],
  ['rg foo # | wc -l', ['foo']],
  ['rg -l foo', ['foo']],
  ['rg "$(git rev-parse HEAD)"', ['$(git rev-parse HEAD)']],
])('%s', (command, patterns) => {
  expect(patternsOf(command)).toEqual(patterns);
});

test.each([
  'ls -la',
  'cat grep.txt',
  'npm run rg',
  'rg foo | wc -l',
  'rg foo | awk "{print $1}"',
  'rg foo > out.txt',
  'rg foo &> out.txt',
  'rg -c foo',
  'rg --json foo',
  'rg --files',
  'rg -v foo',
  'rg -q foo && echo yes',
  'rg --no-such-flag foo',
  'ps aux | grep node',
  'cat a.py | rg foo',
  'grep foo',
  'grep -l foo',
  "rg 'unclosed",
  'echo $(rg foo)',
  'rg -l foo | xargs sed -i s/a/b/',
  'rg foo | sed s/a/b/',
  '',
])('nothing to add to: %s', (command) => {
  expect(patternsOf(command)).toEqual([]);
});

test('folders, lists and single files are told apart', () => {
  expect(of('cd a; cd b && rg -l foo')).toEqual([{ patterns: ['foo'], folders: ['a', 'b'], lists: true }]);
  expect(of('grep -n foo a.py')).toEqual([{ patterns: ['foo'], folders: [], lists: false, single: 'a.py' }]);
  expect(of('(cd a && rg foo); rg bar').map(({ folders }) => folders)).toEqual([['a'], []]);
});

test('whatever a command looks like, it is read without an error', () => {
  const pieces = [
    'rg',
    'foo',
    '|',
    '&&',
    "'",
    '"',
    '$(',
    ')',
    '`',
    '>',
    '<<EOF',
    '\\',
    '\n',
    ';',
    'xargs',
    '-l',
    'grep',
    '{',
    '#',
  ];
  let seed = 7;
  for (let round = 0; round < 2000; round += 1) {
    const parts: string[] = [];
    for (let i = 0; i < 9; i += 1) {
      seed = (seed * 1103515245 + 12345) % 2147483648;
      parts.push(pieces[seed % pieces.length] ?? '');
    }
    expect(() => of(parts.join(' '))).not.toThrow();
  }
});
