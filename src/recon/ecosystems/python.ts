/** Python packaging and its runners: pyproject, setup.cfg, setup.py, requirements, tox, nox, pytest, conda, Pipfile. */
import { parseIni } from '../parsing/ini.js';
import { parseToml } from '../parsing/toml.js';
import { at, entriesOf, itemsOf, lineIndex, type Parsed, type Tree, textOf } from '../parsing/tree.js';
import { parseYaml } from '../parsing/yaml.js';
import { folderOf, joinPath, nameOf } from '../repository.js';
import type { Claim, DependencyScope, Ecosystem } from './claim.js';
import { parsedNotes } from './notes.js';

const LOCKS: Readonly<Record<string, string>> = {
  'poetry.lock': 'poetry',
  'uv.lock': 'uv',
  'pdm.lock': 'pdm',
  'Pipfile.lock': 'pipenv',
  'pixi.lock': 'pixi',
  'conda-lock.yml': 'conda',
};

const FRAMEWORKS = new Set(['pytest', 'nose', 'nose2', 'hypothesis', 'testtools', 'trial', 'behave', 'robotframework']);

/** `requests[socks]>=2; python_version<"3"` to `requests`, in the one spelling that PEP 503 gives. */
export function requirementName(requirement: string): string | undefined {
  const name = /^([A-Za-z0-9][A-Za-z0-9._-]*)/.exec(requirement.trim())?.[1];
  return name === undefined ? undefined : name.replace(/[-_.]+/g, '-').toLowerCase();
}

function requirement(text: string | undefined, scope: DependencyScope, line: number, folder: string): Claim[] {
  if (text === undefined) return [];
  const name = requirementName(text);
  if (name === undefined || name === 'python') return [];
  const file = /@\s*file:(?:\/\/)?(?:\$\{?[A-Z_]+\}?\/|\.\/)?([^;\s]+)/.exec(text)?.[1];
  const target = file === undefined ? undefined : joinPath(folder, file);
  const claims: Claim[] = [
    { kind: 'dependency', name, scope, line, ...(target !== undefined ? { folder: target } : {}) },
  ];
  if (FRAMEWORKS.has(name)) claims.push({ kind: 'test-framework', name, line });
  return claims;
}

const requirements = (list: Tree | undefined, scope: DependencyScope, folder: string): Claim[] =>
  itemsOf(list).flatMap((item) => requirement(textOf(item), scope, item.line, folder));

function scripts(table: Tree | undefined, type: 'command' | 'plugin'): Claim[] {
  return entriesOf(table).flatMap(([name, target]): Claim[] => {
    const text = textOf(target) ?? textOf(at(target, 'callable')) ?? textOf(at(target, 'reference'));
    return text === undefined ? [] : [{ kind: 'entry-point', type, name, target: text, line: target.line }];
  });
}

function tasks(table: Tree | undefined, runner: 'poe' | 'pdm' | 'hatch'): Claim[] {
  return entriesOf(table).flatMap(([name, body]): Claim[] => {
    if (name.startsWith('_')) return [];
    const runs = [body, at(body, 'cmd'), at(body, 'shell')].flatMap((tree) => itemsOf(tree).map(textOf));
    const lines = runs.filter((line): line is string => line !== undefined);
    return [{ kind: 'task', runner, name, runs: lines, line: body.line }];
  });
}

const BACKENDS: readonly (readonly [string, string])[] = [
  ['poetry', 'poetry'],
  ['flit', 'flit'],
  ['hatchling', 'hatch'],
  ['pdm', 'pdm'],
  ['setuptools', 'setuptools'],
  ['maturin', 'maturin'],
  ['scikit_build', 'scikit-build'],
  ['mesonpy', 'meson-python'],
  ['uv_build', 'uv'],
];

const LINTERS: readonly (readonly [string, string])[] = [
  ['ruff', 'ruff'],
  ['mypy', 'mypy'],
  ['pyright', 'pyright'],
  ['pylint', 'pylint'],
  ['flake8', 'flake8'],
];

