import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { extractFacts } from '../../src/io/parser.js';
import { readerOf } from '../../src/languages/registry.js';
import { typescript } from '../../src/languages/typescript/language.js';
import { scriptBlocks, separateSignatures } from '../../src/languages/typescript/prepare.js';
import { linkRepository, readFixture } from '../support/repository.js';

const fixture = (name: string): string => fileURLToPath(new URL(`../../fixtures/typescript/${name}`, import.meta.url));

async function facts(path: string, text: string) {
  const reader = readerOf(path);
  if (!reader) throw new Error(`no reader for ${path}`);
  return extractFacts(reader, text);
}

describe('edges of TypeScript and JavaScript', () => {
  it.each([
    ['import-forms', 'every form of import and export, and names from outside that match nothing'],
    ['star-cycles', 'modules that re-export each other'],
    ['commonjs', 'require, module.exports, exports.x, prototypes'],
    ['settings', 'paths, baseUrl, rootDirs, extends from files, packages and itself, references'],
    ['workspaces', 'packages of the repository through exports, main and imports, from dist back to source'],
    ['classes', 'this, super, fields, inheritance, injection, typed and untyped receivers, shadowing'],
    ['implements-gives-no-members', 'members come from what a class extends, never from what it implements'],
    ['values-are-no-types', 'a value is never an interface or an alias of that name'],
    ['directives', 'triple-slash references to files and packages, and comments that only look like one'],
    ['objects', 'object literals, namespaces, enums, callbacks, destructuring'],
    ['contexts', 'types from where a value stands: decorators, overloads, aliases of functions, unions of many parts'],
    ['components', 'JSX elements, .vue and .svelte scripts'],
    ['aliases', 'intersections with members of their own, dictionaries, indexed types'],
    [
      'type-arguments',
      'of classes, interfaces and aliases, through bases; object types written out; conditional types',
    ],
    ['object-values', 'functions that return objects with functions in them; spread and nested literals'],
    ['doc-comments', 'types in JSDoc: parameters, results, values, casts, definitions and imports'],
    ['declarations', 'declarations beside scripts: who means which, types that the script does not show'],
    ['exported-objects', 'functions by the keys of what a module exports are these functions'],
    ['declared-globals', 'window.x, import.meta.x: declare global, several declarations of one interface'],
    ['omitted-members', 'Omit leaves members to what is merged with it'],
    ['library-methods', "methods of the platform, and of tests alone, are nobody's only member"],
    ['globals', 'declared globals, well-known globals, members of one class only'],
  ])('%s: %s', async (name) => {
    const { listing } = await linkRepository(readFixture(fixture(name)));
    await expect(listing).toMatchFileSnapshot(`${fixture(name)}/expected.txt`);
  });
});

describe('facts of TypeScript and JavaScript', () => {
  it('hold no positions in the surface', async () => {
    const text = readFixture(fixture('classes'))['store.ts'] ?? '';
    const before = await facts('a.ts', text);
    const after = await facts('a.ts', `\n\n// moved\n${text}`);
    expect(after.surface).toEqual(before.surface);
    expect(after.symbols.map(({ line }) => line - 3)).toEqual(before.symbols.map(({ line }) => line));
  });

  it('name definitions with their ranges, decorators included', async () => {
    const { symbols } = await facts(
      'a.ts',
      '@Injectable()\nexport class A {\n  @Get("/x")\n  find(id: string) {\n    function inner() {}\n  }\n  handler = () => {\n  };\n}\n',
    );
    expect(symbols.map(({ name, kind, line, endLine }) => `${name} ${kind} ${line}-${endLine}`)).toEqual([
      'A class 1-9',
      'A.find method 3-6',
      'A.find.inner function 5-5',
      'A.handler method 7-8',
    ]);
  });

  it('find what starts a flow: commands, routes, main of a script', async () => {
    const { symbols, entryPoints } = await facts(
      'a.ts',
      '#!/usr/bin/env node\nfunction main() { program.command("x").action(run); }\nfunction run() {}\nfunction list() {}\napp.get("/items", list);\n@Controller("c")\nclass C {\n  @Post("make")\n  make() {}\n}\nmain();\n',
    );
    expect(entryPoints.map(({ symbol, kind }) => `${symbols[symbol]?.name} ${kind}`)).toEqual([
      'main main',
      'run command',
      'list route /items',
      'C.make route /make',
    ]);
  });

  it('take overloads as one function', async () => {
    const { symbols } = await facts('a.ts', 'function f(a: A): B;\nfunction f(b: C): D;\nfunction f(x: any) {\n}\n');
    expect(symbols.map(({ name, line, endLine }) => `${name} ${line}-${endLine}`)).toEqual(['f 1-4']);
  });

  it('survive syntax errors', async () => {
    const { symbols, errors } = await facts('a.ts', 'export function good() {}\nclass { ( =>\n`${');
    expect(errors).toBe(1);
    expect(symbols.map(({ name }) => name)).toContain('good');
  });

  it('keep names in strings, comments, templates and regular expressions apart from names in code', async () => {
    const { references } = await facts(
      'a.ts',
      `import { a, b, c } from "x";\n// a()\nconst s = "a()";\nconst r = /b"'\`/;\nconst t = \`c() \${c(\`\${b}\`)} a\`;\n`,
    );
    expect(references.map(({ kind, chain }) => `${kind} ${chain.join('.')}`).sort()).toEqual(['call c', 'read b']);
  });
});

describe('preparing sources', () => {
  it('blanks everything but scripts, in place', () => {
    const source = '<template>\n é\n</template>\n<script lang="ts">\nlet x = "<b>";\n</script>\n<style>x</style>';
    const blanked = scriptBlocks(source);
    expect(blanked.length).toBe(source.length);
    expect(blanked.indexOf('let x')).toBe(source.indexOf('let x'));
    expect(blanked.trim()).toBe('let x = "<b>";');
  });

  it('ends signatures before a line of type parameters', () => {
    const source = 'interface I {\n  (a: A): B<C>\n  <T>(a: T): T\n}';
    expect(separateSignatures(source)).toBe('interface I {\n  (a: A): B<C>\n ;<T>(a: T): T\n}');
  });
});

describe('conventions', () => {
  it('know tests by name and folder', () => {
    const paths = ['src/a.test.ts', 'src/__tests__/a.ts', 'test/a.js', 'a_test.js', 'src/contest.ts', 'test/data.txt'];
    expect(paths.filter((path) => typescript.isTest?.(path))).toEqual(paths.slice(0, 3 + 1));
  });

  it('name the likely subjects of a test', () => {
    expect(typescript.subjectsOfTest?.('packages/a/__tests__/x/y.spec.ts')).toEqual(
      expect.arrayContaining(['packages/a/src/x/y.ts', 'packages/a/src/y.ts']),
    );
    expect(typescript.subjectsOfTest?.('src/a.test.tsx')).toEqual(expect.arrayContaining(['src/a.tsx', 'src/a.ts']));
  });
});
