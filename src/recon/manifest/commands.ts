/** Commands by purpose: tasks, what CI runs, and what tools' conventions say, merged and rated. */
import { type Claim, PURPOSES, type Purpose, type Runner } from '../ecosystems/claim.js';
import { bareWords, purposeOfCommand, purposeOfTask, simpleCommands } from '../ecosystems/purpose.js';
import { scriptFolder } from '../ecosystems/script-folder.js';
import { byText, nameOf } from '../repository.js';
import type { Found } from './collect.js';
import type { Manifest, ManifestCommand } from './manifest.generated.js';

/** How sure a claim is that the command serves the purpose, by the kind of evidence. */
const CONFIDENCE = {
  taskThatCiRuns: 0.95,
  task: 0.9,
  /** `setup.py test` went away with setuptools 72. */
  obsoleteTask: 0.4,
  taskByVariant: 0.7,
  ci: 0.85,
  ciTemplate: 0.5,
  container: 0.6,
  toolCommand: 0.75,
} as const;

const MOST_EVIDENCE = 3;
const LONGEST_COMMAND = 160;

interface Candidate {
  command: string;
  readonly folder: string;
  readonly purpose: Purpose;
  runs?: string;
  confidence: number;
  readonly evidence: string[];
  /** For a language that the repository is not mainly written in. */
  readonly aside: boolean;
}

const ECOSYSTEM_OF_RUNNER: Readonly<Partial<Record<Runner, string>>> = {
  'npm-script': 'npm',
  deno: 'npm',
  tox: 'python',
  nox: 'python',
  poe: 'python',
  pdm: 'python',
  hatch: 'python',
  'cargo-alias': 'cargo',
};

/** The ecosystem of a command line, undefined where its first word does not tell. */
function ecosystemOf(command: string): string | undefined {
  const first = command.split(/\s+/).find((word) => !word.includes('=')) ?? '';
  if (/^(npm|npx|pnpm|yarn|bun|bunx|node|deno)$/.test(first)) return 'npm';
  if (/^(python[0-9.]*|pip3?|pytest|tox|nox|uv|poetry|pdm|hatch|flake8|mypy|ruff)$/.test(first)) return 'python';
  return first === 'go' || first === 'cargo' ? first : undefined;
}

interface Task {
  readonly runner: Runner;
  readonly name: string;
  readonly runs: readonly string[];
  readonly folder: string;
  readonly at: string;
  readonly ci: string[];
}

/** How a named task is started in its folder. */
function invocation(task: Task, managerOf: (folder: string) => string): string {
  const { runner, name } = task;
  if (runner === 'script') return name;
  if (runner !== 'npm-script') {
    const prefix: Record<Exclude<Runner, 'npm-script' | 'script'>, string> = {
      make: 'make',
      task: 'task',
      just: 'just',
      tox: 'tox -e',
      nox: 'nox -s',
      'cargo-alias': 'cargo',
      deno: 'deno task',
      poe: 'poe',
      pdm: 'pdm run',
      hatch: 'hatch run',
      turbo: 'turbo run',
      nx: 'nx run-many -t',
    };
    return `${prefix[runner]} ${name}`;
  }
  const manager = managerOf(task.folder);
  if (name === 'test') return manager === 'bun' ? 'bun run test' : `${manager} test`;
  if (name === 'start' && manager === 'npm') return 'npm start';
  return manager === 'yarn' ? `yarn ${name}` : `${manager} run ${name}`;
}

