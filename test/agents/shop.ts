/** A small repository with an index, for the tests of what agents see. */
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runBuild } from '../../src/cli/build.js';
import type { Streams } from '../../src/cli/context.js';
import { removeFolder } from '../support/remove-folder.js';

const FILES: Readonly<Record<string, string>> = {
  'shop/__init__.py': '',
  'shop/orders.py':
    'from shop.prices import price_of\n\n\ndef make_order(items):\n    return sum(price_of(item) for item in items)\n',
  'shop/prices.py': 'def price_of(item):\n    return item.price\n',
  'shop/web.py':
    'from shop.orders import make_order\n\n\ndef checkout(request):\n    return make_order(request.items)\n',
  'tests/test_orders.py':
    'from shop.orders import make_order\n\n\ndef test_make_order():\n    assert make_order([]) == 0\n',
};

export class Shop {
  readonly base = realpathSync(mkdtempSync(join(tmpdir(), 'sidecar-shop-')));
  readonly root = join(this.base, 'shop');
  readonly log = join(this.base, 'log');
  readonly env: NodeJS.ProcessEnv = {
    HOME: join(this.base, 'home'),
    PATH: process.env.PATH,
    SIDECAR_LOG: this.log,
    SIDECAR_ALIGN: 'off',
  };
  printed = '';

  static async open(): Promise<Shop> {
    const shop = new Shop();
    mkdirSync(join(shop.base, 'home'));
    for (const [path, text] of Object.entries(FILES)) shop.write(path, text);
    await runBuild({ quiet: true }, shop.streams());
    return shop;
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.root, path)), { recursive: true });
    writeFileSync(join(this.root, path), text);
  }

  streams(more: NodeJS.ProcessEnv = {}): Streams {
    this.printed = '';
    return {
      out: (text) => {
        this.printed += text;
      },
      error: () => {},
      interactive: false,
      colour: false,
      cwd: this.root,
      env: { ...this.env, ...more },
    };
  }

  close(): Promise<void> {
    return removeFolder(this.base);
  }
}
