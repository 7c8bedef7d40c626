import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FileFacts } from '../../src/facts/model.js';
import { extractFacts } from '../../src/io/parser.js';
import { readCython } from '../../src/languages/python/cython.js';
import { python } from '../../src/languages/python/language.js';
import { readerOf } from '../../src/languages/registry.js';

const folder = join(import.meta.dirname, '../../fixtures/python-facts/whole-file');

function factsOf(text: string, path = 'module.py'): Promise<FileFacts> {
  const reader = readerOf(path);
  if (!reader) throw new Error(`nothing reads ${path}`);
  return extractFacts(reader, text);
}

/** The facts as lines, so that a change shows as the line that it is. */
function listing(facts: FileFacts): string {
  const named = (index: number): string => facts.symbols[index]?.name ?? '(module)';
  const lines = [
    ...facts.symbols.map((it) => `symbol ${it.line}-${it.endLine} ${it.kind} ${it.name}: ${it.signature}`),
    ...facts.imports.map(
      (it) => `import ${it.line} ${named(it.from)}: ${it.module} ${it.name ?? ''} as ${it.alias ?? '-'}`,
    ),
    ...facts.references.map(
      (it) =>
        `${it.kind} ${it.line} x${it.count} ${named(it.from)}: ${it.chain.join('.')}` +
        `${it.rootType === undefined ? '' : ` of ${JSON.stringify(it.rootType)}`}`,
    ),
    ...facts.entryPoints.map((it) => `entry ${named(it.symbol)}: ${it.kind}`),
    ...Object.entries(facts.surface.entries).map(([key, entry]) => `surface ${key}: ${JSON.stringify(entry)}`),
    `defines ${facts.surface.defines.join(' ')}`,
  ];
  return `${lines.join('\n')}\n`;
}

describe('facts of a Python file', () => {
  it('lists definitions, imports, uses, entry points and what others may ask', async () => {
    const facts = await factsOf(readFileSync(join(folder, 'module.py'), 'utf8'));
    await expect(listing(facts)).toMatchFileSnapshot(join(folder, 'expected-facts.txt'));
  });

  it('keeps the surface when lines move', async () => {
    const text = readFileSync(join(folder, 'module.py'), 'utf8');
    const moved = await factsOf(`# one\n# two\n\n${text}`);
    expect(moved.surface).toEqual((await factsOf(text)).surface);
  });

  it('finds routes, commands and what runs as main', async () => {
    const facts = await factsOf(
      [
        '@app.route("/x/<int:id>")\ndef page(id): ...',
        '@router.get("/items")\nasync def items(): ...',
        '@cli.command()\ndef sub(): ...',
        '@shared_task\ndef job(): ...',
        'def main(): ...',
        'if __name__ == "__main__":\n    main()',
      ].join('\n\n'),
    );
    expect(facts.entryPoints.map(({ symbol, kind }) => `${facts.symbols[symbol]?.name}: ${kind}`)).toEqual([
      'page: route /x/<int:id>',
      'items: route /items',
      'sub: command',
      'job: task',
      'main: main',
    ]);
  });

  it.each([
    ['empty', ''],
    ['CRLF', 'import a\r\n\r\ndef f():\r\n    a.b()\r\n'],
    ['NUL', 'x = 1\0\ndef f(): pass\n'],
    ['unclosed string', 'def f():\n    return "abc\n\ndef g(): f()\n'],
    ['unclosed bracket', 'f(((\n'],
    ['a name of the prototype', '__proto__ = 1\nconstructor = 2\ntoString()\nhasOwnProperty.x()\n'],
    ['Python 2', 'print "x", f(1)\nexec code in ns\n'],
    ['nested quotes in a formatted string', 'a = f"{x["k"]} {f\'{y!r:>{w}}\'}"\nb()\n'],
    ['deep brackets', `${'('.repeat(500)}x${')'.repeat(500)}\n`],
  ])('survives: %s', async (_, text) => {
    const facts = await factsOf(text);
    expect(JSON.parse(JSON.stringify(facts))).toEqual(facts);
  });

  it('is total and survives a round trip through JSON', async () => {
    const pieces = fc.constantFrom(
      ...[
        'def f(',
        'class A',
        '(',
        ')',
        ':',
        '\n    ',
        '\n',
        'x',
        '.y',
        ' = ',
        '"',
        "f'{",
        '}',
        '@d',
        ',',
        'import a',
        'from . import b',
        'lambda',
        '#',
        '\\',
      ],
    );
    await fc.assert(
      fc.asyncProperty(fc.array(pieces, { maxLength: 40 }), async (parts) => {
        const facts = await factsOf(parts.join(''));
        for (const { from } of facts.references) expect(from).toBeLessThan(facts.symbols.length);
        expect(JSON.parse(JSON.stringify(facts))).toEqual(facts);
      }),
      { seed: 1, numRuns: 100 },
    );
  });
});

