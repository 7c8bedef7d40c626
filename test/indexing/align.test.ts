/** The promise of alignment: after any sequence of edits the index is, byte for byte, what a build would write. */
import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, expect, it } from 'vitest';
import { WorkTree } from '../support/work-tree.js';

const START: Readonly<Record<string, string>> = {
  'py/app/__init__.py': 'from .models import User\nfrom .views import *\n',
  'py/app/models.py':
    'class Base:\n    def save(self):\n        return self.key()\n    def key(self):\n        return 1\n\n\nclass User(Base):\n    def name(self):\n        return self.save()\n',
  'py/app/views.py':
    '__all__ = ["show"]\nfrom app.models import User\n\n\ndef show(user: User):\n    return helper(user.name())\n\n\ndef helper(text):\n    return text\n',
  'py/tests/conftest.py': 'import pytest\nfrom app import User\n\n\n@pytest.fixture\ndef user():\n    return User()\n',
  'py/tests/test_views.py': 'import app\n\n\ndef test_show(user):\n    assert app.show(user)\n',
  'web/package.json': '{"name": "web", "workspaces": ["packages/*"]}\n',
  'web/tsconfig.json': '{"compilerOptions": {"baseUrl": ".", "paths": {"@lib/*": ["lib/*"]}}}\n',
  'web/lib/index.ts': "export * from './shapes.js';\nexport { draw as paint } from './draw';\n",
  'web/lib/shapes.ts':
    'export interface Shape {\n  area(): number;\n}\nexport class Circle implements Shape {\n  area() {\n    return 3;\n  }\n}\n',
  'web/lib/draw.ts':
    "import type { Shape } from './shapes';\nexport function draw(shape: Shape) {\n  return shape.area();\n}\n",
  'web/main.tsx':
    "import { Circle, paint } from '@lib/index';\nexport const App = () => <div>{paint(new Circle())}</div>;\n",
  'web/packages/core/package.json': '{"name": "@web/core", "main": "src/index.ts"}\n',
  'web/packages/core/src/index.ts':
    'export const coreVersion = 1;\nexport function boot() {\n  return coreVersion;\n}\n',
  'web/packages/ui/main.ts': "import { boot } from '@web/core';\nboot();\n",
  'py/app/fast.pyx':
    'include "shared.pxi"\nfrom app.models cimport nothing\n\n\ncdef class Heap:\n    cpdef int push(self, Item item):\n        return grow(item.key)\n',
  'py/app/fast.pxd':
    'cdef struct Item:\n    int key\n\ncdef class Heap:\n    cdef int size\n    cpdef int push(self, Item item)\n',
  'py/app/shared.pxi': 'cdef inline int grow(int n):\n    return n\n',
  'py/app/sort.pyx': 'from app.fast cimport Heap\n\n\ndef sort(Heap heap):\n    return heap.push(heap.size)\n',
  'py/pyproject.toml': '[project.scripts]\nshow = "app:show"\n',
  'py/heap_user.py': 'from app.fast import Heap\n\nHeap().push(1)\n',
  'web/old/package.json': '{"name": "old", "main": "box.js"}\n',
  'web/old/box.js':
    "/** @typedef {import('./lid').Lid} Cover */\nclass Box {}\nexports.Box = Box;\nexports.make = () => 0;\n",
  'web/old/lid.js': 'class Lid {\n  shut() {}\n}\nexports.Lid = Lid;\n',
  'web/old/run.js':
    "const box = require('./box');\n/** @param {import('./box').Cover} cover */\nfunction run(cover) {\n  cover.shut();\n  box.make().open();\n}\nrun();\n",
  'web/old/run.ts': "import { make } from './box.js';\nmake().open();\n",
  'go/go.mod': 'module example.org/shop\n\ngo 1.21\n',
  'go/main.go': 'package main\n\nimport "example.org/shop/cart"\n\nfunc main() {\n\tc := cart.New()\n\tc.Add("x")\n}\n',
  'go/cart/cart.go':
    'package cart\n\ntype Cart struct{ items []string }\n\nfunc New() *Cart { return &Cart{} }\n\nfunc (c *Cart) Add(name string) { c.items = append(c.items, normal(name)) }\n',
  'go/cart/normal.go': 'package cart\n\nfunc normal(name string) string { return name }\n',
  'go/cart/cart_test.go': 'package cart\n\nimport "testing"\n\nfunc TestAdd(t *testing.T) { New().Add("y") }\n',
  'go/cart/pick.go': 'package cart\n\nfunc Pick[T any](all []T) T { return all[0] }\n',
  'go/cart/first.go': 'package cart\n\nfunc first(all []*Cart) {\n\tone := Pick(all)\n\tone.Add("z")\n}\n',
  // Words of three letters and words of many files: nothing but the calls relates these three.
  'py/a1.py': 'import k\n\nk.f()\n',
  'py/a2.py': 'import k\n\nk.f()\n',
  'py/k.py': 'def f(): 1\n',
  'py/uses_space.py': 'import space\n\n\ndef far():\n    return space\n',
  'go/plugins/zip.go': 'package plugins\n\nfunc init() {}\n',
  'go/load.go': 'package main\n\nimport _ "example.org/shop/plugins"\n',
  'docs/guide.md': '# Guide\n\nSee `py/app/models.py` and `User.name()`, `draw()`.\n',
};

