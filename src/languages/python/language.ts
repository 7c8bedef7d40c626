import type { Language } from '../language.js';

export const python: Language = {
  id: 'python',
  version: 1,
  folder: new URL('.', import.meta.url),
  dialects: [],
  extract: () => {
    throw new Error('not written yet');
  },
  link: () => [],
};
