import type { FileFacts } from '../../facts/model.js';
import type { Language } from '../language.js';
import { CONFIGURATION, PACKAGE } from './configuration.js';
import { isTest, subjectsOfTest } from './conventions.js';
import { extract } from './facts.js';
import { scriptBlocks, separateSignatures } from './prepare.js';
import { link } from './resolve.js';

const TYPESCRIPT = 'tree-sitter-typescript/tree-sitter-typescript.wasm';
const TSX = 'tree-sitter-typescript/tree-sitter-tsx.wasm';
const JAVASCRIPT = 'tree-sitter-javascript/tree-sitter-javascript.wasm';

/** Scopes beyond the file: packages by name, and what declaration files without imports declare for all. */
function scopesOf(path: string, { surface, imports }: FileFacts): { scope: string; names: string[] }[] {
  const keys = Object.keys(surface.entries);
  if (path.endsWith('.json')) {
    const names = keys.filter((key) => key.startsWith(PACKAGE));
    return names.length > 0 ? [{ scope: 'typescript:packages', names }] : [];
  }
  // `import('./x').Y` as a type and `/// <reference>` make no module of a file.
  const isModule =
    imports.some(({ typeOnly, alias, reexport }) => !typeOnly || alias !== undefined || reexport) ||
    keys.some((key) => key.startsWith('x'));
  // Declarations outside of modules are everybody's, and so is what a module puts into `declare global`.
  const isGlobal = /\.d\.[cm]?ts$/.test(path) && !isModule;
  const names = keys
    .filter((key) => (isGlobal ? /^\.[^.#]+$/ : /^g:/).test(key))
    .map((key) => key.replace(/^\.|^g:/, ''));
  return names.length > 0 ? [{ scope: 'typescript:globals', names }] : [];
}

export const typescript: Language = {
  id: 'typescript',
  version: 6,
  dialects: [
    {
      id: 'typescript',
      suffixes: ['.ts', '.mts', '.cts', '.d.ts', '.d.mts', '.d.cts'],
      grammar: TYPESCRIPT,
      queries: ['facts.scm', 'types.scm'],
      prepare: separateSignatures,
    },
    { id: 'tsx', suffixes: ['.tsx'], grammar: TSX, queries: ['facts.scm', 'types.scm', 'jsx.scm'] },
    {
      id: 'javascript',
      suffixes: ['.js', '.mjs', '.cjs', '.jsx'],
      grammar: JAVASCRIPT,
      queries: ['facts.scm', 'javascript.scm', 'jsx.scm'],
    },
    {
      id: 'component',
      suffixes: ['.vue', '.svelte'],
      grammar: TYPESCRIPT,
      queries: ['facts.scm', 'types.scm'],
      prepare: scriptBlocks,
    },
  ],
  configuration: CONFIGURATION,
  extract,
  link,
  scopesOf,
  isTest,
  subjectsOfTest,
};