const DECLARATIONS = 'export declare class Box {\n  open(): void;\n}\nexport declare function make(): Box;\n';

/** Edits that a person or an agent makes, each with what it disturbs. */
const EDITS: Readonly<Record<string, (tree: WorkTree) => void>> = {
  'add an override': (t) =>
    t.write('py/app/models.py', `${START['py/app/models.py']}    def key(self):\n        return 2\n`),
  'move lines only': (t) => t.write('py/app/models.py', `# comment\n\n${START['py/app/models.py']}`),
  'rename a definition': (t) =>
    t.write('py/app/views.py', (START['py/app/views.py'] ?? '').replaceAll('helper', 'assist')),
  'shadow a name': (t) => t.write('py/app/views.py', `${START['py/app/views.py']}\n\ndef User():\n    pass\n`),
  'change __init__': (t) => t.write('py/app/__init__.py', 'from .models import Base as User\n'),
  'empty __init__': (t) => t.write('py/app/__init__.py', ''),
  'delete __init__': (t) => t.remove('py/app/__init__.py'),
  'move a package': (t) => {
    t.remove('py/app/models.py');
    t.write('py/app/data/__init__.py', '');
    t.write('py/app/data/models.py', START['py/app/models.py'] ?? '');
  },
  'a module becomes a package': (t) => {
    t.remove('py/app/models.py');
    t.write('py/app/models/__init__.py', START['py/app/models.py'] ?? '');
  },
  'a stub appears': (t) => t.write('py/app/models.pyi', 'class User:\n    def name(self) -> str: ...\n'),
  'a second root defines the module': (t) => t.write('src/app/models.py', 'class User:\n    pass\n'),
  'delete conftest': (t) => t.remove('py/tests/conftest.py'),
  'a nearer fixture': (t) =>
    t.write(
      'py/tests/test_views.py',
      `import pytest\n\n\n@pytest.fixture\ndef user():\n    return 1\n\n${START['py/tests/test_views.py']}`,
    ),
  'a module in Cython gets declarations of its own': (t) => t.write('py/app/sort.pxd', 'cpdef sort(heap)\n'),
  'Cython declarations go': (t) => t.remove('py/app/fast.pxd'),
  'a Cython declaration changes': (t) => t.write('py/app/fast.pxd', 'ctypedef int Item\n'),
  'what Cython implements goes': (t) => t.remove('py/app/fast.pyx'),
  'an entry point changes': (t) => t.write('py/pyproject.toml', '[project.scripts]\nshow = "app.models:User.name"\n'),
  'a manifest breaks': (t) => t.write('py/pyproject.toml', '[project.scripts\nshow = "app:show"\n'),
  'a mark uses a fixture': (t) =>
    t.write(
      'py/tests/test_views.py',
      `import pytest\n\npytestmark = pytest.mark.usefixtures("user")\n${START['py/tests/test_views.py']}`,
    ),
  'what Cython includes changes': (t) => t.write('py/app/shared.pxi', 'cdef int shrink(int n):\n    return n\n'),
  'Cython becomes Python': (t) => {
    t.remove('py/app/fast.pyx');
    t.write('py/app/fast.py', 'class Heap:\n    def push(self, item):\n        return item\n');
  },
  'change the barrel': (t) =>
    t.write('web/lib/index.ts', "export { Circle } from './shapes.js';\nexport * from './draw';\n"),
  'change tsconfig': (t) =>
    t.write(
      'web/tsconfig.json',
      '{"compilerOptions": {"baseUrl": ".", "paths": {"@lib/*": ["packages/core/src/*"]}}}\n',
    ),
  'break tsconfig': (t) => t.write('web/tsconfig.json', '{"compilerOptions": '),
  'rename a workspace package': (t) =>
    t.write('web/packages/core/package.json', '{"name": "@web/kernel", "main": "src/index.ts"}\n'),
  'a file beats an index': (t) => t.write('web/lib/shapes.js', 'export class Circle {}\n'),
  'declarations appear beside a script': (t) => t.write('web/old/box.d.ts', DECLARATIONS),
  'declarations say something else': (t) =>
    t.write('web/old/box.d.ts', DECLARATIONS.replace('make(): Box', 'make(): void')),
  'declarations by the manifest': (t) => {
    t.write('web/old/package.json', '{"name": "old", "main": "box.js", "types": "api/box.d.ts"}\n');
    t.write('web/old/api/box.d.ts', DECLARATIONS);
  },
  'a script behind declarations goes': (t) => {
    t.write('web/old/box.d.ts', DECLARATIONS);
    t.remove('web/old/box.js');
  },
  'a comment defines another type': (t) =>
    t.write('web/old/box.js', (START['web/old/box.js'] ?? '').replace('} Cover', '} Hatch')),
  'change go.mod': (t) => t.write('go/go.mod', 'module example.org/store\n'),
  'a generic function takes something else': (t) =>
    t.write('go/cart/pick.go', 'package cart\n\nfunc Pick[T any](all map[int]T) T { return all[0] }\n'),
  'a function moves inside a package': (t) => {
    t.remove('go/cart/normal.go');
    t.write('go/cart/text.go', START['go/cart/normal.go'] ?? '');
  },
  'the same name twice': (t) =>
    t.write(
      'go/cart/other.go',
      '//go:build windows\n\npackage cart\n\nfunc normal(name string) string { return "" }\n',
    ),
  'rename a package': (t) =>
    t.write('go/cart/cart.go', (START['go/cart/cart.go'] ?? '').replace('package cart', 'package basket')),
  'a folder becomes a namespace package': (t) => t.write('py/space/part.py', 'ready = 1\n'),
  'a package gets its main file': (t) => t.write('go/plugins/plugins.go', 'package plugins\n'),
  'a syntax error': (t) => t.write('web/lib/draw.ts', 'export function draw(shape: {\n'),
  'a file becomes a folder': (t) => {
    t.remove('docs/guide.md');
    t.write('docs/guide.md/index.md', 'See `py/app/views.py`.\n');
  },
  'generated from now on': (t) =>
    t.write('go/cart/normal.go', `// Code generated by tool. DO NOT EDIT.\n\n${START['go/cart/normal.go']}`),
  'a caller is generated from now on': (t) =>
    t.write('py/a1.py', `# Code generated by tool. DO NOT EDIT.\n${START['py/a1.py']}`),
  'binary from now on': (t) => t.write('py/app/views.py', Buffer.from([0, 1, 2, 3])),
  'attributes change roles': (t) => t.write('.gitattributes', 'web/lib/* linguist-vendored\n'),
  'many words are shared no longer': (t) =>
    t.write('go/cart/normal.go', 'package cart\n\nfunc normal(name string) string { return "zebra quagga" }\n'),
  'an untracked file': (t) => t.write('notes.txt', 'coreVersion and normal\n'),
  'ignore a folder': (t) => t.write('.gitignore', 'docs/\n*.pyi\n'),
  'revert everything': (t) => {
    t.git('reset', '-q', '--hard');
    t.git('clean', '-qfd');
  },
  commit: (t) => void t.commit('touch coreVersion'),
};

