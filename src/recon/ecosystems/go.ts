/** Go: go.mod, go.work, and main packages. */
import { folderOf, joinPath, nameOf } from '../repository.js';
import type { Claim, Ecosystem } from './claim.js';

interface Directive {
  readonly verb: string;
  readonly words: readonly string[];
  readonly line: number;
  readonly indirect: boolean;
}

/** Statements of go.mod and go.work: blocks in parentheses are unfolded, comments dropped. */
function directives(text: string): Directive[] {
  const found: Directive[] = [];
  let block = '';
  text.split('\n').forEach((raw, i) => {
    const comment = raw.indexOf('//');
    const code = (comment < 0 ? raw : raw.slice(0, comment)).trim();
    const indirect = comment >= 0 && raw.slice(comment).includes('indirect');
    if (code === '') return;
    if (code === ')') {
      block = '';
      return;
    }
    const words = code.split(/\s+/).map((word) => word.replace(/^["'`]|["'`]$/g, ''));
    if (words.at(-1) === '(') block = words[0] ?? '';
    else if (block !== '') found.push({ verb: block, words, line: i + 1, indirect });
    else found.push({ verb: words[0] ?? '', words: words.slice(1), line: i + 1, indirect });
  });
  return found;
}

const isLocal = (target: string | undefined): target is string => target !== undefined && /^\.{1,2}(\/|$)/.test(target);

function modFile(path: string, text: string): Claim[] {
  const folder = folderOf(path);
  const claims: Claim[] = [];
  const statements = directives(text);
  const module = statements.find(({ verb }) => verb === 'module');
  const name = module?.words[0];
  if (!module || name === undefined) return [{ kind: 'note', text: 'cannot be read in full: no module line', line: 1 }];
  claims.push({ kind: 'package-manager', name: 'go modules', line: module.line });
  claims.push({ kind: 'component', type: 'module', name, line: module.line });
  claims.push({ kind: 'tool', name: 'go', purpose: 'build', command: 'go build ./...', line: module.line });
  claims.push({ kind: 'tool', name: 'go', purpose: 'test', command: 'go test ./...', line: module.line });
  claims.push({ kind: 'test-framework', name: 'go test', line: module.line });
  const local = new Map<string, string>();
  for (const { verb, words } of statements) {
    const target = words[words.indexOf('=>') + 1];
    if (verb !== 'replace' || !isLocal(target)) continue;
    const resolved = joinPath(folder, target);
    if (resolved !== undefined && words[0] !== undefined) local.set(words[0], resolved);
  }
  for (const { verb, words, line, indirect } of statements) {
    const dependency = words[0];
    if (verb !== 'require' || dependency === undefined || indirect) continue;
    const target = local.get(dependency);
    claims.push({
      kind: 'dependency',
      name: dependency,
      scope: 'runtime',
      line,
      ...(target !== undefined ? { folder: target } : {}),
    });
    if (/\/(testify|ginkgo(\/v2)?|gocheck|quicktest)$/.test(dependency))
      claims.push({ kind: 'test-framework', name: dependency, line });
  }
  return claims;
}

function workFile(path: string, text: string): Claim[] {
  const uses = directives(text).filter(({ verb }) => verb === 'use');
  const members = uses.flatMap(({ words }) => joinPath(folderOf(path), words[0] ?? '') ?? []);
  return [{ kind: 'aggregator', name: 'go workspace', members, line: uses[0]?.line ?? 1 }];
}

/** A main package by convention of place: `main.go` in the root, below `cmd/`, or anywhere it says so. */
function mainFile(path: string, text: string): Claim[] {
  const lines = text.split('\n');
  const clause = lines.findIndex((line) => /^package\s+/.test(line));
  if (!/^package\s+main\b/.test(lines[clause] ?? '')) return [];
  const main = lines.findIndex((line) => /^func\s+main\s*\(/.test(line));
  if (main < 0 || lines.slice(0, clause).some((line) => /^\/\/\s*(\+build|go:build)\s+ignore/.test(line))) return [];
  const folder = folderOf(path);
  return [
    {
      kind: 'entry-point',
      type: 'main',
      name: folder === '' ? '(root)' : nameOf(folder),
      target: `./${folder}`,
      path,
      line: main + 1,
    },
  ];
}

export const go: Ecosystem = {
  id: 'go',
  matches: (path) => /(^|\/)(go\.mod|go\.work|main\.go|\.golangci\.(ya?ml|toml|json))$/.test(path),
  read(path, text) {
    const name = nameOf(path);
    if (name === 'go.mod') return modFile(path, text);
    if (name === 'go.work') return workFile(path, text);
    if (name === 'main.go') return mainFile(path, text);
    return [{ kind: 'tool', name: 'golangci-lint', purpose: 'lint', command: 'golangci-lint run', line: 1 }];
  },
};
