/** The questions that can be asked, each answered from facts, edges and manifest alone. */
import type { SymbolKind } from '../../facts/model.js';
import type { Purpose } from '../ecosystems/claim.js';
import type { Knowledge, Node, Relation } from '../knowledge.js';
import { byText, folderOf, nameOf } from '../repository.js';
import { type Answer, type AnswerItem, type Completeness, cutFairly, sortedItems } from './answer.js';

/** Items shown per answer. */
const MOST_ITEMS = 50;
/** Files shown per file that changes with them. */
const MOST_CHANGED_TOGETHER = 10;
/** Symbols followed for what a change affects transitively. */
const MOST_FOLLOWED = 200;
/** Files read for a configuration key. */
const MOST_CONFIGURATION_FILES = 400;

const place = (knowledge: Knowledge, node: Node): string =>
  `${node.path}:${knowledge.lineOf(node)}${node.symbol === undefined ? '' : ` ${node.symbol}`}`;

/** @param nobody what is said where the question is about nothing of the repository */
function answer(
  question: string,
  about: readonly string[],
  items: readonly AnswerItem[],
  whenFound: Completeness,
  nobody?: string,
): Answer {
  const sorted = sortedItems(items);
  return {
    question,
    about,
    completeness: sorted.length === 0 ? 'unknown' : whenFound,
    items: cutFairly(sorted, MOST_ITEMS),
    total: sorted.length,
    ...(nobody !== undefined && about.length === 0 && sorted.length === 0 ? { notKnown: [nobody] } : {}),
  };
}

const unnamed = (name: string): string => `no definition, file or module here is called ${name}`;

function fromEnd(
  knowledge: Knowledge,
  { from, line, type, provenance, confidence }: Relation,
  group?: string,
): AnswerItem {
  const what = from.symbol ?? from.path;
  return {
    path: from.path,
    line: line || knowledge.lineOf(from),
    what,
    why: `${type}, ${provenance}`,
    confidence,
    ...(group ? { group } : {}),
  };
}

const isTest = (knowledge: Knowledge, path: string): boolean => knowledge.roleOf(path) === 'test';

/** Every relation into the nodes and their members. */
function incoming(knowledge: Knowledge, nodes: readonly Node[]): Relation[] {
  return nodes.flatMap((node) => knowledge.withMembers(node).flatMap((member) => knowledge.to(member)));
}

/** Kinds of symbols that are part of something else. */
const MEMBERS: ReadonlySet<SymbolKind> = new Set(['field', 'variable', 'constant', 'property']);

/** Where is X defined? */
export function defines(knowledge: Knowledge, name: string): Answer {
  const nodes = knowledge.resolve(name);
  const items = nodes.map((node): AnswerItem => {
    const symbol = knowledge.symbolOf(node);
    const test = isTest(knowledge, node.path);
    return {
      path: node.path,
      line: knowledge.lineOf(node),
      what: symbol?.signature ?? node.path,
      why: symbol ? `${symbol.kind}${test ? ' in a test' : ''}` : 'file',
      // A field of that name is seldom what is meant where a function or a class has it too.
      confidence: (test ? 0.9 : 1) * (symbol && MEMBERS.has(symbol.kind) ? 0.95 : 1),
    };
  });
  return answer(
    `defines ${name}`,
    nodes.map((node) => place(knowledge, node)).slice(0, 5),
    items,
    'complete',
    unnamed(name),
  );
}

const plain = (name: string): string => name.replaceAll('_', '').toLowerCase();

/** Whether a test carries the name of what it uses, or of the class around it: it is about that, and not only with it. */
function namesIt(test: Node, used: Node): boolean {
  const own = plain(test.symbol ?? '');
  const names = used.symbol === undefined ? [nameOf(used.path).replace(/\.[^.]+$/, '')] : used.symbol.split('.');
  return names.some((name) => name.length > 2 && own.includes(plain(name)));
}

