import type { Language } from '../language.js';

export const typescript: Language = {
  id: 'typescript',
  version: 1,
  folder: new URL('.', import.meta.url),
  dialects: [],
  extract: () => {
    throw new Error('not written yet');
  },
  link: () => [],
};
