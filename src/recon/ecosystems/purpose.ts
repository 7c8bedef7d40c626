/** What a command line or a task is for, from the names that ecosystems have agreed on. Unknown stays unknown. */
import type { Purpose } from './claim.js';

/** Words in front of the command proper: they choose an environment, not a purpose. */
const WRAPPERS = new Set(
  'sudo time command exec nice env npx bunx pnpx dlx xvfb-run cross-env dotenv retry nohup stdbuf catchsegv'.split(' '),
);
/** Two-word wrappers: `uv run`, `poetry run`. */
const RUNNERS_OF = new Set(
  'uv:run poetry:run pdm:run pipenv:run hatch:run rye:run conda:run pixi:run pnpm:exec pnpm:dlx yarn:exec yarn:dlx npm:exec bun:x bundle:exec coverage:run micromamba:run mamba:run'.split(
    ' ',
  ),
);

/** Tools by their first word; `word:sub` where the purpose hangs on the subcommand. */
const TOOLS: Readonly<Record<Purpose, string>> = {
  test: `pytest py.test nosetests nose2 tox unittest trial stestr vitest jest mocha ava karma jasmine tap uvu cypress
    wtr ctest bats gotestsum phpunit rspec prove go:test cargo:test cargo:nextest deno:test bun:test node:--test mvn:test mvn:verify
    mvnw:test mvnw:verify gradle:test gradle:check gradlew:test gradlew:check dotnet:test npm:test npm:t yarn:test pnpm:test swift:test
    mix:test playwright:test lein:test sbt:test meson:test bazel:test zig:test ginkgo tsd busted swift:test`,
  build: `tsc vue-tsc rollup esbuild webpack tsup unbuild tsdown cmake goreleaser vite:build go:build go:install
    cargo:build mvn:package mvn:install mvn:compile mvnw:package mvnw:install gradle:build gradle:assemble gradlew:build gradlew:assemble
    dotnet:build swift:build next:build ng:build python:build poetry:build hatch:build uv:build flit:build pyproject-build
    deno:compile meson:compile ninja bazel:build zig:build swc babel ncc parcel:build`,
  lint: `eslint flake8 ruff:check pylint mypy pyright basedpyright golangci-lint staticcheck go:vet cargo:clippy biome:check biome:lint biome:ci oxlint
    xo standard tslint stylelint shellcheck hadolint pre-commit:run yamllint markdownlint markdownlint-cli2 clang-tidy codespell bandit ktlint
    deno:lint rubocop pydocstyle actionlint knip depcruise publint attw vulture pyflakes pycodestyle doc8`,
  format: `prettier black isort ruff:format gofmt gofumpt goimports cargo:fmt biome:format dprint clang-format deno:fmt rustfmt yapf autopep8 shfmt
    go:fmt`,
  install: `npm:ci npm:install npm:i yarn:install pnpm:install pnpm:i bun:install pip:install pip3:install poetry:install pdm:install
    uv:sync pipenv:install pipenv:sync go:mod cargo:fetch conda:env mamba:env bundle:install hatch:env rye:sync pixi:install
    composer:install dotnet:restore flit:install`,
  run: `uvicorn gunicorn flask:run nodemon go:run cargo:run next:dev next:start vite vite:dev vite:preview ng:serve docker-compose:up
    streamlit:run fastapi:run fastapi:dev ts-node tsx mkdocs:serve`,
};

const BY_TOOL = new Map<string, Purpose>(
  (Object.entries(TOOLS) as [Purpose, string][]).flatMap(([purpose, names]) =>
    names.split(/\s+/).map((name): [string, Purpose] => [name, purpose]),
  ),
);

/** Tools that are for this purpose only with a subcommand; alone they do something else or nothing. */
const BARE_IS_UNKNOWN = new Set(['cmake']);

