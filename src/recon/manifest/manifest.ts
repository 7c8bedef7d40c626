/** The repository manifest: every ecosystem's claims put together, within a token budget. Nothing is executed. */
import { requirementName } from '../ecosystems/python.js';
import { byText, joinPath, type RepositoryText } from '../repository.js';
import { tokensOf } from '../tokens.js';
import { type Collected, collect, type Found } from './collect.js';
import { commandsOf } from './commands.js';
import { partsOf } from './components.js';
import { primaryEcosystems } from './languages.js';
import { layoutOf } from './layout.js';
import type { Manifest, NamedClaim } from './manifest.generated.js';

export type { Manifest } from './manifest.generated.js';

/** Tokens that a manifest never exceeds, as JSON without white space. */
export const MANIFEST_TOKENS = 5000;

const MOST_EVIDENCE = 3;
const JAVASCRIPT_MANAGERS = ['npm', 'pnpm', 'yarn', 'bun'];

/** Names with up to three places each, most often claimed first. */
function named(pairs: readonly (readonly [string, string])[]): NamedClaim[] {
  const byName = new Map<string, string[]>();
  for (const [name, evidence] of pairs) {
    const known = byName.get(name);
    if (!known) byName.set(name, [evidence]);
    else if (!known.includes(evidence)) known.push(evidence);
  }
  return [...byName]
    .sort((a, b) => depthOf(a[1]) - depthOf(b[1]) || b[1].length - a[1].length || byText(a[0], b[0]))
    .map(([name, evidence]) => ({ name, evidence: evidence.slice(0, MOST_EVIDENCE) }));
}

const depthOf = (evidence: readonly string[]): number => Math.min(...evidence.map((place) => place.split('/').length));

/** The package manager of a folder: what the nearest package.json or lock file above it names. */
function managers(found: readonly Found[]): (folder: string) => string {
  const byFolder = new Map<string, string>();
  for (const { claim, path, folder, ecosystem } of found) {
    if (claim.kind !== 'package-manager' || ecosystem !== 'npm' || !JAVASCRIPT_MANAGERS.includes(claim.name)) continue;
    // The field of package.json decides over a lock file that was left behind.
    if (path.endsWith('package.json') || !byFolder.has(folder)) byFolder.set(folder, claim.name);
  }
  return (folder) => {
    for (let at = folder; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) {
      const manager = byFolder.get(at);
      if (manager !== undefined) return manager;
      if (at === '') return 'npm';
    }
  };
}

/** Packages of one folder that its manifests call differently. */
function namesThatDisagree(found: readonly Found[]): Manifest['notes'] {
  const byPlace = new Map<string, Map<string, string>>();
  for (const { claim, path, folder, ecosystem, example } of found) {
    if (claim.kind !== 'component' || example || (claim.type !== 'package' && claim.type !== 'module')) continue;
    const place = `${ecosystem}\0${claim.folder ?? folder}`;
    const names = byPlace.get(place) ?? new Map<string, string>();
    byPlace.set(place, names);
    const name = (ecosystem === 'python' ? requirementName(claim.name) : undefined) ?? claim.name;
    if (!names.has(name)) names.set(name, `${path}:${claim.line}`);
  }
  return [...byPlace].flatMap(([place, names]) => {
    const [ecosystem, folder] = place.split('\0');
    const where = folder === '' ? 'the root' : folder;
    const said = [...names].map(([name, evidence]) => `${name} [${evidence}]`).join(', ');
    return names.size < 2
      ? []
      : [
          {
            text: `${ecosystem} manifests disagree on the name of ${where}: ${said}`,
            evidence: [...names.values()][0] ?? '',
          },
        ];
  });
}

