import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CommitFact, History } from '../../src/graph/history.js';

const commit = (id: string, ...files: string[]): CommitFact => ({ id, message: id, files });
const always = (): boolean => true;

describe('changed together', () => {
  it('scores shared commits by size, over the commits of the anchor', () => {
    const history = new History([commit('2', 'a.py', 'b.py'), commit('1', 'a.py', 'b.py', 'c.py')], always);
    expect(history.changedTogether('a.py')).toEqual({
      total: 2,
      items: [
        { path: 'b.py', score: 0.375, commits: 2 },
        { path: 'c.py', score: 0.125, commits: 1 },
      ],
    });
  });

  it('counts code files only, tests included, and ignores commits of one', () => {
    const history = new History([commit('1', 'a.py', 'README.md', 'test_a.py'), commit('0', 'a.py', 'x.json')], always);
    expect(history.changedTogether('a.py').items).toEqual([{ path: 'test_a.py', score: 0.3333, commits: 1 }]);
    expect(history.changedTogether('README.md').total).toBe(0);
  });

  it('leaves out what is gone', () => {
    const history = new History([commit('1', 'a.py', 'gone.py')], (path) => path !== 'gone.py');
    expect(history.changedTogether('a.py')).toEqual({ total: 0, items: [] });
  });

  it('one giant commit is no evidence, and a sweep is none at all', () => {
    const many = (n: number): string[] => Array.from({ length: n }, (_, i) => `f${i}.py`);
    expect(new History([commit('1', ...many(40))], always).changedTogether('f0.py').total).toBe(0);
    const sweeps = [commit('2', ...many(61)), commit('1', ...many(61))];
    expect(new History(sweeps, always).changedTogether('f0.py').total).toBe(0);
  });

  it('follows a rename where the commit says so', () => {
    const renamed = { ...commit('2', 'old.py', 'new.py'), renames: [{ from: 'old.py', to: 'new.py' }] };
    const history = new History([renamed, commit('1', 'old.py', 'b.py')], (path) => path !== 'old.py');
    expect(history.changedTogether('new.py').items).toEqual([{ path: 'b.py', score: 0.3333, commits: 1 }]);
    expect(history.changedTogether('b.py').items).toEqual([{ path: 'new.py', score: 0.3333, commits: 1 }]);
    expect(history.ages().get('new.py')).toBe(0);
  });

  it('knows how many commits ago each file was touched, sweeps and documents included', () => {
    const ages = new History([commit('2', 'a.py'), commit('1', 'a.py', 'README.md')], always).ages();
    expect([...ages]).toEqual([
      ['a.py', 0],
      ['README.md', 1],
    ]);
  });

  it('every list that differs between two windows is among the affected', () => {
    const name: fc.Arbitrary<string> = fc.constantFrom('a.py', 'b.py', 'c.py', 'd.py', 'e.py');
    const anyCommit = fc.record({
      files: fc.uniqueArray(name, { minLength: 1, maxLength: 4 }),
      rename: fc.option(fc.tuple(name, name), { nil: undefined, freq: 3 }),
    });
    fc.assert(
      fc.property(
        fc.array(anyCommit, { maxLength: 8 }),
        fc.nat(4),
        fc.nat(4),
        fc.uniqueArray(name),
        fc.uniqueArray(name),
        (made, skipOld, skipNew, goneBefore, goneAfter) => {
          const commits = made.map(({ files, rename }, i): CommitFact => {
            const renames = rename && rename[0] !== rename[1] ? [{ from: rename[0], to: rename[1] }] : [];
            const touched = new Set([...files, ...renames.flatMap(({ from, to }) => [from, to])]);
            return { id: String(i), message: '', files: [...touched], renames };
          });
          const before = new History(commits.slice(skipOld), (path) => !goneBefore.includes(path));
          const after = new History(commits.slice(skipNew), (path) => !goneAfter.includes(path));
          const changed = [...goneBefore, ...goneAfter].filter((p) => goneBefore.includes(p) !== goneAfter.includes(p));
          const affected = after.affectedBy(before, changed);
          for (const path of ['a.py', 'b.py', 'c.py', 'd.py', 'e.py']) {
            if (affected.has(path)) continue;
            expect(after.changedTogether(path)).toEqual(before.changedTogether(path));
          }
        },
      ),
    );
  });
});