let tree: WorkTree | undefined;
afterEach(() => tree?.dispose());

function startTree(): WorkTree {
  tree?.dispose();
  tree = new WorkTree(START);
  tree.commit('start');
  return tree;
}

it('equals a build after each single edit', async () => {
  const t = startTree();
  await t.build();
  for (const [name, edit] of Object.entries(EDITS)) {
    edit(t);
    await t.align();
    expect(await t.differencesFromBuild(), name).toEqual([]);
    t.git('reset', '-q', '--hard');
    t.git('clean', '-qfd');
    await t.align();
    expect(await t.differencesFromBuild(), `after taking back: ${name}`).toEqual([]);
  }
});

it('equals a build after any sequence of edits', async () => {
  const names = Object.keys(EDITS);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...names), { minLength: 2, maxLength: 7 }), async (script) => {
      const t = startTree();
      await t.build();
      for (const name of script) {
        EDITS[name]?.(t);
        await t.align();
      }
      expect(await t.differencesFromBuild()).toEqual([]);
    }),
    { seed: 20260, numRuns: 15 },
  );
});

it('follows commits from objects alone, back and forth', async () => {
  const t = startTree();
  const commits = [t.git('rev-parse', 'HEAD').trim()];
  for (const name of [
    'add an override',
    'change the barrel',
    'move a package',
    'change go.mod',
    'a file becomes a folder',
  ]) {
    EDITS[name]?.(t);
    commits.push(t.commit(name));
  }
  await t.build('index', commits[0]);
  for (const commit of [commits[3], commits[1], commits[5], commits[0], commits[4]]) {
    const report = await t.align('index', commit);
    expect(report.outcome).toBe('aligned');
    expect(await t.differencesFromBuild('index', commit)).toEqual([]);
  }
});

