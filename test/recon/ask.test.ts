import { beforeAll, describe, expect, it } from 'vitest';
import { roleOf } from '../../src/graph/roles.js';
import { cutFairly } from '../../src/recon/ask/answer.js';
import { ask } from '../../src/recon/ask/ask.js';
import { parseQuestion, understand } from '../../src/recon/ask/plain-language.js';
import { MemoryEvidence } from '../../src/recon/evidence.js';
import { Knowledge } from '../../src/recon/knowledge.js';
import { manifestOf } from '../../src/recon/manifest/manifest.js';
import { corpusOf } from '../../src/recon/map/corpus.js';
import { indexCorpus } from '../../src/recon/map/documents.js';
import { READING, scoresOf } from '../../src/recon/map/rankers.js';
import { entitiesOf } from '../../src/recon/slice/entities.js';
import { decide } from '../../src/recon/slice/gate.js';
import { bestOf, climb } from '../../src/recon/slice/ladder.js';
import { readingOrder } from '../../src/recon/slice/regions.js';
import { renderSlice } from '../../src/recon/slice/render.js';
import { tokensOf } from '../../src/recon/tokens.js';
import { linkRepository } from '../support/repository.js';

const FILES: Record<string, string> = {
  'shop/cart.py':
    'from shop.base import Base\nfrom shop.checks import check\n\n\nclass Cart(Base):\n    def add_item(self, item):\n        check(item)\n',
  'shop/checks.py': 'def check(item):\n    return helper(item)\n\n\ndef helper(item):\n    return item\n',
  'shop/base.py': 'class Base:\n    pass\n',
  'tests/test_checks.py': 'from shop.checks import check\n\n\ndef test_check():\n    assert check(1)\n',
  'pyproject.toml': '[project]\nname = "shop"\n\n[tool.pytest.ini_options]\naddopts = "-q"\n',
  'settings.ini': '[database]\nengine = sqlite\n',
};

let knowledge: Knowledge;
let remembering: (of: (path: string) => { path: string; score: number; commits: number }[] | undefined) => Knowledge;
let slice: (task: string, budget?: number) => string;

beforeAll(async () => {
  const { facts, edges } = await linkRepository(FILES);
  const files = Object.keys(FILES)
    .sort()
    .map((path) => ({ path, role: roleOf(path, '', 0).role }));
  const repository = { files, text: (path: string) => FILES[path] };
  const evidence = new MemoryEvidence(facts, edges);
  knowledge = new Knowledge({ repository, manifest: manifestOf(repository), evidence });
  remembering = (changedTogether) => new Knowledge({ repository, evidence, changedTogether });
  const sources = new Map([...facts].filter(([path]) => path.startsWith('shop/')));
  const corpus = corpusOf(sources, edges);
  slice = (task, budget = 1000) => {
    const entities = entitiesOf(knowledge, corpus, task);
    const index = indexCorpus(corpus);
    const scores = scoresOf(index, task, 'layered', READING);
    const decision = decide(knowledge, entities, task, bestOf(corpus, scores));
    const climbed = climb(knowledge, corpus, scores, entities, decision);
    const regions = decision.fires ? readingOrder(index, task, scores, repository.text) : [];
    return renderSlice(knowledge, climbed, regions, budget, tokensOf);
  };
});

const places = (...words: string[]): string[] => {
  const question = parseQuestion(words);
  if (!question) throw new Error('not understood');
  return ask(knowledge, question).items.map(({ path, line, what }) => `${path}:${line} ${what}`);
};

