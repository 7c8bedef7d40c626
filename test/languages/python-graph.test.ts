import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { linkRepository, readFixture } from '../support/repository.js';

const themes = join(import.meta.dirname, '../../fixtures/python');

/** Each folder shows one kind of Python; `expected-edges.txt` in it lists every edge that it must have. */
describe('edges of Python repositories', () => {
  for (const theme of readdirSync(themes).sort()) {
    it(theme, async () => {
      const folder = join(themes, theme);
      const { listing } = await linkRepository(readFixture(folder));
      // Edges between tests and their subjects have fixtures of their own.
      const edges = listing.replace(/^.* tests test-.*\n/gm, '');
      await expect(edges).toMatchFileSnapshot(join(folder, 'expected-edges.txt'));
    });
  }
});
