/** Python: .py and .pyi, and Cython: .pyx, .pxd and .pxi. */
import type { Language } from '../language.js';
import { isTest, subjectsOfTest } from './conventions.js';
import { CYTHON, CYTHON_DECLARATIONS, readCython } from './cython.js';
import { extract } from './facts.js';
import { CONFIGURATION } from './manifest.js';
import { scopesOf } from './modules.js';
import { link } from './resolve.js';

export const python: Language = {
  id: 'python',
  version: 4,
  dialects: [
    {
      id: 'python',
      suffixes: ['.py', '.pyi', '.pyw'],
      grammar: 'tree-sitter-python/tree-sitter-python.wasm',
      queries: ['facts.scm'],
    },
    {
      id: CYTHON,
      suffixes: ['.pyx', '.pxi'],
      grammar: 'tree-sitter-python/tree-sitter-python.wasm',
      queries: ['facts.scm'],
      prepare: (source) => readCython(source).python,
    },
    {
      id: CYTHON_DECLARATIONS,
      suffixes: ['.pxd'],
      grammar: 'tree-sitter-python/tree-sitter-python.wasm',
      queries: ['facts.scm'],
      prepare: (source) => readCython(source).python,
    },
  ],
  configuration: CONFIGURATION,
  extract,
  link,
  scopesOf,
  isTest,
  subjectsOfTest,
};
