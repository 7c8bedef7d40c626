/** Repositories whose references run in circles, or all to one place: the build ends, and what is right stays right. */
import { afterEach, describe, expect, it } from 'vitest';
import { linkRepository } from '../support/repository.js';
import { WorkTree } from '../support/work-tree.js';
import { sidecar } from './command.js';

let tree: WorkTree | undefined;
afterEach(() => tree?.dispose());

function start(files: Readonly<Record<string, string>>): WorkTree {
  tree?.dispose();
  tree = new WorkTree(files);
  tree.commit();
  return tree;
}

async function edgesOf(files: Readonly<Record<string, string>>): Promise<string[]> {
  const { listing } = await linkRepository(files);
  return listing.split('\n').filter((line) => line !== '');
}

const times = (count: number, file: (i: number) => readonly [string, string]): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => file(i)));

describe('circles', () => {
  it('modules that import each other', async () => {
    const edges = await edgesOf({
      'a.py': 'import b\nfrom b import g\n\n\ndef f():\n    return b.g() or g()\n',
      'b.py': 'import a\nfrom a import f\n\n\ndef g():\n    return a.f() or f()\n',
    });
    expect(edges).toContain('a.py:f -> b.py:g calls imported-name');
    expect(edges).toContain('b.py:g -> a.py:f calls imported-name');
  });

  it('a class that inherits from itself, and classes that inherit from each other', async () => {
    const edges = await edgesOf({
      'own.py':
        'class A(A):\n    def f(self):\n        return self.f() or self.g() or self.missing()\n\n    def g(self):\n        pass\n',
      'a.py': 'from b import B\n\n\nclass A(B):\n    def f(self):\n        return self.g() or self.missing()\n',
      'b.py': 'from a import A\n\n\nclass B(A):\n    def g(self):\n        return self.f() or super().f()\n',
    });
    expect(edges).toContain('own.py:A.f -> own.py:A.g calls self-receiver');
    expect(edges).toContain('a.py:A.f -> b.py:B.g calls self-receiver');
    expect(edges).toContain('b.py:B.g -> a.py:A.f calls self-receiver');
    expect(edges.filter((edge) => edge.includes('missing'))).toEqual([]);
  });

  it('classes of TypeScript that extend themselves and each other', async () => {
    const edges = await edgesOf({
      'own.ts': 'export class Own extends Own { f() { return this.g(); } g() { return this.missing(); } }\n',
      'a.ts': "import { B } from './b';\nexport class A extends B { f() { return this.g(); } }\n",
      'b.ts': "import { A } from './a';\nexport class B extends A { g() { return this.f(); } }\n",
    });
    expect(edges).toContain('own.ts:Own.f -> own.ts:Own.g calls self-receiver');
    expect(edges).toContain('a.ts:A.f -> b.ts:B.g calls self-receiver');
    expect(edges).toContain('b.ts:B.g -> a.ts:A.f calls self-receiver');
  });

  it('names that are only re-exported, round and round', async () => {
    const edges = await edgesOf({
      'pkg/__init__.py': 'from .one import *\nfrom .one import real, ghost\n',
      'pkg/one.py': 'from .two import *\nfrom .two import ghost, real\n',
      'pkg/two.py': 'from . import *\nfrom .one import ghost\n\n\ndef real():\n    pass\n',
      'use.py': 'from pkg import ghost, real\n\nreal()\nghost()\n',
      'x.ts': "export * from './y';\nexport { ghost } from './y';\n",
      'y.ts': "export * from './x';\nexport { ghost } from './x';\nexport function made() {}\n",
      'use.ts': "import { ghost, made } from './x';\nmade();\nghost();\n",
    });
    expect(edges).toContain('use.py -> pkg/two.py:real calls imported-name');
    expect(edges).toContain('use.ts -> y.ts:made calls imported-name');
    expect(edges.filter((edge) => /:ghost/.test(edge))).toEqual([]);
  });

  it('settings of TypeScript that extend each other', async () => {
    const edges = await edgesOf({
      'tsconfig.json': '{"extends": "./tsconfig.base.json", "compilerOptions": {"paths": {"@/*": ["./src/*"]}}}\n',
      'tsconfig.base.json': '{"extends": "./tsconfig.json", "references": [{"path": "."}]}\n',
      'src/f.ts': 'export function f() {}\n',
      'main.ts': "import { f } from '@/f';\nf();\n",
    });
    expect(edges).toContain('main.ts -> src/f.ts:f calls imported-name');
  });
});