function pyproject(path: string, { tree, problem }: Parsed): Claim[] {
  const folder = folderOf(path);
  const claims = parsedNotes(problem);
  const project = at(tree, 'project');
  const poetry = at(tree, 'tool', 'poetry');
  const name = at(project, 'name') ?? at(poetry, 'name');
  const text = textOf(name);
  if (name && text)
    claims.push({
      kind: 'component',
      type: 'package',
      name: text,
      line: name.line,
      aliases: [requirementName(text) ?? text],
    });
  const backend = at(tree, 'build-system', 'build-backend');
  const manager = BACKENDS.find(([key]) => textOf(backend)?.includes(key));
  if (backend && manager) claims.push({ kind: 'package-manager', name: manager[1], line: backend.line });
  else if (at(tree, 'build-system'))
    claims.push({ kind: 'package-manager', name: 'pip', line: at(tree, 'build-system')?.line ?? 1 });
  claims.push(...requirements(at(tree, 'build-system', 'requires'), 'build', folder));
  claims.push(...requirements(at(project, 'dependencies'), 'runtime', folder));
  for (const [, group] of entriesOf(at(project, 'optional-dependencies')))
    claims.push(...requirements(group, 'optional', folder));
  for (const [, group] of entriesOf(at(tree, 'dependency-groups')))
    claims.push(...requirements(group, 'development', folder));
  claims.push(...requirements(at(tree, 'tool', 'uv', 'dev-dependencies'), 'development', folder));
  const tables: (readonly [Tree | undefined, DependencyScope])[] = [
    [at(poetry, 'dependencies'), 'runtime'],
    [at(poetry, 'dev-dependencies'), 'development'],
    ...entriesOf(at(poetry, 'group')).map(([, group]) => [at(group, 'dependencies'), 'development'] as const),
  ];
  for (const [table, scope] of tables) {
    for (const [dependency, version] of entriesOf(table)) {
      const local = textOf(at(version, 'path'));
      const target = local === undefined ? undefined : joinPath(folder, local);
      const [claim, ...rest] = requirement(dependency, scope, version.line, folder);
      if (claim) claims.push(target === undefined ? claim : ({ ...claim, folder: target } as Claim), ...rest);
    }
  }
  for (const [source, value] of entriesOf(at(tree, 'tool', 'uv', 'sources'))) {
    const local = textOf(at(value, 'path'));
    const target = local === undefined ? undefined : joinPath(folder, local);
    if (target !== undefined)
      claims.push({
        kind: 'dependency',
        name: requirementName(source) ?? source,
        scope: 'runtime',
        folder: target,
        line: value.line,
      });
  }
  const workspace = at(tree, 'tool', 'uv', 'workspace', 'members');
  if (workspace) {
    const globs = itemsOf(workspace).flatMap((item) => joinPath(folder, textOf(item) ?? '') ?? []);
    claims.push({ kind: 'aggregator', name: 'uv workspace', members: globs, line: workspace.line });
  }
  claims.push(...scripts(at(project, 'scripts'), 'command'), ...scripts(at(project, 'gui-scripts'), 'command'));
  claims.push(...scripts(at(poetry, 'scripts'), 'command'));
  for (const [group, table] of entriesOf(at(project, 'entry-points'))) {
    claims.push(...scripts(table, group === 'console_scripts' ? 'command' : 'plugin'));
  }
  const pytest = at(tree, 'tool', 'pytest');
  if (pytest)
    claims.push(
      { kind: 'test-framework', name: 'pytest', line: pytest.line },
      { kind: 'tool', name: 'pytest', purpose: 'test', command: 'pytest', line: pytest.line },
    );
  for (const [key, linter] of LINTERS) {
    const table = at(tree, 'tool', key);
    if (table) claims.push({ kind: 'tool', name: linter, purpose: 'lint', line: table.line });
  }
  claims.push(...tasks(at(tree, 'tool', 'poe', 'tasks'), 'poe'), ...tasks(at(tree, 'tool', 'pdm', 'scripts'), 'pdm'));
  for (const [environment, table] of entriesOf(at(tree, 'tool', 'hatch', 'envs'))) {
    for (const claim of tasks(at(table, 'scripts'), 'hatch')) {
      if (claim.kind === 'task')
        claims.push({ ...claim, name: environment === 'default' ? claim.name : `${environment}:${claim.name}` });
    }
  }
  const legacyTox = at(tree, 'tool', 'tox', 'legacy_tox_ini');
  if (legacyTox) claims.push({ kind: 'tool', name: 'tox', purpose: 'test', command: 'tox', line: legacyTox.line });
  for (const [environment, body] of entriesOf(at(tree, 'tool', 'tox', 'env'))) {
    claims.push({ kind: 'task', runner: 'tox', name: environment, runs: toxTomlCommands(body), line: body.line });
  }
  return claims;
}