it('parses no content twice', async () => {
  const t = startTree();
  const first = t.git('rev-parse', 'HEAD').trim();
  await t.build();
  EDITS['add an override']?.(t);
  const second = t.commit();
  expect((await t.align('index', second)).parsed).toBe(1);
  expect((await t.align('index', first)).parsed).toBe(0);
  expect((await t.align('index', second)).parsed).toBe(0);
});

it('is a build where most of the tree differs, of contents that were parsed before', async () => {
  const t = startTree();
  const all = (text: string): void => {
    for (let n = 0; n < 150; n += 1) t.write(`py/many/m${n}.py`, `def f${n}():\n    return ${text}\n`);
  };
  all('0');
  const first = t.commit();
  all('1');
  const second = t.commit();
  await t.build('index', first);
  expect(await t.align('index', second)).toMatchObject({
    outcome: 'built',
    parsed: 150,
    why: expect.stringMatching(/^150 of \d+ files differ$/),
  });
  expect(await t.align('index', first)).toMatchObject({ outcome: 'built', parsed: 0 });
  expect(await t.differencesFromBuild('index', first)).toEqual([]);
});

it('links only what the edit can have changed', async () => {
  const t = startTree();
  await t.build();
  EDITS['move lines only']?.(t);
  const moved = await t.align();
  expect(moved.linked).toBe(1);
  expect((await t.align('index', undefined, 'auto')).outcome).toBe('unchanged');
});

it('carries communities and flows over, and says since when', async () => {
  const t = startTree();
  const first = t.git('rev-parse', 'HEAD').trim();
  await t.build();
  EDITS['change __init__']?.(t);
  t.commit();
  const { index } = await t.align('index', undefined, 'auto');
  expect(index.globals.since).toBe(first);
  expect(index.globals.changedEdges).toBeGreaterThan(0);
});

it('takes a file that was only touched for what it is: unchanged', async () => {
  const t = startTree();
  const later = new Date('2030-01-01T00:00:00Z');
  for (const path of Object.keys(START)) utimesSync(join(t.root, path), later, later);
  const { index } = await t.build();
  expect(index.tree).toBe('clean');
  utimesSync(join(t.root, 'py/app/models.py'), new Date(0), new Date(0));
  expect((await t.align('index', undefined, 'auto')).outcome).toBe('unchanged');
});