function disagreements(found: readonly Found[]): Manifest['notes'] {
  const inFolder = new Map<string, Map<string, string>>();
  for (const { claim, path, folder, ecosystem } of found) {
    if (claim.kind !== 'package-manager' || ecosystem !== 'npm' || !JAVASCRIPT_MANAGERS.includes(claim.name)) continue;
    const names = inFolder.get(folder) ?? new Map<string, string>();
    inFolder.set(folder, names);
    if (!names.has(claim.name)) names.set(claim.name, `${path}:${claim.line}`);
  }
  return [...inFolder].flatMap(([folder, names]) =>
    names.size < 2
      ? []
      : [
          {
            text: `package managers disagree in ${folder === '' ? 'the root' : folder}: ${[...names.keys()].sort(byText).join(', ')}`,
            evidence: [...names.values()].sort(byText)[0] ?? '',
          },
        ],
  );
}

/** `pkg.module:main` to the file that holds it, where exactly that file exists. */
function moduleFile(target: string, folder: string, has: (path: string) => boolean): string | undefined {
  const module = /^[\w.]+(?=[:]|$)/.exec(target)?.[0];
  if (module === undefined) return undefined;
  const relative = module.replaceAll('.', '/');
  const roots = ['', 'src/', 'lib/'].flatMap((root) => joinPath(folder, root) ?? []);
  return roots
    .flatMap((root) => [`${root}/${relative}.py`, `${root}/${relative}/__init__.py`])
    .map((path) => path.replace(/^\//, ''))
    .find(has);
}

function entryPoints(found: readonly Found[], has: (path: string) => boolean): Manifest['entryPoints'] {
  const order = ['command', 'main', 'service', 'library', 'plugin'];
  const seen = new Set<string>();
  return found
    .flatMap(({ claim, path, folder, example, ecosystem }) => {
      if (claim.kind !== 'entry-point' || example) return [];
      const key = `${claim.type}\0${claim.name}\0${claim.target}`;
      if (seen.has(key)) return [];
      seen.add(key);
      const known = claim.path !== undefined && has(claim.path) ? claim.path : undefined;
      const file = known ?? (ecosystem === 'python' ? moduleFile(claim.target, folder, has) : undefined);
      const evidence = `${path}:${claim.line}`;
      return [{ name: claim.name, kind: claim.type, target: claim.target, ...(file ? { path: file } : {}), evidence }];
    })
    .sort(
      (a, b) =>
        order.indexOf(a.kind) - order.indexOf(b.kind) ||
        depthOf([a.evidence]) - depthOf([b.evidence]) ||
        byText(a.name, b.name) ||
        byText(a.evidence, b.evidence),
    );
}

const MOST_MEMBERS = 20;

function aggregators(found: readonly Found[]): Manifest['aggregators'] {
  return found.flatMap(({ claim, path, folder, example }) => {
    if (claim.kind !== 'aggregator' || example) return [];
    const members = [...new Set(claim.members)];
    return [
      {
        name: claim.name,
        folder: folder === '' ? '.' : folder,
        members: members.slice(0, MOST_MEMBERS).map((member) => (member === '' ? '.' : member)),
        ...(members.length > MOST_MEMBERS ? { total: members.length } : {}),
        evidence: `${path}:${claim.line}`,
      },
    ];
  });
}

function notes({ found, leftOut, manifests }: Collected): Manifest['notes'] {
  const list: Manifest['notes'] = found.flatMap(({ claim, path }) =>
    claim.kind === 'note' ? [{ text: claim.text, evidence: `${path}:${claim.line}` }] : [],
  );
  list.push(...disagreements(found), ...namesThatDisagree(found));
  for (const { claim, path, folder } of found) {
    const itself = claim.kind === 'aggregator' && claim.members.includes(folder);
    if (itself && folder !== '')
      list.push({ text: 'a workspace lists itself as a member', evidence: `${path}:${claim.line}` });
  }
  if (manifests.length === 0) list.push({ text: 'no manifest of a known ecosystem' });
  if (leftOut > 0) list.push({ text: `${leftOut} manifests among tests were not read` });
  return list;
}

/** Everything that is known, nothing cut. */
export function wholeManifest(repository: RepositoryText): Manifest {
  const collected = collect(repository);
  const { found } = collected;
  const paths = new Set(repository.files.map(({ path }) => path));
  const has = (path: string): boolean => paths.has(path);
  const own = found.filter(({ example }) => !example);
  return {
    schemaVersion: 1,
    packageManagers: named(
      own.flatMap(({ claim, path }) =>
        claim.kind === 'package-manager' ? [[claim.name, `${path}:${claim.line}`] as const] : [],
      ),
    ),
    manifests: [...collected.manifests],
    commands: commandsOf({ found, managerOf: managers(found), has, isPrimary: primaryEcosystems(repository.files) }),
    testFrameworks: named(
      own.flatMap(({ claim, path }) =>
        claim.kind === 'test-framework' ? [[claim.name, `${path}:${claim.line}`] as const] : [],
      ),
    ),
    entryPoints: entryPoints(found, has),
    ...partsOf(found),
    aggregators: aggregators(found),
    layout: layoutOf(repository.files),
    notes: notes(collected),
    cut: [],
  };
}

interface Section {
  readonly name: string;
  readonly list: unknown[];
  /** Entries that are kept as long as another list can be cut. */
  readonly keep: number;
  readonly total: number;
}

function sections(manifest: Manifest): Section[] {
  const section = (name: string, list: unknown[], keep: number): Section => ({ name, list, keep, total: list.length });
  return [
    section('externalPackages', manifest.externalPackages, 12),
    section('manifests', manifest.manifests, 12),
    section('components', manifest.components, 12),
    section('entryPoints', manifest.entryPoints, 8),
    section('layout.folders', manifest.layout.folders, 10),
    section('layout.generated', manifest.layout.generated, 4),
    section('layout.vendored', manifest.layout.vendored, 4),
    section('layout.testFolders', manifest.layout.testFolders, 6),
    section('notes', manifest.notes, 4),
    section('aggregators', manifest.aggregators, 4),
    section('packageManagers', manifest.packageManagers, 6),
    section('testFrameworks', manifest.testFrameworks, 6),
    ...Object.entries(manifest.commands).map(([purpose, list]) => section(`commands.${purpose}`, list, 5)),
  ];
}

/** Cuts the tails of the longest lists, an eighth at a time, until the whole fits. */
function cutToFit(manifest: Manifest, budget: number): Manifest {
  const all = sections(manifest);
  // Counting each entry once: a repository of a thousand packages is cut in many steps.
  const costs = new Map(all.map(({ list }) => [list, list.map((entry) => tokensOf(JSON.stringify(entry)) + 1)]));
  const weight = ({ list, keep }: Section, respectKeep: boolean): number =>
    list.length > (respectKeep ? keep : 0)
      ? (costs.get(list) ?? []).slice(0, list.length).reduce((a, b) => a + b, 0)
      : -1;
  const shorten = (): boolean => {
    for (const respectKeep of [true, false]) {
      const largest = all.reduce((a, b) => (weight(b, respectKeep) > weight(a, respectKeep) ? b : a));
      if (weight(largest, respectKeep) < 0) continue;
      const { list, keep } = largest;
      list.length = Math.max(respectKeep ? keep : 0, list.length - Math.max(1, Math.floor(list.length / 8)));
      return true;
    }
    return false;
  };
  for (;;) {
    manifest.cut = all
      .filter(({ list, total }) => list.length < total)
      .map(({ name, list, total }) => ({ section: name, shown: list.length, total }));
    let over = tokensOf(JSON.stringify(manifest)) - budget;
    if (over <= 0) return manifest;
    const before = (): number => all.reduce((sum, section) => sum + Math.max(0, weight(section, false)), 0);
    for (let left = before(); over > 0; ) {
      if (!shorten()) return manifest;
      const now = before();
      over -= left - now;
      left = now;
    }
  }
}

/** The manifest within `budget` tokens; `cut` says which lists are shorter than what was found. */
export function manifestOf(repository: RepositoryText, budget = MANIFEST_TOKENS): Manifest {
  return cutToFit(wholeManifest(repository), budget);
}
