import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { linkRepository, readFixture } from '../support/repository.js';

const FIXTURES = 'fixtures/go';

describe('linking Go', () => {
  for (const theme of readdirSync(FIXTURES).sort()) {
    it(`resolves ${theme}`, async () => {
      const { listing } = await linkRepository(readFixture(`${FIXTURES}/${theme}`));
      // Which test is about what is the graph's business, for all languages alike.
      const edges = listing.split('\n').filter((line) => !line.includes(' tests '));
      await expect(edges.join('\n')).toMatchFileSnapshot(`../../${FIXTURES}/${theme}/expected-edges.txt`);
    });
  }
});
