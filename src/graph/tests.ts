/**
 * What a test file tests: edges of type `tests`, derived from the edges that linking it gave.
 *
 * A test is about the files that it uses most and the one that its name speaks of; what it merely
 * passes by is weak evidence. That strength goes into the edge's share (`among`), so that the first
 * test listed for a source file is the one that was written for it.
 */
import type { FileFacts } from '../facts/model.js';
import type { Language } from '../languages/language.js';
import type { EdgeDraft } from './edge.js';
import { nameMatch, speaksOf } from './test-names.js';
import { isNamedScriptTest, isScriptAmongTests, isTestMaterial, isTestPath } from './test-paths.js';
import type { LinkView } from './view.js';

/** Fewer uses per test file are listed as symbol edges than a reader could ever want. */
const SYMBOLS_PER_FILE = 400;
/** Shares below this say nothing: one use among dozens. */
const LEAST_STRENGTH = 0.1;
/** What the language's convention says without the name being equal: `x_bench_test.go` is about x.go, x_test.go more so. */
const BY_CONVENTION = 0.8;
/** For symbols: a test function of a file that it is not about, or that uses a dozen others. */
const LEAST_SYMBOL_STRENGTH = 0.25;

/** What a test file uses of one source file. */
interface Subject {
  readonly path: string;
  readonly symbols: Set<string>;
  /** Uses by symbols of the test file, imports left out. */
  readonly uses: EdgeDraft[];
  line: number;
  /** How much the test is about this file, 0 to 1. */
  strength: number;
  /** Its name speaks of the file. */
  named: boolean;
}

const USES = new Set<EdgeDraft['type']>(['imports', 'calls', 'inherits', 'references']);

/**
 * The `tests` edges of a test file, from its linked edges. Nothing for files that are not tests, and
 * nothing for helpers of tests (conftest, testutil, fixtures): they are used by tests of everything.
 *
 * @param drafts what `Language.link` returned for this file
 */
export function testEdges(
  path: string,
  facts: FileFacts,
  drafts: readonly EdgeDraft[],
  language: Language,
  view: LinkView,
): EdgeDraft[] {
  const isTest = (candidate: string): boolean => language.isTest?.(candidate) ?? isTestPath(candidate);
  if (!isTest(path) || isTestMaterial(path) || !holdsTests(path, facts)) return [];
  const subjects = subjectsOf(path, drafts, isTest);
  const named = (language.subjectsOfTest?.(path) ?? []).find((candidate) => view.has(candidate) && !isTest(candidate));
  if (named !== undefined && !subjects.has(named)) {
    subjects.set(named, { path: named, symbols: new Set(), uses: [], line: 1, strength: 0, named: false });
  }
  weigh(path, subjects, named);
  return [...fileEdges(subjects), ...symbolEdges(facts, subjects)];
}

const TEST_FUNCTION = /^(test|Test(?!Main$)|Benchmark|Fuzz|Example|should)/;

/** Whether the file holds tests itself. A helper in a folder of tests does not. */
function holdsTests(path: string, { symbols }: FileFacts): boolean {
  return (
    isNamedScriptTest(path) ||
    // Entities and subscribers that tests share are classes; a test file that has no test's name defines none.
    (isScriptAmongTests(path) && !symbols.some(({ kind }) => kind === 'class')) ||
    symbols.some(({ name, kind }) => {
      const own = name.slice(name.lastIndexOf('.') + 1);
      return (kind === 'function' || kind === 'method') && TEST_FUNCTION.test(own);
    })
  );
}

function subjectsOf(
  path: string,
  drafts: readonly EdgeDraft[],
  isTest: (path: string) => boolean,
): Map<string, Subject> {
  const subjects = new Map<string, Subject>();
  for (const draft of drafts) {
    const target = draft.to.path;
    // An ambiguous use is a guess already; what is built on it would be a guess about a guess.
    if (!USES.has(draft.type) || target === path || (draft.among ?? 1) > 1 || draft.provenance === 'fuzzy') continue;
    let subject = subjects.get(target);
    if (!subject) {
      if (isTest(target)) continue;
      subject = { path: target, symbols: new Set(), uses: [], line: draft.line, strength: 0, named: false };
      subjects.set(target, subject);
    }
    subject.line = Math.min(subject.line, draft.line);
    if (draft.to.symbol !== undefined) {
      subject.symbols.add(draft.to.symbol);
      if (draft.type !== 'imports') subject.uses.push(draft);
    }
  }
  return subjects;
}

/**
 * A test is about the file that its name speaks of, else about those of which it uses most. Between two tests of
 * one file the number of its symbols that they use decides.
 */
function weigh(path: string, subjects: ReadonlyMap<string, Subject>, named: string | undefined): void {
  let most = 1;
  for (const { symbols } of subjects.values()) most = Math.max(most, symbols.size);
  for (const subject of subjects.values()) {
    const byName = nameMatch(path, subject.path);
    const match = subject.path === named ? Math.max(byName, BY_CONVENTION) : byName;
    const used = Math.max(subject.symbols.size, subject.path === named ? 0 : 1);
    const byUse = Math.sqrt(used / most) * (used / (used + 2));
    subject.named = match > 0;
    subject.strength = Math.min(1, Math.max(byUse * 0.9, match * (used === 0 ? 0.6 : 0.9 + 0.1 * byUse)));
  }
}

/** Test file to source file. */
function fileEdges(subjects: ReadonlyMap<string, Subject>): EdgeDraft[] {
  return [...subjects.values()]
    .filter(({ strength }) => strength >= LEAST_STRENGTH)
    .map(({ path, line, named, strength }) => ({
      from: -1,
      to: { path },
      type: 'tests',
      provenance: named ? 'test-name' : 'test-import',
      line,
      ...share(strength),
    }));
}

/** Test function (or the test file, where tests have no names) to the symbols that it is about. */
function symbolEdges(facts: FileFacts, subjects: ReadonlyMap<string, Subject>): EdgeDraft[] {
  const width = new Map<number, Set<string>>();
  for (const { path, uses } of subjects.values()) {
    for (const { from, to } of uses) {
      const used = width.get(from);
      if (used) used.add(`${path}:${to.symbol}`);
      else width.set(from, new Set([`${path}:${to.symbol}`]));
    }
  }
  const edges = new Map<string, EdgeDraft>();
  for (const { path, uses, strength: about } of subjects.values()) {
    for (const use of uses) {
      const symbol = use.to.symbol ?? '';
      const test = use.from < 0 ? '' : (facts.symbols[use.from]?.name ?? '');
      const spoken = test !== '' && speaksOf(test, symbol);
      const strength = spoken ? 0.9 + 0.1 * about : (0.5 + 0.5 * about) / Math.sqrt(width.get(use.from)?.size ?? 1);
      const key = `${use.from}\0${path}\0${symbol}`;
      const known = edges.get(key);
      if (strength < LEAST_SYMBOL_STRENGTH || (known && known.line <= use.line)) continue;
      edges.set(key, {
        from: use.from,
        to: { path, symbol },
        type: 'tests',
        provenance: spoken ? 'test-name' : 'test-import',
        line: use.line,
        ...share(strength),
      });
    }
  }
  return [...edges.values()].slice(0, SYMBOLS_PER_FILE);
}

/** A strength of 0 to 1 as the share that confidence is divided by. */
function share(strength: number): { among?: number } {
  const among = Math.round(100 / strength) / 100;
  return among > 1 ? { among } : {};
}
