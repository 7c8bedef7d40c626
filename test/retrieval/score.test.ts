import { describe, expect, it } from 'vitest';
import { anchorsOf } from '../../src/retrieval/anchors.js';
import { scoreCandidates } from '../../src/retrieval/score.js';
import { SETTINGS } from '../../src/retrieval/settings.js';
import { type Described, indexOf, together } from './index-of.js';

function ranked(files: Readonly<Record<string, Described>>, settings = SETTINGS): string[] {
  const reader = indexOf(files);
  const anchors = anchorsOf([{ path: 'match.py', lines: [1] }], ['term'], reader, settings);
  return scoreCandidates(anchors, reader, new Map(), 0.5, settings).map(({ path }) => path);
}

describe('the score', () => {
  const related = { neighbours: { changedTogether: together({ 'hub.py': 0.9, 'match.py': 0.2 }) } };
  const files = {
    'match.py': {
      neighbours: { changedTogether: together({ 'a.py': 0.3, 'b.py': 0.3, 'c.py': 0.3, 'once.py': 0.05 }) },
    },
    'a.py': related,
    'b.py': related,
    'c.py': related,
  };

  it('names what only the files related to the match are related to', () => {
    expect(ranked(files)).toContain('hub.py');
    expect(ranked(files, { ...SETTINGS, second: 0 })).not.toContain('hub.py');
  });

  it('puts what several related files agree on before what the match alone hardly says', () => {
    const names = ranked(files);
    expect(names.indexOf('hub.py')).toBeLessThan(names.indexOf('once.py'));
  });

  it('keeps what the match itself says before that', () => {
    const strong = { neighbours: { changedTogether: together({ 'a.py': 0.6 }) } };
    const weak = { neighbours: { changedTogether: together({ 'far.py': 0.6 }) } };
    const names = ranked({ 'match.py': strong, 'a.py': weak });
    expect(names.indexOf('a.py')).toBeLessThan(names.indexOf('far.py'));
  });
});