describe('facts of a Cython file', () => {
  it('has the lines and signatures of the file itself', async () => {
    const text = [
      'cdef extern from "x.h" nogil:',
      '    double norm(double* x,',
      '                int n) except +',
      'cdef class Point(Base):',
      '    cdef public double x, y',
      '    @cython.wraparound(False)',
      '    cpdef double scale(self, Point by not None,',
      '                       int[:, ::1] table=None) except? -1 nogil:',
      '        return <double> by.x',
    ].join('\n');
    const facts = await factsOf(text, 'point.pyx');
    expect(
      facts.symbols.map(({ line, endLine, kind, name, signature }) => [line, endLine, kind, name, signature]),
    ).toEqual([
      [2, 3, 'function', 'norm', 'double norm(double* x, int n) except +'],
      [4, 9, 'class', 'Point', 'cdef class Point(Base)'],
      [5, 5, 'field', 'Point.x', 'x, y'],
      [5, 5, 'field', 'Point.y', 'y'],
      [
        6,
        9,
        'method',
        'Point.scale',
        'cpdef double scale(self, Point by not None, int[:, ::1] table=None) except? -1 nogil',
      ],
    ]);
    expect(facts.surface.defines).toEqual(['Point', 'Point.scale']);
    expect(facts.errors).toBe(0);
  });

  it.each([
    ['unclosed bracket', 'cdef f(((\n'],
    ['unclosed string', 'cdef extern from "x\ncdef int f(\n'],
    ['only keywords', 'cdef\ncpdef\nctypedef\ncimport\nfrom\nproperty\ninclude\nDEF\nIF\n'],
    ['a type without a name', 'cdef int\ncdef (int, int)\ncdef struct\ncdef class\ncdef enum:\n'],
    ['CRLF', 'cdef int f(int x,\r\n  int y) nogil:\r\n    return x\r\n'],
    ['deep brackets', `cdef int ${'['.repeat(500)}x${']'.repeat(500)} = 1\n`],
  ])('survives: %s', async (_, text) => {
    const facts = await factsOf(text, 'point.pyx');
    expect(JSON.parse(JSON.stringify(facts))).toEqual(facts);
  });

  it('is total, and moves no line, on any pieces of Cython', async () => {
    const pieces = fc.constantFrom(
      ...'cdef |cpdef |ctypedef |class A|struct B|enum:|int |x|*y|(|)|[|]|:|\n    |\n|, | = 1|"|#|<A>|&|except? -1|cimport b|include "c.pxi"|property p:|\\\n'.split(
        '|',
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(pieces, { maxLength: 40 }), async (parts) => {
        const text = parts.join('');
        const { python: lowered } = readCython(text);
        expect(lowered.length).toBe(text.length);
        expect(lowered.split('\n').map((line) => line.length)).toEqual(text.split('\n').map((line) => line.length));
        for (const { from } of (await factsOf(text, 'a.pyx')).references) expect(from).toBeGreaterThanOrEqual(-1);
      }),
      { seed: 1, numRuns: 300 },
    );
  });
});

describe('conventions of Python tests', () => {
  it.each([
    ['tests/test_app.py', true],
    ['pkg/app_test.py', true],
    ['conftest.py', true],
    ['sympy/core/tests/test_expr.py', true],
    ['src/flask/testing.py', false],
    ['src/contest.py', false],
    ['src/latest/app.py', false],
  ])('%s is a test: %s', (path, expected) => {
    expect(python.isTest?.(path)).toBe(expected);
  });

  it('offers the module of the same name, beside, above or in a source folder', () => {
    expect(python.subjectsOfTest?.('sympy/core/tests/test_expr.py')).toContain('sympy/core/expr.py');
    expect(python.subjectsOfTest?.('tests/api/test_users.py')).toContain('src/api/users.py');
    expect(python.subjectsOfTest?.('pkg/app_test.py')).toContain('pkg/app.py');
    expect(python.subjectsOfTest?.('tests/helpers.py')).toEqual([]);
  });
});
