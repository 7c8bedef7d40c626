/** Results of searches as models see them, in the forms that tools and agents give them. */
import { expect, test } from 'vitest';
import { numbersOf, type ReadOptions, readSearchOutput } from '../../src/agents/search-output.js';

const FILES = new Set(['a.py', 'src/b.py', '/r/src/b.py', 'odd:1:name.py']);
const read = (output: string, more: Partial<ReadOptions> = {}) =>
  readSearchOutput(output, { known: (path) => FILES.has(path.replace(/^\.\//, '')), lists: false, ...more }).map(
    ({ match, unnumbered }) =>
      `${match.path} ${match.lines.join(',')} ${[...(match.texts ?? []), ...unnumbered].join('|')}`,
  );

test('ripgrep and grep with numbers', () => {
  expect(read('src/b.py:3:foo()\na.py:1:import foo\na.py:9:foo\n')).toEqual([
    'a.py 1,9 import foo|foo',
    'src/b.py 3 foo()',
  ]);
});

test('without numbers, the texts are kept to find them by', () => {
  expect(read('./a.py:    foo: int\n')).toEqual(['a.py      foo: int']);
});

test('context lines and separators are no matches', () => {
  expect(read('a.py-1-import x\na.py:2:foo\n--\nsrc/b.py-7-y\n')).toEqual(['a.py 2 foo']);
});

test('headings', () => {
  expect(read('a.py\n1:foo\n5:bar\n\nsrc/b.py\n2:foo\n')).toEqual(['a.py 1,5 foo|bar', 'src/b.py 2 foo']);
});

test('a single file, whose name the tool leaves out', () => {
  expect(read('3:foo\n8:foo\n', { single: 'a.py' })).toEqual(['a.py 3,8 foo|foo']);
  expect(read('    foo()\n', { single: 'a.py' })).toEqual(['a.py      foo()']);
});

test('lists of files', () => {
  expect(read('Found 2 files\na.py\nsrc/b.py\nother.txt\n', { lists: true })).toEqual(['a.py  ', 'src/b.py  ']);
  expect(read('a.py\nsrc/b.py\n')).toEqual([]);
});

test('results of the search tool of Gemini CLI and Qwen Code', () => {
  const output =
    'Found 2 matches for pattern "foo" in path ".":\n---\nFile: a.py\nL1: foo\nL12:   foo()\n---\nFile: src/b.py\nL4: foo\n---';
  expect(read(output, { lists: true })).toEqual(['a.py 1,12 foo|  foo()', 'src/b.py 4 foo']);
});

test('results of the search tool of OpenCode', () => {
  expect(read('Found 1 matches\n/r/src/b.py:\n  Line 4: foo\n', { lists: true })).toEqual(['/r/src/b.py 4 foo']);
});

test('a name with colons', () => {
  expect(read('odd:1:name.py:7:foo\n')).toEqual(['odd:1:name.py 7 foo']);
});

test('what else a command prints is no match', () => {
  expect(read('total 12\nerror: no such file\n12:30:01 started\nhttp://a.py:80/\n')).toEqual([]);
});

test('line numbers of shown texts', () => {
  expect(numbersOf('x\nfoo\ny\r\nfoo\n', ['foo'])).toEqual([2, 4]);
  expect(numbersOf('a\r\n', ['a'])).toEqual([1]);
});
