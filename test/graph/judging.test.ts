import { describe, expect, it } from 'vitest';
import { judge, readOracle } from '../../bench/edges/judge.mjs';
import { Places } from '../../bench/edges/places.mjs';

interface Made {
  readonly symbols?: readonly { name: string; kind: string; line: number; endLine: number }[];
  readonly edges?: readonly object[];
  readonly text: readonly string[];
}

/** Files as the bench reads them, by path. */
const filesOf = (made: { readonly [path: string]: Made }) =>
  new Map(
    Object.entries(made).map(([path, { symbols = [], edges = [], text }]) => [
      path,
      { language: 'typescript', symbols, imports: [], lines: text.length, edges, text },
    ]),
  );

const use = (line: number, symbol: string | undefined, provenance = 'imported-name') => ({
  from: 0,
  to: { path: 'b.ts', ...(symbol === undefined ? {} : { symbol }) },
  type: 'references',
  provenance,
  line,
  confidence: 0.99,
});

const USER = { name: 'user', kind: 'function', line: 1, endLine: 3 };
const TARGETS = [
  { name: 'one', kind: 'function', line: 1, endLine: 1 },
  { name: 'two', kind: 'function', line: 2, endLine: 2 },
];
const B = { symbols: TARGETS, text: ['function one() {}', 'function two() {}'] };

function verdicts(edges: readonly object[], references: readonly object[], text = ['function user() {', 'one()', '}']) {
  const files = filesOf({ 'a.ts': { symbols: [USER], edges, text }, 'b.ts': B });
  const places = new Places(files);
  const oracle = readOracle(
    references.map((one) => JSON.stringify(one)),
    files,
    places,
  );
  return judge(files, oracle, places).map(({ verdict }: { verdict: string }) => verdict);
}

const toOne = { from: 'a.ts', line: 2, name: 'one', to: 'b.ts', toLine: 1, symbol: 'one', kind: 'function' };

describe('judging an edge against a compiler', () => {
  it('is right where the compiler has it too, from anywhere in the same function', () => {
    expect(verdicts([use(2, 'one')], [toOne])).toEqual(['correct']);
    expect(verdicts([use(3, 'one')], [toOne])).toEqual(['correct']);
  });

  it('is wrong where the compiler finds that name elsewhere, in or outside the repository', () => {
    expect(verdicts([use(2, 'one')], [{ ...toOne, to: null, toLine: undefined }])).toEqual(['wrong']);
    expect(verdicts([use(2, 'one')], [{ ...toOne, toLine: 2 }])).toEqual(['wrong']);
  });

  it('is unjudged where the compiler is silent, or speaks of another use of the name on the line', () => {
    expect(verdicts([use(2, 'one')], [])).toEqual(['unjudged']);
    const outside = { ...toOne, to: null, toLine: undefined };
    expect(verdicts([use(2, 'one')], [outside], ['function user() {', 'x.one(one)', '}'])).toEqual(['unjudged']);
  });

  it('asks files only for pairs, and leaves out what no compiler has an opinion on', () => {
    expect(verdicts([use(2, undefined)], [toOne])).toEqual(['correct']);
    expect(verdicts([use(2, 'one', 'documentation')], [toOne])).toEqual([]);
  });
});

describe('what an oracle demands', () => {
  it('leaves out the tags of the platform', () => {
    const line = 'const page = <p>text</p>';
    const files = filesOf({
      'a.tsx': { text: [line] },
      'b.ts': { symbols: [{ name: 'Tags.p', kind: 'property', line: 1, endLine: 1 }], text: ['p: object'] },
    });
    const tag = { from: 'a.tsx', line: 1, name: 'p', to: 'b.ts', toLine: 1, symbol: 'p', kind: 'term' };
    const oracle = readOracle([JSON.stringify(tag)], files, new Places(files));
    expect(oracle.wantedPairs.size).toBe(0);
    expect(oracle.wanted.size).toBe(0);
  });

  it('counts an interface that a type satisfies apart from what it refers to', () => {
    const files = filesOf({ 'a.ts': { symbols: [USER], text: ['class user', '', ''] }, 'b.ts': B });
    const satisfies = { ...toOne, line: 1, kind: 'implements' };
    const oracle = readOracle([JSON.stringify(satisfies)], files, new Places(files));
    expect([oracle.wantedPairs.size, oracle.wanted.size, oracle.wantedImplementations.size]).toEqual([0, 0, 1]);
    expect(oracle.pairs.size).toBe(1);
  });
});
