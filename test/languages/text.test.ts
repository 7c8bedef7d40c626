import { describe, expect, it } from 'vitest';
import { readerOf } from '../../src/languages/registry.js';
import { text } from '../../src/languages/text/language.js';
import { mentionsOfConfiguration, mentionsOfDocument } from '../../src/languages/text/mentions.js';
import { linkRepository, readFixture } from '../support/repository.js';

describe('documents and configuration', () => {
  it('name paths, modules and symbols, and never an English word that happens to be one', async () => {
    const { listing } = await linkRepository(readFixture('fixtures/text/mentions'));
    const edges = listing.split('\n').filter((line) => / (documents|configures) /.test(line));
    await expect(`${edges.join('\n')}\n`).toMatchFileSnapshot('../../fixtures/text/mentions/expected.txt');
  });

  it('a list of files that a tool keeps configures none of them', async () => {
    const names = Array.from({ length: 80 }, (_, i) => `src/module_${i}.py`);
    const files = Object.fromEntries(names.map((name) => [name, 'x = 1\n']));
    const { listing } = await linkRepository({ ...files, '.ci/durations.json': JSON.stringify(names, null, 1) });
    expect(listing).not.toMatch(/durations/);
  });

  it.each(['Dockerfile', 'docker/Dockerfile.dev', 'Makefile', 'ci.yml', 'tox.cfg', 'README', 'docs/a.rst'])(
    '%s is read as text',
    (path) => {
      expect(readerOf(path)?.language).toBe(text);
    },
  );
});

describe('mentions', () => {
  const shown = (source: string): string[] =>
    mentionsOfDocument(source).map(({ kind, text: name }) => `${kind} ${name}`);

  it('of reStructuredText roles keep the target and drop the title', () => {
    expect(shown(':func:`load <shop.load_cart>` and :class:`~shop.Cart`')).toEqual([
      'dotted shop.load_cart',
      'dotted shop.Cart',
    ]);
  });

  it('are not taken from addresses, patterns and homes', () => {
    expect(shown('http://x.org/a/b.py ~/a/b.py $HOME/a/b.py src/**/*.py')).toEqual([]);
  });

  it('each count once, where they come first', () => {
    expect(mentionsOfConfiguration('run: a/b.sh\nrun: a/b.sh\n')).toEqual([{ kind: 'path', text: 'a/b.sh', line: 1 }]);
  });

  it('of hostile text end in linear time', () => {
    const hostile = ['`'.repeat(1500), 'a.'.repeat(900), 'a/'.repeat(900), ':a'.repeat(900), '('.repeat(1900)].join(
      '\n',
    );
    expect(mentionsOfDocument(hostile.repeat(200)).length).toBeLessThan(20);
    expect(mentionsOfConfiguration(hostile.repeat(200)).length).toBeLessThan(20);
  });
});
