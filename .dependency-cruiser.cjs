/** Import boundaries between the stages (docs/architecture.md). Each rule says what breaking it would mean. */
module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      comment:
        'Data flows one way. A cycle means that two stages have grown into one and can no longer be tested apart.',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'only-io-touches-the-world',
      severity: 'error',
      comment:
        'Stages are pure functions of plain data: that is what makes builds deterministic and alignment exact. Disk, git, processes, the parser and the store are reached through src/io alone.',
      from: { path: '^src/', pathNot: '^src/(io|cli|shim)/' },
      to: {
        path: [
          '^(node:)?(fs|fs/promises|child_process|worker_threads|os|net|http|https)$',
          'web-tree-sitter',
          'lmdb',
          'execa',
          'simple-git',
          'fast-glob',
        ],
      },
    },
    {
      name: 'pure-stages-do-not-import-io',
      severity: 'error',
      comment: 'A pure stage that imports src/io is no longer pure, whatever it does with it.',
      from: { path: '^src/(facts|languages|graph|sidecars|retrieval|recon)/' },
      to: { path: '^src/(io|cli|shim)/' },
    },
    {
      name: 'languages-know-no-stage-but-facts',
      severity: 'error',
      comment:
        'A language reads the repository through the tracked view only; anything else it imported from the graph would be an unrecorded question, and align would miss it.',
      from: { path: '^src/languages/' },
      to: { path: '^src/graph/', pathNot: '^src/graph/(edge|view)\\.ts$' },
    },
    {
      name: 'languages-are-independent',
      severity: 'error',
      comment: 'One folder per language: removing one must not break another.',
      from: { path: '^src/languages/([^/]+)/' },
      to: { path: '^src/languages/[^/]+/', pathNot: '^src/languages/$1/' },
    },
    {
      name: 'retrieval-stays-light',
      severity: 'error',
      comment:
        'The shim loads retrieval on every search: a parser, a graph library or a store there would cost each search tens of milliseconds.',
      from: { path: '^src/(retrieval|shim)/' },
      to: {
        path: [
          '^src/(languages|graph|facts|align)/',
          'graphology',
          'lmdb',
          'commander',
          'execa',
          'simple-git',
          'web-tree-sitter',
        ],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'nobody-imports-commands',
      severity: 'error',
      comment: 'Commands are the outermost layer: arguments in, exit code out.',
      from: { pathNot: '^src/cli/' },
      to: { path: '^src/cli/' },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { extensions: ['.ts', '.js'] },
  },
};
