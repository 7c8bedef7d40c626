import { describe, expect, it } from 'vitest';
import { anchorsOf } from '../../src/retrieval/anchors.js';
import { SETTINGS } from '../../src/retrieval/settings.js';
import { definesInText, termsOf } from '../../src/retrieval/terms.js';
import { indexOf, symbol } from './index-of.js';

describe('anchors', () => {
  const files = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`src/f${i}.py`, {}]));
  const many = Object.keys(files).map((path, i) => ({ path, lines: [1], count: 100 - i }));

  it('are the files with most matching lines', () => {
    const anchors = anchorsOf(many, ['term'], indexOf(files), SETTINGS);
    expect(anchors.map(({ path }) => path)).toEqual(many.slice(0, 15).map(({ path }) => path));
  });

  it('have a place for a file that defines the term, however few lines match', () => {
    const definer = { path: 'src/f29.py', lines: [7], texts: ['def term(self):'], count: 1 };
    const anchors = anchorsOf([...many.slice(0, 29), definer], ['term'], indexOf(files), SETTINGS);
    const found = anchors.find(({ path }) => path === 'src/f29.py');
    expect(found?.defines).toBe(true);
    expect(found?.weight).toBeCloseTo(SETTINGS.definers);
  });

  it('weigh one in all', () => {
    const anchors = anchorsOf(many, ['term'], indexOf(files), SETTINGS);
    expect(anchors.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(1);
  });

  it('count a test half', () => {
    const reader = indexOf({ 'src/a.py': {}, 'tests/a.py': {} });
    const matches = ['src/a.py', 'tests/a.py'].map((path) => ({ path, lines: [1] }));
    const [source, test] = anchorsOf(matches, ['term'], reader, SETTINGS);
    expect(test?.weight).toBeCloseTo((source?.weight ?? 0) / 2);
  });

  it('know the innermost symbol of a match, definitions of the term first', () => {
    const reader = indexOf({
      'a.py': { symbols: [symbol('Outer', 1, 50), symbol('Outer.use', 10, 20), symbol('Outer.term', 30, 40)] },
    });
    const [anchor] = anchorsOf([{ path: 'a.py', lines: [11, 12, 30] }], ['term'], reader, SETTINGS);
    expect(anchor?.symbols.map(({ symbol: { name } }) => name)).toEqual(['Outer.term', 'Outer.use']);
  });
});

describe('terms', () => {
  it('are the words of a pattern without its escapes', () => {
    expect(termsOf(['\\bregister_blueprint\\(', 'foo|bar.*x', 'foo'])).toEqual(['register_blueprint', 'foo', 'bar']);
  });

  it.each(['def term(x):', 'func (s *Server) term() error {', 'export const term = 1', 'class term:'])(
    'are defined by: %s',
    (line) => {
      expect(definesInText(line, new Set(['term']))).toBe(true);
    },
  );

  it.each(['return term(x)', 'default term', 'x.term = 1'])('are not defined by: %s', (line) => {
    expect(definesInText(line, new Set(['term']))).toBe(false);
  });
});
