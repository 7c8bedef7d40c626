/** `linguist-*` attributes of .gitattributes files: what the repository itself says about roles. */
import { posix } from 'node:path';
import ignore from 'ignore';
import type { RoleAttributes } from './roles.js';

const NAMES = {
  'linguist-generated': 'generated',
  'linguist-vendored': 'vendored',
  'linguist-documentation': 'documentation',
} as const;

interface Rule {
  readonly folder: string;
  readonly matches: (path: string) => boolean;
  readonly name: (typeof NAMES)[keyof typeof NAMES];
  readonly value: boolean;
}

function rulesOf(path: string, text: string): Rule[] {
  const dir = posix.dirname(path);
  const folder = dir === '.' ? '' : `${dir}/`;
  const rules: Rule[] = [];
  for (const line of text.split('\n')) {
    const [pattern, ...attributes] = line.trim().split(/\s+/);
    if (pattern === undefined || pattern === '' || pattern.startsWith('#') || pattern.startsWith('!')) continue;
    for (const attribute of attributes) {
      const [, minus, key = '', value] = /^(-?)([a-z-]+)(?:=(.*))?$/.exec(attribute) ?? [];
      const name = (NAMES as Record<string, Rule['name'] | undefined>)[key];
      if (name === undefined) continue;
      const matcher = ignore({ allowRelativePaths: true }).add(pattern);
      rules.push({ folder, matches: (p) => matcher.ignores(p), name, value: minus !== '-' && value !== 'false' });
    }
  }
  return rules;
}

/**
 * Attributes of a path from all .gitattributes texts by their repository path. Deeper files and
 * later lines win. Patterns are read as ignore patterns, which agree but for negation.
 */
export function attributesReader(texts: ReadonlyMap<string, string>): (path: string) => RoleAttributes {
  const depth = (path: string): number => path.split('/').length;
  const rules = [...texts]
    .sort(([a], [b]) => depth(a) - depth(b) || (a < b ? -1 : 1))
    .flatMap(([path, text]) => rulesOf(path, text));
  if (rules.length === 0) return () => ({});
  return (path) => {
    const found: { [name in Rule['name']]?: boolean } = {};
    for (const rule of rules) {
      if (path.startsWith(rule.folder) && rule.matches(path.slice(rule.folder.length))) found[rule.name] = rule.value;
    }
    return found;
  };
}