/** Where are the tests for X? */
export function testsFor(knowledge: Knowledge, name: string): Answer {
  const nodes = knowledge.resolve(name).filter(({ path }) => !isTest(knowledge, path));
  const direct = incoming(knowledge, nodes).filter(
    ({ from, type }) => type === 'tests' || isTest(knowledge, from.path),
  );
  // A test function that uses X says more than a test module that imports it.
  const items = direct.map((relation) => {
    const item = fromEnd(knowledge, relation);
    if (relation.from.symbol === undefined) return { ...item, confidence: item.confidence * 0.8 };
    return namesIt(relation.from, relation.to) ? item : { ...item, confidence: item.confidence * 0.95 };
  });
  if (items.length === 0) {
    // No test names the symbol itself: those of its file are the next best, and say so.
    const files = [...new Set(nodes.map(({ path }) => path))];
    for (const path of files) {
      for (const relation of knowledge.to({ path })) {
        if (relation.type !== 'tests' && !isTest(knowledge, relation.from.path)) continue;
        items.push({
          ...fromEnd(knowledge, relation),
          why: `of the file: ${relation.type}, ${relation.provenance}`,
          confidence: relation.confidence * 0.8,
        });
      }
    }
  }
  return answer(
    `tests-for ${name}`,
    nodes.map((node) => place(knowledge, node)).slice(0, 5),
    items,
    'at least',
    unnamed(name),
  );
}

/** Who calls X? */
export function callers(knowledge: Knowledge, name: string): Answer {
  const nodes = knowledge.resolve(name);
  const items = nodes
    .flatMap((node) => [node, ...constructors(knowledge, node)])
    .flatMap((node) => knowledge.to(node))
    .filter(({ type }) => type === 'calls')
    .map((relation) => fromEnd(knowledge, relation));
  return answer(
    `callers ${name}`,
    nodes.map((node) => place(knowledge, node)).slice(0, 5),
    items,
    'at least',
    unnamed(name),
  );
}

/** Calling a class is calling its constructor. */
function constructors(knowledge: Knowledge, { path, symbol }: Node): Node[] {
  return ['__init__', '__new__', 'constructor']
    .map((method) => ({ path, symbol: `${symbol}.${method}` }))
    .filter((node) => symbol !== undefined && knowledge.symbolOf(node) !== undefined);
}

/** What implements or extends X? */
export function implementers(knowledge: Knowledge, name: string): Answer {
  const nodes = knowledge.resolve(name);
  const seen = new Set<string>();
  const items: AnswerItem[] = [];
  const visit = (node: Node, depth: number): void => {
    for (const relation of knowledge.to(node)) {
      const key = `${relation.from.path}\0${relation.from.symbol}`;
      if (relation.type !== 'inherits' || seen.has(key) || depth > 20) continue;
      seen.add(key);
      const item = fromEnd(knowledge, relation);
      items.push({ ...item, line: knowledge.lineOf(relation.from), group: depth === 0 ? 'direct' : 'indirect' });
      visit(relation.from, depth + 1);
    }
  };
  for (const node of nodes) visit(node, 0);
  return answer(
    `implements ${name}`,
    nodes.map((node) => place(knowledge, node)).slice(0, 5),
    items,
    'at least',
    unnamed(name),
  );
}

/** Which command builds, tests, lints, formats, installs or runs this, or a part of it? */
export function command(knowledge: Knowledge, purpose: Purpose, folder?: string): Answer {
  const list = knowledge.manifest.commands[purpose] ?? [];
  const inside = folder === undefined ? list : list.filter((entry) => entry.folder === folder);
  const items = (inside.length > 0 ? inside : list).map((entry, i): AnswerItem => {
    const [path = '', line = '1'] = splitEvidence(entry.evidence[0] ?? '');
    const where = entry.folder === undefined ? '' : ` (in ${entry.folder})`;
    // The order of the manifest is the answer's order: it weighs more than confidence alone.
    return {
      path,
      line: Number(line),
      what: `${entry.command}${where}`,
      why: entry.runs ?? 'as written',
      confidence: entry.confidence,
      group: `${String(i).padStart(3, '0')}`,
    };
  });
  const nobody = `no manifest, task file or CI file says how to ${purpose} this`;
  const result = answer(`command ${purpose}`, folder === undefined ? [] : [folder], items, 'at least', nobody);
  return { ...result, items: result.items.map(({ group: _, ...item }) => item) };
}