/** The task that a command starts, as runner and name; undefined where it starts none. */
export function taskOf(
  command: string,
): { readonly runner: Runner; readonly name: string; readonly folder?: string } | undefined {
  const words = bareWords(command);
  const [first, second, third] = words;
  const plain = words.slice(1).filter((word) => !word.startsWith('-') && !/^[A-Za-z_]\w*=/.test(word));
  switch (first) {
    case 'npm':
    case 'pnpm':
    case 'yarn':
    case 'bun': {
      const filtered = words.some((word) =>
        /^(--filter|-F|--workspace|-w|-r|--recursive|workspaces?)$|^--filter=|^--workspaces?/.test(word),
      );
      if (filtered) return undefined;
      const name = plain[0] === 'run' || plain[0] === 'run-script' ? plain[1] : plain[0];
      if (name === undefined || /^(ci|install|i|add|exec|x|dlx|publish|pack|config|audit)$/.test(name))
        return undefined;
      return { runner: 'npm-script', name: name === 't' ? 'test' : name };
    }
    case 'make':
    case 'gmake': {
      const at = words.indexOf('-C');
      const folder = at < 0 ? undefined : words[at + 1];
      const name = plain.find((word) => word !== folder && !/^\d+$/.test(word));
      return name === undefined ? undefined : { runner: 'make', name, ...(folder ? { folder } : {}) };
    }
    case 'just':
    case 'task':
      return plain[0] === undefined ? undefined : { runner: first, name: plain[0] };
    case 'tox':
    case 'nox': {
      const flag = words.findIndex((word) => /^(-e|-s|--session|--env)$/.test(word));
      const name = flag < 0 ? words.find((word) => /^-(e|s)./.test(word))?.slice(2) : words[flag + 1];
      return name === undefined ? undefined : { runner: first, name };
    }
    case 'deno':
      return second === 'task' && third !== undefined ? { runner: 'deno', name: third } : undefined;
    case 'poe':
    case 'hatch':
      return plain.at(-1) === undefined ? undefined : { runner: first, name: plain.at(-1) ?? '' };
    default: {
      const script = first?.replace(/^\.\//, '');
      return script !== undefined && scriptFolder.matches(script) ? { runner: 'script', name: script } : undefined;
    }
  }
}

const hasHoles = (command: string): boolean => /\$\{\{|\$\{?[A-Za-z_]|\{\{|<%|%[A-Z_]+%/.test(command);

/** Of a CI line the part that has the purpose; the whole line where its parts hang together. */
function essential(text: string, purpose: Purpose): string {
  if (/(^|\s)(cd|pushd)\s/.test(text)) return text;
  return simpleCommands(text).find((part) => purposeOfCommand(part) === purpose) ?? text;
}

/** Installing one tool for CI is not how the project is installed. */
function installsProject(command: string): boolean {
  const words = bareWords(command);
  const rest = words.slice(1).filter((word) => !word.startsWith('-'));
  if (words.some((word) => word === '-g' || word === '--global')) return false;
  if (words[0] === 'pip' || words[0] === 'pip3' || (words[0] === 'uv' && rest[0] === 'pip')) {
    return (
      words.some((word) => /^(-r|-e|--requirement|--editable|\.)/.test(word) || /\.(txt|in)$/.test(word)) &&
      !rest.includes('pip')
    );
  }
  if (/^(npm|pnpm|yarn|bun)$/.test(words[0] ?? '')) return rest.length <= 1;
  return true;
}

export interface CommandContext {
  readonly found: readonly Found[];
  /** Which of npm, pnpm, yarn, bun governs a folder. */
  readonly managerOf: (folder: string) => string;
  readonly has: (path: string) => boolean;
  /** Whether the ecosystem's language is one that the repository is mainly written in. */
  readonly isPrimary: (ecosystem: string) => boolean;
}

function gatherTasks(found: readonly Found[]): Task[] {
  return found.flatMap(({ claim, path, folder, example }): Task[] =>
    claim.kind !== 'task' || example
      ? []
      : [
          {
            runner: claim.runner,
            name: claim.name,
            runs: claim.runs,
            folder: claim.runner === 'script' ? '' : folder,
            at: `${path}:${claim.line}`,
            ci: [],
          },
        ],
  );
}

type CommandClaim = Extract<Claim, { kind: 'command' }>;

function fromCi(
  claim: CommandClaim,
  evidence: string,
  tasks: readonly Task[],
  isPrimary: (ecosystem: string) => boolean,
): Candidate[] {
  const folder = claim.folder ?? '';
  const candidates: Candidate[] = [];
  for (const part of simpleCommands(claim.text)) {
    const reference = taskOf(part);
    const known = reference && tasks.filter((task) => task.runner === reference.runner && task.name === reference.name);
    const task =
      known?.find((one) => one.folder === (reference?.folder ?? folder)) ?? known?.find((one) => one.folder === '');
    if (task) {
      task.ci.push(evidence);
      continue;
    }
    // A target that no file defines may come from an include: nothing certain is known about it.
    if (reference) continue;
    const purpose = claim.purpose ?? purposeOfCommand(part);
    if (purpose === undefined || (purpose === 'install' && !installsProject(part))) continue;
    const command = essential(claim.text, purpose);
    if (command.length > LONGEST_COMMAND || command.includes('\n')) continue;
    const confidence = hasHoles(command)
      ? CONFIDENCE.ciTemplate
      : claim.source === 'ci'
        ? CONFIDENCE.ci
        : CONFIDENCE.container;
    const ecosystem = ecosystemOf(command);
    const aside = ecosystem !== undefined && !isPrimary(ecosystem);
    candidates.push({ command, folder, purpose, confidence, evidence: [evidence], aside });
  }
  return candidates;
}

function fromTasks(tasks: readonly Task[], { managerOf, isPrimary }: CommandContext): Candidate[] {
  return tasks.flatMap((task): Candidate[] => {
    const known = purposeOfTask(
      task.runner === 'script' ? nameOf(task.name).replace(/\.sh$/, '') : task.name,
      task.runs,
    );
    if (!known) return [];
    const base = known.exact
      ? task.ci.length > 0
        ? CONFIDENCE.taskThatCiRuns
        : CONFIDENCE.task
      : task.ci.length > 0
        ? CONFIDENCE.ci
        : CONFIDENCE.taskByVariant;
    const telling = task.runs.find((line) => purposeOfCommand(line) === known.purpose);
    const first = (telling ?? task.runs.find((line) => line !== ''))?.slice(0, LONGEST_COMMAND);
    return [
      {
        command: invocation(task, managerOf),
        folder: task.folder,
        purpose: known.purpose,
        confidence: first !== undefined && /\bsetup\.py test\b/.test(first) ? CONFIDENCE.obsoleteTask : base,
        evidence: [task.at, ...task.ci],
        aside: !isPrimary(ECOSYSTEM_OF_RUNNER[task.runner] ?? ''),
        ...(first === undefined ? {} : { runs: first }),
      },
    ];
  });
}

function fromTools({ found, has, isPrimary }: CommandContext): Candidate[] {
  return found.flatMap(({ claim, path, folder, example, ecosystem }): Candidate[] => {
    if (claim.kind !== 'tool' || claim.command === undefined || example) return [];
    const wrapper = claim.name === 'maven' ? 'mvnw' : claim.name === 'gradle' ? 'gradlew' : undefined;
    const inRoot = wrapper !== undefined && has(wrapper);
    const command = inRoot ? claim.command.replace(/^\w+/, `./${wrapper}`) : claim.command;
    return [
      {
        command,
        folder,
        purpose: claim.purpose,
        confidence: CONFIDENCE.toolCommand,
        evidence: [`${path}:${claim.line}`],
        aside: !isPrimary(ecosystem),
      },
    ];
  });
}

const depth = (folder: string): number => (folder === '' ? 0 : folder.split('/').length);

const byRating = (a: Candidate, b: Candidate): number =>
  Number(depth(a.folder) > 0) - Number(depth(b.folder) > 0) ||
  Number(a.aside) - Number(b.aside) ||
  b.confidence - a.confidence ||
  b.evidence.length - a.evidence.length ||
  depth(a.folder) - depth(b.folder) ||
  a.command.length - b.command.length ||
  byText(a.command, b.command) ||
  byText(a.folder, b.folder);

/** Commands of every purpose, the ones for the root first, then by confidence. */
export function commandsOf(context: CommandContext): Manifest['commands'] {
  const tasks = gatherTasks(context.found);
  const candidates: Candidate[] = [];
  for (const { claim, path, example } of context.found) {
    if (claim.kind === 'command' && !example)
      candidates.push(...fromCi(claim, `${path}:${claim.line}`, tasks, context.isPrimary));
  }
  candidates.push(...fromTasks(tasks, context), ...fromTools(context));
  const merged = new Map<string, Candidate>();
  for (const candidate of candidates) {
    const key = `${candidate.purpose}\0${candidate.folder}\0${candidate.command}`;
    const known = merged.get(key);
    if (!known) merged.set(key, candidate);
    else {
      for (const evidence of candidate.evidence) if (!known.evidence.includes(evidence)) known.evidence.push(evidence);
      if (candidate.runs !== undefined) known.runs ??= candidate.runs;
      known.confidence = Math.max(known.confidence, candidate.confidence);
    }
  }
  const commands: Manifest['commands'] = {};
  for (const purpose of PURPOSES) {
    const sorted = [...merged.values()].filter((candidate) => candidate.purpose === purpose).sort(byRating);
    const shown = new Map<string, ManifestCommand>();
    for (const { command, folder, runs, confidence, evidence } of sorted) {
      const same = shown.get(command);
      if (same && folder !== '') {
        same.alsoIn = (same.alsoIn ?? 0) + 1;
        continue;
      }
      shown.set(command, {
        command,
        ...(folder === '' ? {} : { folder }),
        ...(runs === undefined || runs === command ? {} : { runs }),
        confidence,
        evidence: evidence.slice(0, MOST_EVIDENCE),
      });
    }
    if (shown.size > 0) commands[purpose] = [...shown.values()];
  }
  return commands;
}