function toxTomlCommands(environment: Tree | undefined): string[] {
  return itemsOf(at(environment, 'commands')).map((command) =>
    itemsOf(command)
      .map((word) => textOf(word) ?? '')
      .join(' '),
  );
}

function setupCfg(path: string, { tree }: Parsed): Claim[] {
  const folder = folderOf(path);
  const claims: Claim[] = [];
  const name = at(tree, 'metadata', 'name');
  const text = textOf(name);
  if (name && text && !text.includes(':')) {
    claims.push({
      kind: 'component',
      type: 'package',
      name: text,
      line: name.line,
      aliases: [requirementName(text) ?? text],
    });
    claims.push({ kind: 'package-manager', name: 'setuptools', line: name.line });
  }
  claims.push(...requirements(at(tree, 'options', 'install_requires'), 'runtime', folder));
  for (const [, group] of entriesOf(at(tree, 'options.extras_require')))
    claims.push(...requirements(group, 'optional', folder));
  for (const [group, list] of entriesOf(at(tree, 'options.entry_points'))) {
    for (const item of itemsOf(list)) {
      const pair = /^\s*([\w.-]+)\s*=\s*(.+)$/.exec(textOf(item) ?? '');
      if (pair)
        claims.push({
          kind: 'entry-point',
          type: group === 'console_scripts' ? 'command' : 'plugin',
          name: pair[1] ?? '',
          target: pair[2] ?? '',
          line: item.line,
        });
    }
  }
  const pytest = at(tree, 'tool:pytest') ?? at(tree, 'pytest');
  if (pytest)
    claims.push(
      { kind: 'test-framework', name: 'pytest', line: pytest.line },
      { kind: 'tool', name: 'pytest', purpose: 'test', command: 'pytest', line: pytest.line },
    );
  for (const section of ['flake8', 'mypy', 'pylint']) {
    const table = at(tree, section);
    if (table) claims.push({ kind: 'tool', name: section, purpose: 'lint', line: table.line });
  }
  return claims;
}