/** Splits a shell line at `&&`, `||`, `;`, `|` outside quotes. */
export function simpleCommands(line: string): string[] {
  const parts: string[] = [];
  let current = '';
  let quote = '';
  for (let i = 0; i < line.length; i += 1) {
    const char = line[i] ?? '';
    if (quote !== '') {
      if (char === quote) quote = '';
      current += char;
    } else if (char === '"' || char === "'") {
      quote = char;
      current += char;
    } else if (char === ';' || char === '|' || (char === '&' && line[i + 1] === '&')) {
      parts.push(current);
      current = '';
      if (line[i + 1] === char) i += 1;
    } else current += char;
  }
  parts.push(current);
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

/** The words of a simple command without environment settings, wrappers and their options. */
export function bareWords(command: string): string[] {
  let words = command.split(/\s+/).filter((word) => word !== '');
  for (;;) {
    const first = words[0];
    const second = words[1];
    if (first === undefined) return words;
    if (/^[A-Za-z_][A-Za-z0-9_]*=/.test(first) || first === '!' || first.startsWith('@') || WRAPPERS.has(first)) {
      words = words.slice(1);
      if (first.startsWith('@') && first.length > 1 && !first.startsWith('@-')) words.unshift(first.slice(1));
      while (WRAPPERS.has(first) && words[0]?.startsWith('-')) words = words.slice(1);
      continue;
    }
    if (second !== undefined && RUNNERS_OF.has(`${first}:${second}`)) {
      words = words.slice(2);
      while (words[0]?.startsWith('-') && words[0] !== '-m')
        words = words.slice(/^--(with|group|extra|python|from)$|^-[np]$/.test(words[0]) ? 2 : 1);
      if (words[0] === '-m') words = words.slice(1);
      continue;
    }
    if (/^(.*\/)?(python[0-9.]*|py|\$\(?\{?PYTHON\}?\)?)$/.test(first)) {
      let i = 1;
      while (words[i]?.startsWith('-') && words[i] !== '-m') i += words[i] === '-W' || words[i] === '-X' ? 2 : 1;
      if (words[i] !== '-m') return words;
      words = words.slice(i + 1);
      if (words[0] === 'build') return ['python', ...words];
      if (words[0] === 'pip') return words;
      continue;
    }
    return words;
  }
}

const ABOUT_ITSELF = /^(--version|-V|--help|-h)$/;

/** The purpose of one simple command; undefined where its name says nothing. */
function purposeOfSimple(command: string): Purpose | undefined {
  const words = bareWords(command);
  const first = (words[0] ?? '').replace(/^.*\//, '').replace(/\.(cmd|bat|exe)$/, '');
  const rest = words.slice(1);
  if (rest.some((word) => ABOUT_ITSELF.test(word))) return undefined;
  if (first === 'vitest' && rest[0] === 'bench') return undefined;
  if (first === 'prettier' || first === 'black' || first === 'isort') {
    return rest.some((word) => /^(--check|--check-only|--list-different|--diff|-c|-l)$/.test(word)) ? 'lint' : 'format';
  }
  if (first === 'ruff' && rest[0] === 'format') {
    return rest.includes('--check') || rest.includes('--diff') ? 'lint' : 'format';
  }
  if (first === 'biome' && rest.some((word) => word === '--write' || word === '--fix')) return 'format';
  if (first === 'gofmt' && rest.includes('-l')) return 'lint';
  if ((first === 'tsc' || first === 'vue-tsc') && rest.some((word) => /^--noemit$/i.test(word))) return 'lint';
  if (first === 'cmake') return rest.includes('--build') ? 'build' : undefined;
  if (first === 'cargo' && rest[0]?.startsWith('+')) rest.shift();
  if (first === 'cargo' && rest[0] === 'fmt' && rest.includes('--check')) return 'lint';
  if (/^docker(-compose)?$/.test(first) && rest[0] === 'compose' && rest[1] === 'up') return 'run';
  if (
    /^(python|node)/.test(first) &&
    /(^|\/)(run_?tests?|runtests|test_?all)\.(py|[cm]?js)$/.test(rest.find((word) => !word.startsWith('-')) ?? '')
  ) {
    return 'test';
  }
  if (/^(run_?tests?|runtests)(\.(py|sh))?$/.test(first)) return 'test';
  if (/^(mvnw?|gradlew?|sbt|lein|dotnet)$/.test(first)) {
    const skipsTests = rest.some((word) => /^-D(skipTests|maven\.test\.skip)(=true)?$/.test(word));
    const goals = rest.filter((word, i) => !word.startsWith('-') && rest[i - 1] !== '-x');
    if (skipsTests) return 'build';
    for (const purpose of ['test', 'build'] as const) {
      if (goals.some((goal) => BY_TOOL.get(`${first}:${goal.replace(/^.*:/, '')}`) === purpose)) return purpose;
    }
    return undefined;
  }
  // `go install x@latest` fetches a tool for CI and builds nothing of this repository.
  if (first === 'go' && rest[0] === 'install' && rest.some((word) => word.includes('@'))) return undefined;
  const subcommand = rest.find((word) => !word.startsWith('-') || word === '--test');
  if (subcommand !== undefined) {
    const known = BY_TOOL.get(`${first}:${subcommand}`);
    if (known) return first === 'go' && subcommand === 'mod' && !rest.includes('download') ? undefined : known;
  }
  return BARE_IS_UNKNOWN.has(first) ? undefined : BY_TOOL.get(first);
}

/** Where a line does several things, what it is there for: a test that builds first is a test. */
const WEIGHT: readonly Purpose[] = ['test', 'lint', 'build', 'run', 'format', 'install'];

/** The purpose of a shell line; undefined where nothing in it is known. */
export function purposeOfCommand(line: string): Purpose | undefined {
  const found = simpleCommands(line).map(purposeOfSimple);
  return WEIGHT.find((purpose) => found.includes(purpose));
}

const TASK_NAMES: Readonly<Record<Purpose, string>> = {
  test: 'test tests check-test unittest unittests unit-test unit-tests test-unit test-all testall all-tests spec',
  build: 'build compile dist bundle all-build build-all',
  lint: 'lint lints linter linting vet typecheck type-check types tsc check-types style pylint flake8 mypy pre-commit clippy',
  format: 'format fmt prettier black reformat fix',
  install: 'install setup bootstrap deps dependencies develop dev-install install-dev',
  run: 'start serve run dev up runserver server',
};
const BY_TASK = new Map<string, Purpose>(
  (Object.entries(TASK_NAMES) as [Purpose, string][]).flatMap(([purpose, names]) =>
    names.split(' ').map((name): [string, Purpose] => [name, purpose]),
  ),
);

/** Purposes whose tasks come in variants (`test:e2e`, `build-all`); of the others only the plain name is sure. */
const VARIANTS: ReadonlySet<Purpose> = new Set(['test', 'build', 'lint']);

/** Parts of a task's name that turn it into something else. */
const SIDE_TASK =
  /^(watch|debug|inspect|update|u|setup|clean|deps|dep|data|prepare|report|release|deploy|publish|upload|snapshot|snapshots|fixtures?|image|bench|benchmark|benchmarks|profile|ui|open|down|stop|requirements|env|compare|ls|list|help|version|init|migrations?|gen|generate|cov|coverage|docs?|documentation|site|website|storybook|dts|deploy|docker|changelog|licenses?)$/;

/**
 * The purpose of a task, from its name and what it runs; `exact` where the name alone is the convention
 * (`test`, not `test:e2e`). A body that is plainly for something else wins over the name.
 */
export function purposeOfTask(
  name: string,
  runs: readonly string[],
): { readonly purpose: Purpose; readonly exact: boolean } | undefined {
  const parts = name.toLowerCase().split(/[:._-]/);
  const whole = BY_TASK.get(name.toLowerCase());
  // A target with a dot or a slash is a file that is made.
  if (/[./]/.test(name)) return undefined;
  const prefix = BY_TASK.get(parts[0] ?? '');
  const variant = prefix !== undefined && VARIANTS.has(prefix) ? prefix : undefined;
  const named = whole ?? (parts.some((part) => SIDE_TASK.test(part)) ? undefined : variant);
  const bodies = runs.map(purposeOfCommand);
  const body = WEIGHT.find((purpose) => bodies.includes(purpose));
  if (runs.some((line) => /no test specified|not implemented/i.test(line))) return undefined;
  if (named === undefined) {
    if (
      body === undefined ||
      !VARIANTS.has(body) ||
      parts.some((part) => SIDE_TASK.test(part)) ||
      /^(pre|post)/.test(name)
    )
      return undefined;
    return { purpose: body, exact: false };
  }
  if (named === 'test' && body !== undefined && body !== 'test' && body !== 'build' && !bodies.includes('test')) {
    return body === 'lint' ? { purpose: 'test', exact: whole !== undefined } : undefined;
  }
  // `format:check` reports and changes nothing.
  if (named === 'format' && body === 'lint') return { purpose: 'lint', exact: false };
  return { purpose: named, exact: whole !== undefined };
}
