/** Maven: pom.xml and its reactor. */
import { child, childrenOf, type Element, parseXml } from '../parsing/xml.js';
import { folderOf, joinPath, nameOf } from '../repository.js';
import type { Claim, DependencyScope, Ecosystem } from './claim.js';
import { parsedNotes } from './notes.js';

const SCOPES: Readonly<Record<string, DependencyScope>> = { test: 'development', provided: 'build' };

const coordinate = (element: Element | undefined, group: string): string =>
  `${child(element, 'groupId')?.text ?? group}:${child(element, 'artifactId')?.text ?? ''}`;

export const maven: Ecosystem = {
  id: 'maven',
  matches: (path) => nameOf(path) === 'pom.xml',
  read(path, text) {
    const folder = folderOf(path);
    const { root, problem } = parseXml(text);
    const claims: Claim[] = parsedNotes(problem);
    if (root?.name !== 'project') return claims;
    const artifact = child(root, 'artifactId');
    const group = child(root, 'groupId')?.text ?? child(child(root, 'parent'), 'groupId')?.text ?? '';
    claims.push({ kind: 'package-manager', name: 'maven', line: root.line });
    if (artifact)
      claims.push({ kind: 'component', type: 'module', name: `${group}:${artifact.text}`, line: artifact.line });
    const modules = childrenOf(child(root, 'modules'), 'module');
    if (modules.length > 0) {
      const members = modules.flatMap((module) => joinPath(folder, module.text) ?? []);
      claims.push({ kind: 'aggregator', name: 'maven reactor', members, line: child(root, 'modules')?.line ?? 1 });
    }
    claims.push({ kind: 'tool', name: 'maven', purpose: 'build', command: 'mvn package', line: root.line });
    claims.push({ kind: 'tool', name: 'maven', purpose: 'test', command: 'mvn test', line: root.line });
    for (const dependency of childrenOf(child(root, 'dependencies'), 'dependency')) {
      const name = coordinate(dependency, group).replace(/^\$\{(project\.|pom\.)?groupId\}/, group);
      const scope = SCOPES[child(dependency, 'scope')?.text ?? ''] ?? 'runtime';
      claims.push({ kind: 'dependency', name, scope, line: dependency.line });
      const framework = /:(junit|junit-jupiter[\w-]*|testng|spock-core)$/.exec(name)?.[1];
      if (framework) claims.push({ kind: 'test-framework', name: framework, line: dependency.line });
    }
    return claims;
  },
};
