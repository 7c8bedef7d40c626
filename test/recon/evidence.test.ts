import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { runAsk } from '../../src/cli/ask.js';
import { locate, settingsFor } from '../../src/cli/context.js';
import { runMap } from '../../src/cli/map.js';
import { runRecon } from '../../src/cli/recon.js';
import { knowledgeOf, survey } from '../../src/cli/reconnaissance.js';
import { StoredEvidence } from '../../src/cli/stored-evidence.js';
import { surveyFiles } from '../../src/cli/survey-files.js';
import { readIndex } from '../../src/io/index-folder.js';
import { ask, renderAnswer } from '../../src/recon/ask/ask.js';
import type { TypedQuestion } from '../../src/recon/ask/plain-language.js';
import { WorkTree } from '../support/work-tree.js';

const FILES = {
  'shop/__init__.py': '',
  'shop/base.py': 'LIMIT = 3\n\n\nclass Base:\n    def total(self):\n        return LIMIT\n',
  'shop/cart.py':
    'from shop.base import Base\n\n\nclass Cart(Base):\n    def total(self):\n        return super().total()\n\n    def id(self):\n        return 1\n',
  'tests/test_cart.py': 'from shop.cart import Cart\n\n\ndef test_total():\n    assert Cart().total() == 3\n',
  'web/money.ts': 'export const $rate = 2;\nexport function inCents(sum: number): number {\n  return sum * $rate;\n}\n',
  'web/pay.ts': "import { inCents } from './money';\n\nexport function pay(): number {\n  return inCents(1);\n}\n",
  'go.mod': 'module example.org/shop\n\ngo 1.22\n',
  'pkg/store.go':
    'package pkg\n\ntype Store interface {\n\tPut(k string)\n}\n\ntype Mem struct{}\n\nfunc (m *Mem) Put(k string) {}\n',
  'docs/cart.md': '# Cart\n\n`shop/cart.py` holds `Cart`.\n',
};

const KINDS = ['defines', 'callers', 'tests-for', 'implements', 'affects'] as const;
const QUESTIONS: readonly TypedQuestion[] = KINDS.flatMap((kind) =>
  [
    'Cart',
    'Base',
    'total',
    'id',
    'LIMIT',
    '$rate',
    'inCents',
    'Store',
    'Put',
    'shop/cart.py',
    'shop.base',
    'nothing',
  ].map((name) => ({ kind, name })),
);

let tree: WorkTree;

afterEach(() => tree.dispose());

function streams(): { readonly said: () => string; readonly streams: Parameters<typeof runAsk>[1] } {
  let said = '';
  const out = (text: string): void => {
    said += text;
  };
  const env = { ...process.env, XDG_CACHE_HOME: join(tree.base, 'cache') };
  return { said: () => said, streams: { out, error: out, interactive: false, colour: false, cwd: tree.root, env } };
}

/** Everything that the commands say of the tree, with the index of that name or (where there is none) without. */
async function everything(index: string): Promise<string> {
  const indexDir = join(tree.base, index);
  const { said, streams: to } = streams();
  const reconnaissance = await survey(to, { indexDir, quiet: true });
  const knowledge = knowledgeOf(reconnaissance);
  for (const question of QUESTIONS) to.out(renderAnswer(ask(knowledge, question)));
  await reconnaissance.close();
  const task = '`Cart.total` is wrong where `inCents` rounds, see tests/test_cart.py';
  await runRecon({ task, indexDir, quiet: true }, to);
  await runMap({ query: task, indexDir, quiet: true }, to);
  // Without an index there is no history to be had.
  return said()
    .split('\n')
    .filter((line) => !line.startsWith('not known: changed together'))
    .join('\n');
}

describe('evidence of an index', () => {
  it('says what the files themselves say', async () => {
    tree = new WorkTree(FILES);
    await tree.build();
    expect(await everything('index')).toBe(await everything('none'));
  });

  it('is brought up to date first where the tree moved on', async () => {
    tree = new WorkTree(FILES);
    await tree.build();
    await everything('index');
    tree.write(
      'shop/cart.py',
      'from shop.base import Base\n\n\n\nclass Cart(Base):\n    def sum(self):\n        return 2\n',
    );
    tree.write('shop/till.py', 'from shop.cart import Cart\n\n\ndef till():\n    return Cart().sum()\n');
    tree.remove('web/pay.ts');
    expect(await everything('index')).toBe(await everything('none'));
  });

  it('leaves an index of a commit as it is, and answers for the tree', async () => {
    tree = new WorkTree(FILES);
    const first = tree.commit();
    tree.write('shop/late.py', 'def late():\n    pass\n');
    tree.commit();
    await tree.build('index', first);
    const { said, streams: to } = streams();
    await runAsk({ question: ['defines', 'late'], indexDir: join(tree.base, 'index'), quiet: true }, to);
    expect(said()).toContain('shop/late.py:1');
    expect(readIndex(join(tree.base, 'index'))?.commit).toBe(first);
  });

  it('misses no definition, whatever its name', async () => {
    tree = new WorkTree(FILES);
    tree.commit();
    await tree.build();
    const { streams: to } = streams();
    const place = await locate(to, { indexDir: join(tree.base, 'index') });
    const stored = await StoredEvidence.open(
      { ...place, factsFolder: join(tree.base, 'facts') },
      settingsFor(place, false),
    );
    if (stored === undefined || stored === 'stale') throw new Error(`the index is ${stored}`);
    const { evidence } = await surveyFiles({ ...place, factsFolder: join(tree.base, 'facts') }, to, { quiet: true });
    for (const path of evidence.paths()) {
      for (const { name } of evidence.symbols(path)) {
        expect(stored.mayDefine(name.slice(name.lastIndexOf('.') + 1))).toContain(path);
      }
    }
    await stored.close();
  });
});
