/** Python: .py and .pyi. */
import type { Language } from '../language.js';
import { isTest, subjectsOfTest } from './conventions.js';
import { extract } from './facts.js';
import { scopesOf } from './modules.js';
import { link } from './resolve.js';

export const python: Language = {
  id: 'python',
  version: 1,
  dialects: [
    {
      id: 'python',
      suffixes: ['.py', '.pyi', '.pyw'],
      grammar: 'tree-sitter-python/tree-sitter-python.wasm',
      queries: ['facts.scm'],
    },
  ],
  extract,
  link,
  scopesOf,
  isTest,
  subjectsOfTest,
};
