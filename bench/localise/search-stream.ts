/**
 * The searches of an instance: identifiers of its text, most specific first, each as an agent would run it
 * (`rg -n -F -w`). Also the one search of the completion benchmark: the name of the definition that
 * encloses a changed line.
 */
import { spawnSync } from 'node:child_process';
import { rgPath } from '@vscode/ripgrep';
import type { Match } from '../../src/retrieval/request.js';

export const SEARCHES = 3;
const LINES_KEPT = 40;
const TEXT_KEPT = 240;

const IDENTIFIER = /[A-Za-z_][A-Za-z0-9_]{3,}/g;

/** Words that are written like code: with an underscore or a capital inside. */
const LOOKS_LIKE_CODE = /[A-Za-z0-9]_[A-Za-z0-9]|^_|_$|[a-z][A-Z]|[A-Z]{2}[a-z]/;

/** Plain words that nobody would search for. */
const STOP_WORDS = new Set(
  `about above actual after again against also although always another anything around avoid back because been before being
   below best better between both bugs call called calls came cannot case cause change changed changes code come could
   current currently describe description does doing done down during each either else error errors even every everything
   example expected fail failed failing fails feature file files find first fixed fixes following follows found from full
   further gets give given gives goes going good happen happened happening happens have having here how however import
   inside instead into issue issues just keep kind know last leads less like likely line lines look looks made make makes
   many maybe might more most much must need needed needs never nothing only open other otherwise ours over please possible
   print problem problems properly provide provided question really reason related report reproduce request result results
   return returned returns right running same seem seems self should show shown shows similar simple since some something
   steps still stuff such support sure take than thank thanks that their them then there these they thing things think
   this those though through time true trying under unexpected until update used useful user users uses using value values
   version very want wanted wants what when where whether which while will with within without work working works would
   wrong your yours`.split(/\s+/),
);

/**
 * The terms to search, most specific first: words written like code, then words of the title, then the
 * others; within each by the number of files that have them, then by position. A term that no file has is
 * not searched.
 */
export function termsOf(title: string, body: string, filesWith: (word: string) => number): string[] {
  const text = `${title}\n${body.replace(/https?:\/\/\S+/g, ' ')}`;
  const quoted = new Set([...text.matchAll(/`([^`\n]+)`/g)].flatMap((m) => (m[1] ?? '').match(IDENTIFIER) ?? []));
  const seen = new Map<string, number>();
  for (const match of text.matchAll(IDENTIFIER)) if (!seen.has(match[0])) seen.set(match[0], match.index);
  const ranked = [...seen]
    .map(([word, at]) => ({
      word,
      at,
      files: filesWith(word),
      kind: LOOKS_LIKE_CODE.test(word) || quoted.has(word) ? 0 : at < title.length ? 1 : 2,
    }))
    .filter(({ word, files, kind }) => files > 0 && (kind === 0 || !STOP_WORDS.has(word.toLowerCase())))
    .sort((a, b) => a.kind - b.kind || a.files - b.files || a.at - b.at);
  return ranked.slice(0, SEARCHES).map(({ word }) => word);
}

/** What `rg -n -F -w TERM` finds in the tree, by path. */
export function search(term: string, tree: string): Match[] {
  const args = ['-n', '-F', '-w', '-H', '-0', '--no-heading', '--color=never', '--no-config', '--no-require-git'];
  const { stdout } = spawnSync(rgPath, [...args, '--sort=path', '--', term], {
    cwd: tree,
    encoding: 'latin1',
    maxBuffer: 2 ** 30,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const found = new Map<string, { path: string; lines: number[]; texts: string[]; count: number }>();
  for (const line of stdout.split('\n')) {
    const nul = line.indexOf('\0');
    const colon = line.indexOf(':', nul);
    if (nul < 0 || colon < 0) continue;
    const path = Buffer.from(line.slice(0, nul).replace(/^\.\//, ''), 'latin1').toString('utf8');
    let match = found.get(path);
    if (!match) {
      match = { path, lines: [], texts: [], count: 0 };
      found.set(path, match);
    }
    match.count += 1;
    if (match.lines.length < LINES_KEPT) {
      match.lines.push(Number(line.slice(nul + 1, colon)));
      match.texts.push(
        Buffer.from(line.slice(colon + 1, colon + 1 + TEXT_KEPT), 'latin1')
          .toString('utf8')
          .trimEnd(),
      );
    }
  }
  return [...found.values()];
}

const DEFINITION: readonly RegExp[] = [
  /^\s*(?:async\s+)?(?:def|class)\s+([A-Za-z_]\w*)/,
  /^func\s+(?:\([^)]*\)\s*)?([A-Za-z_]\w*)/,
  /^type\s+([A-Za-z_]\w*)\s/,
  /^\s*(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:function\*?|class|interface|enum|type|namespace)\s+([A-Za-z_$][\w$]*)/,
  /^\s*(?:export\s+)?(?:const|let|var)\s+([A-Za-z_$][\w$]*)\s*(?::[^=]+)?=\s*(?:async\s*)?(?:\(|function|[A-Za-z_$][\w$]*\s*=>)/,
  /^\s+(?:(?:public|private|protected|static|readonly|override|async|get|set)\s+)*([A-Za-z_$][\w$]*)\s*(?:<[^>]*>)?\([^)]*\)?[^;]*\{\s*$/,
];
const KEYWORDS = new Set([
  'if',
  'for',
  'while',
  'switch',
  'catch',
  'function',
  'return',
  'else',
  'constructor',
  'async',
  'await',
]);

const indentOf = (line: string): number => line.length - line.trimStart().length;

/** The name of the definition around `line` (from 1), by indentation alone; undefined at module level. */
export function enclosingDefinition(text: string, line: number): string | undefined {
  const lines = text.split('\n');
  let limit = Number.POSITIVE_INFINITY;
  for (let i = Math.min(line, lines.length) - 1; i >= 0; i -= 1) {
    const candidate = lines[i] ?? '';
    if (candidate.trim() === '') continue;
    const indent = indentOf(candidate);
    if (i !== line - 1 && indent >= limit) continue;
    for (const pattern of DEFINITION) {
      const name = pattern.exec(candidate)?.[1];
      if (name && !KEYWORDS.has(name) && name.length >= 3) return name;
    }
    limit = Math.min(limit, Math.max(indent, 1));
  }
  return undefined;
}