function splitEvidence(evidence: string): readonly [string, string] {
  const colon = evidence.lastIndexOf(':');
  return colon < 0 ? [evidence, '1'] : [evidence.slice(0, colon), evidence.slice(colon + 1)];
}

const WORD_EDGE = '[A-Za-z0-9_]';

/** Which configuration selects Z? */
export function configuration(knowledge: Knowledge, key: string): Answer {
  const escaped = key.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const pattern = new RegExp(`(?<!${WORD_EDGE})${escaped}(?!${WORD_EDGE})`, 'i');
  const assigned = new RegExp(`(?<!${WORD_EDGE})["']?${escaped}["']?\\]?\\s*[:=]`, 'i');
  const items: AnswerItem[] = [];
  const settings = /(^|\/)(settings|config|conf|defaults|global_settings|constants)(\.[a-z]+)$/;
  const candidates = knowledge.repository.files
    .filter(({ path, role }) => role === 'configuration' || (role === 'source' && settings.test(path)))
    .slice(0, MOST_CONFIGURATION_FILES);
  for (const { path, role } of candidates) {
    const lines = (knowledge.repository.text(path) ?? '').split('\n');
    // What lies deeper governs less of the repository.
    const depth = folderOf(path) === '' ? 0 : folderOf(path).split('/').length;
    lines.forEach((line, i) => {
      if (line.length > 400 || !pattern.test(line) || /^\s*(#|\/\/|;)/.test(line)) return;
      const sets = assigned.test(line);
      items.push({
        path,
        line: i + 1,
        what: line.trim().slice(0, 160),
        why: sets ? `sets it (${role})` : `names it (${role})`,
        confidence: (sets ? 0.9 : 0.5) * (role === 'configuration' ? 1 : 0.95) * 0.95 ** Math.min(depth, 3),
      });
    });
  }
  return answer(`config ${key}`, [], items, 'at least', `no configuration file or settings module names ${key}`);
}

/** What does changing W plausibly affect? */
export function affects(knowledge: Knowledge, name: string): Answer {
  const nodes = knowledge.resolve(name);
  const items: AnswerItem[] = [];
  const seen = new Set(
    nodes.flatMap((node) => knowledge.withMembers(node)).map(({ path, symbol }) => `${path}\0${symbol}`),
  );
  let frontier = incoming(knowledge, nodes);
  for (let depth = 0; depth < 3 && frontier.length > 0 && seen.size < MOST_FOLLOWED; depth += 1) {
    const next: Relation[] = [];
    for (const relation of frontier) {
      const { from, type } = relation;
      const key = `${from.path}\0${from.symbol}`;
      if (seen.has(key)) continue;
      seen.add(key);
      const group =
        type === 'documents' || knowledge.roleOf(from.path) === 'documentation'
          ? 'documents'
          : type === 'tests' || isTest(knowledge, from.path)
            ? 'tests'
            : depth === 0
              ? 'direct'
              : 'transitive';
      const weight = relation.confidence * 0.7 ** depth;
      items.push({ ...fromEnd(knowledge, relation, group), confidence: Math.round(weight * 100) / 100 });
      if (group === 'direct' || group === 'transitive') next.push(...knowledge.to(from));
    }
    frontier = next;
  }
  const unread: string[] = [];
  for (const path of [...new Set(nodes.map((node) => node.path))].sort(byText)) {
    const together = knowledge.changedTogether(path);
    if (together === undefined) unread.push(path);
    for (const { path: other, score, commits } of (together ?? []).slice(0, MOST_CHANGED_TOGETHER)) {
      items.push({
        path: other,
        line: 1,
        what: other,
        group: 'changed together',
        why: `${commits} ${commits === 1 ? 'commit touches' : 'commits touch'} both it and ${path}`,
        confidence: Math.min(1, Math.round(score * 100) / 100),
      });
    }
  }
  const result = answer(
    `affects ${name}`,
    nodes.map((node) => place(knowledge, node)).slice(0, 5),
    items,
    'at least',
    unnamed(name),
  );
  if (unread.length === 0) return result;
  return { ...result, notKnown: [`changed together: no history is indexed for ${unread.slice(0, 3).join(', ')}`] };
}