describe('crowds', () => {
  it('a name that a thousand files define binds to none of them, and to the one that is imported', async () => {
    const edges = await edgesOf({
      ...times(1000, (i) => [`p/m${i}.py`, 'class Thing:\n    def handle(self):\n        pass\n']),
      'use.py': 'from p.m7 import Thing\n\n\ndef use(unknown):\n    Thing().handle()\n    unknown.handle()\n',
    });
    expect(edges.filter((edge) => edge.includes('handle'))).toEqual([
      'use.py:use -> p/m7.py:Thing.handle calls constructed-receiver',
    ]);
  });

  it('two thousand files import one through a package and a barrel', async () => {
    const edges = await edgesOf({
      'hub/__init__.py': 'from .core import f\n',
      'hub/core.py': 'def f():\n    pass\n',
      'web/index.ts': "export * from './core';\n",
      'web/core.ts': 'export function f() {}\n',
      ...times(2000, (i) => [`py/m${i}.py`, 'from hub import f\n\nf()\n']),
      ...times(2000, (i) => [`ts/m${i}.ts`, "import { f } from '../web';\nf();\n"]),
    });
    const calls = edges.filter((edge) => edge.includes(' calls '));
    expect(calls.filter((edge) => edge.endsWith('-> hub/core.py:f calls imported-name'))).toHaveLength(2000);
    expect(calls.filter((edge) => edge.endsWith('-> web/core.ts:f calls imported-name'))).toHaveLength(2000);
    expect(calls).toHaveLength(4000);
  });
});

describe('broken manifests', () => {
  const BROKEN = {
    'web/package.json': '{"name": "web", ',
    'web/tsconfig.json': '{"compilerOptions": [',
    'py/pyproject.toml': '[project\nname = \n',
    'go/go.mod': 'go 1.21\n',
  };
  const SOUND = {
    'web/a.ts': "import { b } from './b';\nb();\n",
    'web/b.ts': 'export function b() {}\n',
    'py/a.py': 'from b import b\n\nb()\n',
    'py/b.py': 'def b():\n    pass\n',
    'go/a.go': 'package main\n\nfunc main() { b() }\n',
    'go/b.go': 'package main\n\nfunc b() {}\n',
  };

  it('leaves the edges that need none of them', async () => {
    const edges = await edgesOf({ ...BROKEN, ...SOUND });
    expect(edges).toContain('web/a.ts -> web/b.ts:b calls imported-name');
    expect(edges).toContain('py/a.py -> py/b.py:b calls imported-name');
    expect(edges).toContain('go/a.go:main -> go/b.go:b calls package-scope');
  });

  it('are named by status, as are files with syntax errors, until they are mended', async () => {
    const t = start({ ...BROKEN, ...SOUND, 'py/bad.py': 'def f(:\n    pass\n\n\nclass (:\n' });
    const built = await sidecar('build', t.root);
    expect(built.out).toContain('read in part: 4 not readable as configuration, 1 syntax not understood');
    const { out } = await sidecar('status', t.root);
    expect(out).toContain(
      'read in part: 4 not readable as configuration: go/go.mod, py/pyproject.toml, web/package.json, ...\n',
    );
    expect(out).toContain('read in part: 1 syntax not understood: py/bad.py\n');
    t.write('go/go.mod', 'module example.org/shop\n');
    t.write('py/bad.py', 'def f():\n    pass\n');
    t.write('py/b.py', 'def b(:\n');
    await sidecar('align', t.root);
    const later = await sidecar('status', t.root);
    expect(later.out).toContain('read in part: 3 not readable as configuration: py/pyproject.toml');
    expect(later.out).toContain('read in part: 1 syntax not understood: py/b.py\n');
  });
});
