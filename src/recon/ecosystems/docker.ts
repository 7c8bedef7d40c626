/** Docker and compose: images, services and what they start. */
import { at, entriesOf, itemsOf, type Tree, textOf } from '../parsing/tree.js';
import { parseYaml } from '../parsing/yaml.js';
import { folderOf, joinPath, nameOf } from '../repository.js';
import type { Claim, Ecosystem } from './claim.js';
import { parsedNotes } from './notes.js';

const COMPOSE = /^(docker-)?compose([.-][\w.-]+)?\.ya?ml$/;
const DOCKERFILE = /^(Dockerfile|Containerfile)([.-][\w.-]+)?$|\.[Dd]ockerfile$/;

/** `["a", "b"]` and `a b` alike. */
function argv(text: string): string {
  try {
    const words: unknown = JSON.parse(text);
    return Array.isArray(words) ? words.join(' ') : text;
  } catch {
    return text;
  }
}

function dockerfile(path: string, text: string): Claim[] {
  const folder = folderOf(path);
  const claims: Claim[] = [];
  let from: { line: number; image: string } | undefined;
  let start: { line: number; text: string } | undefined;
  // Continued lines are joined onto their first, so that the others keep their numbers.
  const joined = text.replace(/(?:[^\n]*\\\r?\n)+[^\n]*/g, (block) => {
    const parts = block.split(/\\\r?\n/);
    return parts.map((part) => part.trim()).join(' ') + '\n'.repeat(parts.length - 1);
  });
  joined.split('\n').forEach((line, i) => {
    const image = /^\s*FROM\s+(?:--\S+\s+)*(\S+)/i.exec(line)?.[1];
    if (image !== undefined) from = { line: i + 1, image };
    const command = /^\s*(?:ENTRYPOINT|CMD)\s+(.+)$/i.exec(line)?.[1];
    if (command !== undefined) start = { line: i + 1, text: argv(command.trim()) };
  });
  if (from) claims.push({ kind: 'component', type: 'image', name: path, folder, line: from.line });
  if (start)
    claims.push({ kind: 'entry-point', type: 'service', name: nameOf(path), target: start.text, line: start.line });
  return claims;
}

function serviceClaims(path: string, name: string, body: Tree): Claim[] {
  const folder = folderOf(path);
  const claims: Claim[] = [];
  const build = at(body, 'build');
  const context = textOf(build) ?? textOf(at(build, 'context'));
  const built = context === undefined ? undefined : joinPath(folder, context);
  claims.push({ kind: 'component', type: 'service', name, folder: built ?? folder, line: body.line });
  const needs = at(body, 'depends_on');
  const names = needs?.entries ? [...needs.entries.keys()] : itemsOf(needs).flatMap((item) => textOf(item) ?? []);
  for (const need of names)
    claims.push({ kind: 'dependency', name: need, scope: 'runtime', of: name, line: needs?.line ?? body.line });
  const command = at(body, 'command');
  const text = textOf(command) ?? itemsOf(command).map(textOf).join(' ');
  if (command && text !== '')
    claims.push({ kind: 'entry-point', type: 'service', name, target: text, line: command.line });
  return claims;
}

export const docker: Ecosystem = {
  id: 'docker',
  matches: (path) => COMPOSE.test(nameOf(path)) || DOCKERFILE.test(nameOf(path)),
  read(path, text) {
    if (!COMPOSE.test(nameOf(path))) return dockerfile(path, text);
    const { tree, problem } = parseYaml(text);
    const claims: Claim[] = parsedNotes(problem);
    const services = entriesOf(at(tree, 'services'));
    for (const [name, body] of services) claims.push(...serviceClaims(path, name, body));
    const built = services.some(([, body]) => at(body, 'build') !== undefined);
    if (built)
      claims.push({
        kind: 'tool',
        name: 'docker compose',
        purpose: 'run',
        command: 'docker compose up',
        line: at(tree, 'services')?.line ?? 1,
      });
    return claims;
  },
};
