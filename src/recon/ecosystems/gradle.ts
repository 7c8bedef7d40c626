/** Gradle: settings and build scripts, Groovy and Kotlin. Scripts are code and are not run: only plain literals are read. */
import { lineIndex } from '../parsing/tree.js';
import { folderOf, joinPath, nameOf } from '../repository.js';
import type { Claim, DependencyScope, Ecosystem } from './claim.js';

const COMMENTS = /\/\*[\s\S]*?\*\/|(^|[^:"'])\/\/[^\n]*/g;
const DEPENDENCY =
  /^\s*(api|implementation|compileOnly|runtimeOnly|compile|testImplementation|testCompile|testRuntimeOnly|androidTestImplementation|annotationProcessor|kapt|ksp)\b\s*\(?\s*(.*)$/gm;

function scopeOf(configuration: string): DependencyScope {
  if (/test/i.test(configuration)) return 'development';
  return /^(compileOnly|annotationProcessor|kapt|ksp)$/.test(configuration) ? 'build' : 'runtime';
}

/** Keeps lines in place. */
const withoutComments = (text: string): string => text.replace(COMMENTS, (match) => match.replace(/[^\n]/g, ' '));

function settings(path: string, text: string): Claim[] {
  const folder = folderOf(path);
  const lineOf = lineIndex(text);
  const members: string[] = [];
  let line = 1;
  for (const include of text.matchAll(/\binclude\b\s*\(?((?:\s*["'][^"']+["']\s*,?)+)/g)) {
    if (members.length === 0) line = lineOf(include.index);
    for (const project of (include[1] ?? '').matchAll(/["']:?([^"']+)["']/g)) {
      const member = joinPath(folder, (project[1] ?? '').replaceAll(':', '/'));
      if (member) members.push(member);
    }
  }
  const claims: Claim[] = [{ kind: 'package-manager', name: 'gradle', line: 1 }];
  const name = /rootProject\.name\s*=\s*["']([^"']+)["']/.exec(text);
  if (name) claims.push({ kind: 'component', type: 'module', name: name[1] ?? '', line: lineOf(name.index) });
  if (members.length > 0) claims.push({ kind: 'aggregator', name: 'gradle build', members, line });
  return claims;
}

function build(path: string, text: string): Claim[] {
  const folder = folderOf(path);
  const lineOf = lineIndex(text);
  const claims: Claim[] = [{ kind: 'package-manager', name: 'gradle', line: 1 }];
  if (folder !== '')
    claims.push({ kind: 'component', type: 'module', name: `:${folder.replaceAll('/', ':')}`, line: 1 });
  claims.push({ kind: 'tool', name: 'gradle', purpose: 'build', command: 'gradle build', line: 1 });
  claims.push({ kind: 'tool', name: 'gradle', purpose: 'test', command: 'gradle test', line: 1 });
  for (const match of text.matchAll(DEPENDENCY)) {
    const line = lineOf(match.index + (/^\s*/.exec(match[0])?.[0].length ?? 0));
    const scope = scopeOf(match[1] ?? '');
    const project = /\bproject\s*\(\s*(?:path\s*[:=]\s*)?["']:?([^"']+)["']/.exec(match[2] ?? '')?.[1];
    const literal = /["']([\w.-]+:[\w.-]+)(?::[^"']*)?["']/.exec(match[2] ?? '')?.[1];
    if (project !== undefined)
      claims.push({ kind: 'dependency', name: `:${project}`, scope, line, folder: project.replaceAll(':', '/') });
    else if (literal !== undefined) claims.push({ kind: 'dependency', name: literal, scope, line });
    const framework = /\b(junit-jupiter[\w-]*|testng|spock-core|kotest[\w-]*)\b|["']junit:(junit)/.exec(match[2] ?? '');
    if (framework) claims.push({ kind: 'test-framework', name: framework[1] ?? framework[2] ?? '', line });
  }
  const main = /\bmainClass(?:Name)?\s*(?:=|\.set\()\s*\(?["']([\w.$]+)["']/.exec(text);
  if (main)
    claims.push({
      kind: 'entry-point',
      type: 'main',
      name: main[1] ?? '',
      target: main[1] ?? '',
      line: lineOf(main.index),
    });
  return claims;
}

export const gradle: Ecosystem = {
  id: 'gradle',
  matches: (path) => /^(settings|build)\.gradle(\.kts)?$/.test(nameOf(path)),
  read: (path, text) => (nameOf(path).startsWith('settings') ? settings : build)(path, withoutComments(text)),
};