/** setup.py is code and is not run: only literals in plain sight are read. */
function setupPy(path: string, text: string): Claim[] {
  const folder = folderOf(path);
  const lineOf = lineIndex(text);
  const claims: Claim[] = [];
  if (!/\bsetup\s*\(/.test(text)) return claims;
  claims.push({ kind: 'package-manager', name: 'setuptools', line: lineOf(text.search(/\bsetup\s*\(/)) });
  const constant = /\bname\s*=\s*([A-Z_]+)\b/.exec(text)?.[1];
  const variable = constant === undefined ? '\\bname' : `^${constant}`;
  const name = new RegExp(`${variable}\\s*=\\s*(['"])([A-Za-z0-9._-]+)\\1`, 'm').exec(text);
  if (name)
    claims.push({
      kind: 'component',
      type: 'package',
      name: name[2] ?? '',
      line: lineOf(name.index),
      aliases: [requirementName(name[2] ?? '') ?? ''],
    });
  for (const [key, scope] of [
    ['install_requires', 'runtime'],
    ['tests_require', 'development'],
    ['setup_requires', 'build'],
  ] as const) {
    const list = new RegExp(`\\b${key}\\s*=\\s*\\[([^\\]]*)\\]`).exec(text);
    if (!list) continue;
    const start = list.index + list[0].indexOf('[');
    for (const item of (list[1] ?? '').matchAll(/(['"])([^'"\n]+)\1/g)) {
      claims.push(...requirement(item[2], scope, lineOf(start + 1 + item.index), folder));
    }
  }
  for (const script of text.matchAll(/(['"])\s*([\w.-]+)\s*=\s*([\w.]+:[\w.]+)\s*\1/g)) {
    claims.push({
      kind: 'entry-point',
      type: 'command',
      name: script[2] ?? '',
      target: script[3] ?? '',
      line: lineOf(script.index),
    });
  }
  return claims;
}

function requirementsFile(path: string, text: string): Claim[] {
  const name = nameOf(path);
  const development = /(dev|test|lint|doc|ci|build|typing|style|constraint|pre-commit)/.test(
    `${folderOf(path)}/${name}`.toLowerCase(),
  );
  const claims: Claim[] = [{ kind: 'package-manager', name: 'pip', line: 1 }];
  text.split('\n').forEach((raw, i) => {
    const line = raw.replace(/(^|\s)#.*$/, '').trim();
    if (line === '' || line.startsWith('-') || /^[a-z+]+:\/\//.test(line)) return;
    claims.push(...requirement(line, development ? 'development' : 'runtime', i + 1, folderOf(path)));
  });
  return claims;
}

function toxIni(path: string, { tree, problem }: Parsed): Claim[] {
  const claims: Claim[] = nameOf(path) === 'tox.ini' ? parsedNotes(problem) : [];
  const isTox = [...(tree.entries?.keys() ?? [])].some((section) => section === 'tox' || section.startsWith('testenv'));
  for (const [section, body] of entriesOf(tree)) {
    if (section === 'testenv' || section.startsWith('testenv:')) {
      const runs = itemsOf(at(body, 'commands')).map((line) => (textOf(line) ?? '').replace(/\\$/, '').trim());
      const environment = section === 'testenv' ? '' : section.slice('testenv:'.length);
      if (environment === '')
        claims.push({ kind: 'tool', name: 'tox', purpose: 'test', command: 'tox', line: body.line });
      else if (!/[{},]/.test(environment))
        claims.push({ kind: 'task', runner: 'tox', name: environment, runs, line: body.line });
      if (runs.some((line) => /\bpytest\b|\bpy\.test\b/.test(line)))
        claims.push({ kind: 'test-framework', name: 'pytest', line: at(body, 'commands')?.line ?? body.line });
    }
    if (section === 'pytest' || section === 'tool:pytest') {
      claims.push({ kind: 'test-framework', name: 'pytest', line: body.line });
      claims.push({ kind: 'tool', name: 'pytest', purpose: 'test', command: 'pytest', line: body.line });
    }
    if (section === 'flake8') claims.push({ kind: 'tool', name: 'flake8', purpose: 'lint', line: body.line });
  }
  if (isTox) claims.push({ kind: 'package-manager', name: 'tox', line: 1 });
  return claims;
}

/** Sessions of a noxfile: functions under `@nox.session`. Read as text, not run. */
function noxfile(text: string): Claim[] {
  const claims: Claim[] = [];
  const lines = text.split('\n');
  let decorated: number | undefined;
  let given: string | undefined;
  lines.forEach((line, i) => {
    if (/^@(nox\.)?session\b/.test(line)) {
      decorated = i + 1;
      given = undefined;
    }
    if (decorated === undefined) return;
    given ??= /\bname\s*=\s*["']([\w.-]+)["']/.exec(line)?.[1];
    const name = /^def\s+(\w+)/.exec(line)?.[1];
    if (name === undefined) return;
    const runs: string[] = [];
    for (let j = i + 1; j < lines.length && !/^\S/.test(lines[j] ?? ' ') && runs.length < 8; j += 1) {
      const call = /session\.run\(\s*((?:["'][^"']*["']\s*,?\s*)+)/.exec(lines[j] ?? '')?.[1];
      if (call) runs.push([...call.matchAll(/["']([^"']*)["']/g)].map((word) => word[1]).join(' '));
    }
    claims.push({ kind: 'task', runner: 'nox', name: given ?? name, runs, line: decorated });
    decorated = undefined;
  });
  return claims;
}

function conda(path: string, { tree, problem }: Parsed): Claim[] {
  const claims: Claim[] = [
    ...parsedNotes(problem),
    { kind: 'package-manager', name: 'conda', line: at(tree, 'dependencies')?.line ?? 1 },
  ];
  for (const item of itemsOf(at(tree, 'dependencies'))) {
    claims.push(...requirement(textOf(item), 'development', item.line, folderOf(path)));
    claims.push(...requirements(at(item, 'pip'), 'development', folderOf(path)));
  }
  return claims;
}

function pipfile(path: string, { tree, problem }: Parsed): Claim[] {
  const claims: Claim[] = [...parsedNotes(problem), { kind: 'package-manager', name: 'pipenv', line: 1 }];
  for (const [section, scope] of [
    ['packages', 'runtime'],
    ['dev-packages', 'development'],
  ] as const) {
    for (const [name, version] of entriesOf(at(tree, section)))
      claims.push(...requirement(name, scope, version.line, folderOf(path)));
  }
  return claims;
}

const REQUIREMENTS =
  /^(requirements|dev-requirements|test-requirements|requirements[-_.].*|.*[-_]requirements)\.(txt|in)$/;

export const python: Ecosystem = {
  id: 'python',
  matches(path) {
    const name = nameOf(path);
    return (
      /^(pyproject\.toml|setup\.cfg|setup\.py|tox\.ini|tox\.toml|pytest\.ini|noxfile\.py|environment[\w-]*\.ya?ml|Pipfile|pixi\.toml|\.pre-commit-config\.yaml)$/.test(
        name,
      ) ||
      REQUIREMENTS.test(name) ||
      /(^|\/)requirements\/[^/]+\.(txt|in)$/.test(path) ||
      Object.hasOwn(LOCKS, name)
    );
  },
  read(path, text) {
    const name = nameOf(path);
    if (Object.hasOwn(LOCKS, name)) return [{ kind: 'package-manager', name: LOCKS[name] ?? '', line: 1 }];
    if (name === 'pyproject.toml') return pyproject(path, parseToml(text));
    if (name === 'setup.cfg') return setupCfg(path, parseIni(text));
    if (name === 'setup.py') return setupPy(path, text);
    if (name === 'tox.ini' || name === 'pytest.ini') return toxIni(path, parseIni(text));
    if (name === 'tox.toml') {
      const { tree, problem } = parseToml(text);
      const claims = parsedNotes(problem);
      if (at(tree, 'env_run_base'))
        claims.push({
          kind: 'tool',
          name: 'tox',
          purpose: 'test',
          command: 'tox',
          line: at(tree, 'env_run_base')?.line ?? 1,
        });
      for (const [environment, body] of entriesOf(at(tree, 'env')))
        claims.push({ kind: 'task', runner: 'tox', name: environment, runs: toxTomlCommands(body), line: body.line });
      return claims;
    }
    if (name === 'noxfile.py') return noxfile(text);
    if (name === 'Pipfile') return pipfile(path, parseToml(text));
    if (name === 'pixi.toml')
      return [...parsedNotes(parseToml(text).problem), { kind: 'package-manager', name: 'pixi', line: 1 }];
    if (name === '.pre-commit-config.yaml')
      return [{ kind: 'tool', name: 'pre-commit', purpose: 'lint', command: 'pre-commit run --all-files', line: 1 }];
    if (name.startsWith('environment')) return conda(path, parseYaml(text));
    return requirementsFile(path, text);
  },
};
