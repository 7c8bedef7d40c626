import type { FileFacts } from '../../facts/model.js';
import type { Language } from '../language.js';
import type { GoExtra } from './expressions.js';
import { extractGo } from './facts.js';
import { MODULE_HEAD_SCOPE, MODULE_SCOPE, readGoMod, readGoWork } from './modules.js';
import { folderOf, isTestFile, scopeOf } from './packages.js';
import { linkGo } from './resolve.js';
import { INTERFACE_SCOPE } from './satisfaction.js';

const SATISFY = '#satisfy:';

function scopesOf(path: string, facts: FileFacts): { scope: string; names: string[] }[] {
  const { entries } = facts.surface;
  if (facts.language !== 'go') {
    const { module } = entries;
    if (typeof module !== 'string') return [];
    return [
      { scope: MODULE_SCOPE, names: [module] },
      { scope: MODULE_HEAD_SCOPE, names: [module.split('/')[0] ?? module] },
    ];
  }
  const extra = facts.extra as unknown as GoExtra;
  const keys = Object.keys(entries);
  return [
    {
      scope: scopeOf({ dir: folderOf(path), name: extra.package }, extra.ignored ? path : undefined),
      names: keys.filter((key) => !key.startsWith('#')),
    },
    {
      scope: INTERFACE_SCOPE,
      names: keys.filter((key) => key.startsWith(SATISFY)).map((key) => key.slice(SATISFY.length)),
    },
  ];
}

export const go: Language = {
  id: 'go',
  version: 2,
  dialects: [
    {
      id: 'go',
      suffixes: ['.go'],
      grammar: 'tree-sitter-go/tree-sitter-go.wasm',
      queries: ['facts.scm'],
      queryDepth: 2,
    },
  ],
  configuration: [
    { id: 'go.mod', matches: (basename) => basename === 'go.mod', read: readGoMod },
    { id: 'go.work', matches: (basename) => basename === 'go.work', read: readGoWork },
  ],
  extract: extractGo,
  link: linkGo,
  scopesOf,
  isTest: isTestFile,
  subjectsOfTest: (path) => {
    if (!isTestFile(path)) return [];
    const subject = path.replace(/_test\.go$/, '');
    // `x_linux_test.go` and `x_internal_test.go` are about `x.go` where `x_linux.go` does not exist.
    const shorter = subject.replace(/_[a-z0-9]+$/, '');
    return shorter === subject ? [`${subject}.go`] : [`${subject}.go`, `${shorter}.go`];
  },
};
