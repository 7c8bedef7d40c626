import { describe, expect, it } from 'vitest';
import { nameMatch, speaksOf } from '../../src/graph/test-names.js';
import { linkRepository, readFixture } from '../support/repository.js';

const FIXTURE = 'fixtures/graph/tests-python';

describe('tests of a Python package', () => {
  it('link test files and functions to what they are about, and helpers to nothing', async () => {
    const { listing } = await linkRepository(readFixture(FIXTURE));
    const tests = listing.split('\n').filter((line) => / tests /.test(line));
    await expect(`${tests.join('\n')}\n`).toMatchFileSnapshot(`../../${FIXTURE}/expected.txt`);
  });
});

describe('tests in scripts, whose cases have no names', () => {
  it('are known by name or folder, and their helpers are not tests', async () => {
    const { listing } = await linkRepository({
      'package.json': '{"name": "shop"}',
      'src/cart.ts': 'export function addItem(): void {}\n',
      'src/cart.test.ts': "import { addItem } from './cart.js';\ntest('adds', () => addItem());\n",
      'test/checkout.ts': "import { addItem } from '../src/cart.js';\nit('pays', () => addItem());\n",
      'test/support/prepare.ts':
        "import { addItem } from '../../src/cart.js';\nexport const prepare = () => addItem();\n",
    });
    const tests = new Set(
      listing
        .split('\n')
        .filter((line) => / tests /.test(line))
        .map((line) => line.split(/[ :]/)[0]),
    );
    expect([...tests]).toEqual(['src/cart.test.ts', 'test/checkout.ts']);
  });
});

describe('the name of a test file', () => {
  it.each([
    ['tests/test_blueprints.py', 'src/flask/blueprints.py'],
    ['tests/test_view.py', 'src/flask/views.py'],
    ['t/unit/app/test_log.py', 'celery/app/log.py'],
    ['test/json.spec.ts', 'src/json/index.ts'],
    ['tsdb/head_test.go', 'tsdb/head.go'],
    ['packages/sfc/__tests__/transformSrcset.spec.ts', 'packages/sfc/src/template/transformSrcset.ts'],
  ])('%s speaks of %s', (test, source) => {
    expect(nameMatch(test, source)).toBeGreaterThan(0.7);
  });

  it('of a benchmark speaks less than that of a test', () => {
    const source = 'strutil/jarowinkler.go';
    const test = nameMatch('strutil/jarowinkler_test.go', source);
    expect(test).toBeGreaterThan(nameMatch('strutil/jarowinkler_bench_test.go', source));
  });

  it('speaks less of a file in another folder', () => {
    const test = 't/unit/worker/test_control.py';
    expect(nameMatch(test, 'celery/worker/control.py')).toBeGreaterThan(nameMatch(test, 'celery/app/control.py'));
  });

  it.each([
    ['tests/test_basic.py', 'src/flask/app.py'],
    ['tests/test_reqctx.py', 'src/flask/ctx.py'],
    ['tests/test_signals.py', 'src/flask/sign.py'],
    ['cmd/promtool/rules_test.go', 'rules/rule.go'],
  ])('%s does not speak of %s', (test, source) => {
    expect(nameMatch(test, source)).toBe(0);
  });
});

describe('the name of a test function', () => {
  it.each([
    ['test_url_for_with_anchor', 'url_for'],
    ['TestBlueprint.test_register', 'Blueprint.register'],
    ['TestParseURL', 'parseURL'],
  ])('%s speaks of %s', (test, symbol) => {
    expect(speaksOf(test, symbol)).toBe(true);
  });
  it.each([
    ['test_format', 'for'],
    ['test_curl_forms', 'url_for'],
  ])('%s does not speak of %s', (test, symbol) => {
    expect(speaksOf(test, symbol)).toBe(false);
  });
});