describe('ask', () => {
  it('names the definition with its line', () => {
    expect(places('defines', 'check')).toEqual(['shop/checks.py:1 def check(item)']);
    expect(places('what', 'defines', 'Cart.add_item?')).toEqual(['shop/cart.py:6 def add_item(self, item)']);
  });

  it('names the tests of a function', () => {
    expect(places('tests-for', 'check')[0]).toBe('tests/test_checks.py:5 test_check');
  });

  it('names callers and implementers', () => {
    expect(places('who', 'calls', 'helper')).toEqual(['shop/checks.py:2 check']);
    expect(places('implements', 'Base')).toEqual(['shop/cart.py:5 Cart']);
  });

  it('tells direct from transitive effects, and tests from both', () => {
    const affected = ask(knowledge, { kind: 'affects', name: 'helper' }).items.map(
      ({ group, what }) => `${group} ${what}`,
    );
    expect(affected).toContain('direct check');
    expect(affected).toContain('transitive Cart.add_item');
    expect(affected).toContain('tests test_check');
  });

  it('names what changed together, and says where no history is indexed', () => {
    const of = (path: string) =>
      path === 'shop/checks.py' ? [{ path: 'shop/cart.py', score: 0.4, commits: 3 }] : undefined;
    const known = ask(remembering(of), { kind: 'affects', name: 'helper' });
    expect(known.items).toContainEqual({
      path: 'shop/cart.py',
      line: 1,
      what: 'shop/cart.py',
      group: 'changed together',
      why: '3 commits touch both it and shop/checks.py',
      confidence: 0.4,
    });
    expect(known.notKnown).toBeUndefined();
    expect(ask(remembering(of), { kind: 'affects', name: 'Cart' }).notKnown).toEqual([
      'changed together: no history is indexed for shop/cart.py',
    ]);
  });

  it('shows some of every group where one of them is long', () => {
    const item = (group: string, i: number) => ({ path: `${i}.py`, line: 1, what: 'f', group, why: '', confidence: 1 });
    const many = Array.from({ length: 90 }, (_, i) => item('direct', i));
    const shown = cutFairly([...many, item('tests', 1), item('changed together', 1)], 50);
    expect(shown.length).toBe(50);
    expect(shown.slice(-2).map(({ group }) => group)).toEqual(['tests', 'changed together']);
  });

  it('names the test command with its evidence, and the line of a setting', () => {
    expect(places('which', 'command', 'tests', 'this?')).toEqual(['pyproject.toml:4 pytest']);
    expect(places('config', 'engine')).toEqual(['settings.ini:2 engine = sqlite']);
  });

  it('says unknown, not "none", for a name that nothing defines', () => {
    const unknown = ask(knowledge, { kind: 'callers', name: 'nothing_here' });
    expect(unknown.completeness).toBe('unknown');
    expect(unknown.notKnown).toEqual(['no definition, file or module here is called nothing_here']);
    expect(parseQuestion(['defines', ''])).toBeUndefined();
  });

  it.each([
    ['Where are the tests for `Blueprint.register`?', { kind: 'tests-for', name: 'Blueprint.register' }],
    ['Which module defines Cart?', { kind: 'defines', name: 'Cart' }],
    ['What command builds this?', { kind: 'command', purpose: 'build' }],
    ['How do I run the unit tests?', { kind: 'command', purpose: 'test' }],
    ['Which config selects DATABASES?', { kind: 'config', name: 'DATABASES' }],
    ['What does changing the class Scaffold plausibly affect?', { kind: 'affects', name: 'Scaffold' }],
    ['What implements Storage?', { kind: 'implements', name: 'Storage' }],
    ['Tell me a joke', undefined],
  ])('understands %s', (words, typed) => {
    expect(understand(words)).toEqual(typed);
  });
});

describe('gate and ladder', () => {
  it('says that nothing more is needed where the task stays in the module it names', () => {
    expect(slice('In shop/checks.py rename the variable of `helper()`')).toBe(
      'no context is needed beyond the named module\nmodule shop/checks.py\nstop: nothing points beyond shop/checks.py\n',
    );
  });

  it('fires where the words of the task fit another module better than the one it names', () => {
    const text = slice('shop/base.py: helper of check returns the item of add_item twice');
    expect(text).toContain('signal elsewhere: the words of the task fit');
  });

  it('does not take an error of the language for something that is missing', () => {
    const text = slice('In shop/checks.py `helper()` raises KeyError');
    expect(text).toContain('no context is needed');
  });

  it('says that no module is named, and that no word of the task occurs', () => {
    expect(slice('当用户点击时程序崩溃')).toBe(
      'context is needed: the task names no module\nsignal nothing-named: no module is named\nstop: no word of the task occurs in the repository\n',
    );
  });

  it('climbs to the neighbours and their runner where the task names a test', () => {
    const text = slice('`check()` of shop/checks.py fails in tests/test_checks.py');
    expect(text).toContain('signal failing-test: the task names tests/test_checks.py');
    expect(text).toContain('R0 named by the task');
    expect(text).toContain('4 def test_check()  [calls check,');
    expect(text).toContain('test: pytest [pyproject.toml:4]');
    expect(text).toContain('read first:\n  shop/checks.py:1-2 check\n');
  });

  it('keeps its budget, whatever it is', () => {
    for (let budget = 1; budget < 300; budget += 1) {
      expect(tokensOf(slice('`check()` fails in tests/test_checks.py', budget))).toBeLessThanOrEqual(budget);
    }
  });
});
