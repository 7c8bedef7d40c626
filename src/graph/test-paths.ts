/** Test files by the conventions of many ecosystems, from the path alone. */
import { extensionOf, isCodeFile } from './code-files.js';

/** Folders that hold nothing but tests and what tests need. */
const TEST_FOLDERS = new Set([
  'tests',
  '__tests__',
  '__test__',
  '__mocks__',
  '__fixtures__',
  '__snapshots__',
  'testdata',
  'test-data',
  'test_data',
  'unittests',
  'unit_tests',
  'integration_tests',
  'integration-tests',
  'e2e',
  'cypress',
]);

/** File names: the convention and the extensions for which it holds. */
const TEST_NAMES: readonly (readonly [RegExp, RegExp])[] = [
  [/^(test_.*|.*_tests?|tests?|conftest)\.[^.]+$/i, /^(pyi?|pyx)$/],
  [/_test\.go$/, /^go$/],
  [
    /\.(test|tests|spec|test-d|spec-d|e2e|e2e-spec|cy|unit|stories\.test)\.[^.]+$/i,
    /^([cm]?[jt]sx?|vue|svelte|coffee)$/,
  ],
  [
    /[._-](spec|test)\.[^.]+$/i,
    /^(rb|rake|exs?|dart|lua|clj[cs]?|coffee|rs|php|jl|zig|nim|cr|ml|js|ts|sh|bats|el|erl)$/,
  ],
  [/^test[_-].*\.[^.]+$/i, /^(rb|c|cc|cpp|cxx|h|hpp|rs|js|mjs|ts|lua|sh|pl|jl|r|f90|m|php|el)$/],
  [
    /(Test|Tests|TestCase|IT|Spec|Specs|Suite)\.[^.]+$/,
    /^(java|kts?|scala|groovy|cs|fs|vb|php|swift|hs|cpp|cc|m|mm|dart)$/,
  ],
  [/([_-](unit)?tests?|_unittest)\.[^.]+$/i, /^(c|cc|cpp|cxx|h|hpp|cu|m|mm)$/],
  [/\.t$/, /^t$/],
  [/\.bats$/, /^bats$/],
];

/** Ecosystems in which a folder `test` deep in the tree is not a test folder (`django/test` is the product itself). */
const NAMES_ITS_PRODUCT_TEST = /^(pyi?|pyx|go)$/;
const USES_SPEC_FOLDERS = /^(rb|[cm]?[jt]sx?|coffee|lua|cr)$/;

/** Whether the path is a test, or a file that only tests use. */
export function isTestPath(path: string): boolean {
  const segments = path.split('/');
  const basename = segments.pop() ?? '';
  const extension = extensionOf(path);
  if (TEST_NAMES.some(([name, extensions]) => extensions.test(extension) && name.test(basename))) return true;
  return segments.some((segment, depth) => {
    const folder = segment.toLowerCase();
    if (TEST_FOLDERS.has(folder)) return true;
    if (folder === 'test') return depth === 0 || !NAMES_ITS_PRODUCT_TEST.test(extension);
    return (folder === 'spec' || folder === 'specs') && isCodeFile(path) && USES_SPEC_FOLDERS.test(extension);
  });
}

const SCRIPT = /^[cm]?[jt]sx?$/;
const HELPER_NAME =
  /^_?(index|helpers?|utils?|setup.*|globals?|fixtures?|mocks?|support|common|shared|env|types|.*\.d|.*\.config)\.[^.]+$/i;
const HELPER_FOLDERS = new Set([
  'support',
  'helper',
  'helpers',
  'utils',
  'util',
  'setup',
  'fixture',
  'common',
  'shared',
  'lib',
]);

/** Whether a script is a test by its name. In scripts tests are calls of a runner's globals, which facts leave out. */
export function isNamedScriptTest(path: string): boolean {
  const basename = path.slice(path.lastIndexOf('/') + 1);
  const extension = extensionOf(path);
  return (
    SCRIPT.test(extension) && TEST_NAMES.some(([name, extensions]) => extensions.test(extension) && name.test(basename))
  );
}

/** Whether a script lies in a folder of tests (`test/app.all.js`), under no name of a helper. */
export function isScriptAmongTests(path: string): boolean {
  const segments = path.split('/');
  const basename = segments.pop() ?? '';
  const helps = HELPER_NAME.test(basename) || segments.some((segment) => HELPER_FOLDERS.has(segment.toLowerCase()));
  return SCRIPT.test(extensionOf(path)) && !helps && isTestPath(path);
}

const FIXTURE_FOLDERS = new Set([
  'fixtures',
  '__fixtures__',
  '__mocks__',
  'mocks',
  'testdata',
  'test-data',
  'test_data',
]);

/** Whether a test file is material for other tests by name: conftest, or in a folder of fixtures or mocks. */
export function isTestMaterial(path: string): boolean {
  const segments = path.split('/');
  const basename = segments.pop() ?? '';
  return basename === 'conftest.py' || segments.some((segment) => FIXTURE_FOLDERS.has(segment.toLowerCase()));
}
