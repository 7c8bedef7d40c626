import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { FileFacts } from '../../src/facts/model.js';
import { extractFacts } from '../../src/io/parser.js';
import { readerOf } from '../../src/languages/registry.js';

async function factsOf(text: string, path = 'a.go'): Promise<FileFacts> {
  const reader = readerOf(path);
  if (!reader) throw new Error(`no reader for ${path}`);
  return extractFacts(reader, text);
}

const symbolsOf = (facts: FileFacts): string[] =>
  facts.symbols.map(({ name, kind, line, endLine, signature }) => `${name} ${kind} ${line}-${endLine} ${signature}`);

describe('facts of a Go file', () => {
  it('names definitions with kind, lines and signature', async () => {
    const facts = await factsOf(`package a

import "fmt"

const (
	First = iota
	Second
)

var a, b = 1, 2

// Comment is not part of the definition.
type List[T any] struct {
	items []T
}

type Reader interface {
	Read(p []byte) (n int, err error)
	fmt.Stringer
}

type ID = string

func (l *List[T]) Len() int {
	return len(l.items)
}

func init() {}

func init() {}

func New[T any](items ...T) *List[T] { return &List[T]{items} }
`);
    expect(symbolsOf(facts)).toEqual([
      'First constant 6-6 First = iota',
      'Second constant 7-7 Second',
      'a variable 10-10 var a, b = 1, 2',
      'b variable 10-10 var a, b = 1, 2',
      'List struct 13-15 type List[T any] struct',
      'Reader interface 17-20 type Reader interface',
      'Reader.Read method 18-18 Read(p []byte) (n int, err error)',
      'ID type 22-22 type ID = string',
      'List.Len method 24-26 func (l *List[T]) Len() int',
      'init function 28-28 func init()',
      'init#2 function 30-30 func init()',
      'New function 32-32 func New[T any](items ...T) *List[T]',
    ]);
  });

  it('keeps attribute chains whole and leaves out what is local or outside', async () => {
    const facts = await factsOf(`package a

import (
	"fmt"
	"example.com/m/store"
)

func f(s *store.Store, n int) {
	fmt.Println(n)
	s.DB.Get("k").Close()
	for i := 0; i < n; i++ {
		g(i)
	}
}
`);
    expect(facts.references.map(({ kind, chain, line }) => `${kind} ${chain.join('.')} ${line}`)).toEqual([
      'type store.Store 8',
      'call s.DB.Get().Close() 10',
      'call g() 12',
    ]);
  });

  it('says the same about other files however lines are moved', async () => {
    const text = readFileSync('fixtures/go/receivers/app.go', 'utf8');
    const moved = text.replace('type Store struct', '\n\n// moved\n\ntype Store struct');
    expect((await factsOf(moved)).surface).toEqual((await factsOf(text)).surface);
  });

  it('finds imports of every form', async () => {
    const { imports } = await factsOf(
      'package a\n\nimport "x/y"\nimport (\n\tz "x/z"\n\t. "x/dot"\n\t_ "x/blank"\n)\n',
    );
    expect(imports).toEqual([
      { module: 'x/y', line: 3, from: -1 },
      { module: 'x/z', line: 5, from: -1, alias: 'z' },
      { module: 'x/dot', line: 6, from: -1, name: '*' },
      { module: 'x/blank', line: 7, from: -1 },
    ]);
  });

  it('finds main, cobra commands and routes', async () => {
    const facts = await factsOf(readFileSync('fixtures/go/entry-points/main.go', 'utf8'));
    expect(facts.entryPoints.map(({ symbol, kind }) => `${facts.symbols[symbol]?.name}: ${kind}`)).toEqual([
      'main: main',
      'list: route /users',
      'server.health: route GET /health',
      'newServeCommand: cobra command serve',
      'runList: cobra command list',
    ]);
  });

  it('keeps strings that look like paths', async () => {
    const { strings } = await factsOf(
      'package a\n\nvar p = []string{"testdata/in.json", "hello world", "a/b/c", "%s/x"}\n',
    );
    expect(strings.map(({ text }) => text)).toEqual(['testdata/in.json', 'a/b/c']);
  });

  it('survives what is not Go', async () => {
    const deep = `package a\n\nvar x = ${'('.repeat(5000)}1${')'.repeat(5000)}\n\nfunc kept() {}\n`;
    for (const text of [
      '',
      '\0',
      'package',
      'package a\nfunc',
      'package a\nfunc f( {',
      '`',
      'package a\ntype T struct {',
      deep,
    ]) {
      const facts = await factsOf(text);
      expect(facts.language).toBe('go');
    }
    expect(symbolsOf(await factsOf(deep)).at(-1)).toContain('kept function');
  });
});

describe('go.mod and go.work', () => {
  it('reads the module and local replacements', async () => {
    const { surface } = await factsOf(readFileSync('fixtures/go/modules/go.mod', 'utf8'), 'go.mod');
    expect(surface.entries).toEqual({
      module: 'example.com/app',
      replace: { 'example.com/fork': './third/forked', 'example.com/versioned': './third/versioned' },
    });
  });

  it('reads the modules of a work space', async () => {
    const { surface } = await factsOf(readFileSync('fixtures/go/modules/go.work', 'utf8'), 'go.work');
    expect(surface.entries).toEqual({ use: ['.', './lib'], replace: {} });
  });

  it('names what is wrong with a go.mod without a module', async () => {
    expect((await factsOf('go 1.21\n', 'go.mod')).surface.entries).toEqual({ error: 'no module line' });
    expect((await factsOf('\0(((\n', 'go.work')).surface.entries).toEqual({ use: [], replace: {} });
  });
});

describe('tests of Go', () => {
  const language = readerOf('a.go')?.language;

  it('are files named _test.go, about the file of that name', () => {
    expect(language?.isTest?.('a/b_test.go')).toBe(true);
    expect(language?.isTest?.('a/test_b.go')).toBe(false);
    expect(language?.subjectsOfTest?.('a/b_test.go')).toEqual(['a/b.go']);
    expect(language?.subjectsOfTest?.('a/b_linux_test.go')).toEqual(['a/b_linux.go', 'a/b.go']);
  });
});
