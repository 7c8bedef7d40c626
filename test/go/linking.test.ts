import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { linkRepository, readFixture } from '../support/repository.js';

const FIXTURES = 'fixtures/go';

describe('linking Go', () => {
  for (const theme of readdirSync(FIXTURES).sort()) {
    it(`resolves ${theme}`, async () => {
      const { listing } = await linkRepository(readFixture(`${FIXTURES}/${theme}`));
      await expect(listing).toMatchFileSnapshot(`../../${FIXTURES}/${theme}/expected-edges.txt`);
    });
  }
});
