/** Components of the repository, what they depend on among each other, and the packages from outside. */
import { requirementName } from '../ecosystems/python.js';
import { byText } from '../repository.js';
import type { Found } from './collect.js';
import type { Manifest } from './manifest.generated.js';

type Component = Manifest['components'][number];
type External = Manifest['externalPackages'][number];

interface Draft {
  readonly name: string;
  readonly folder: string;
  readonly ecosystem: string;
  readonly type: 'package' | 'module' | 'target' | 'service' | 'image';
  readonly path: string;
  readonly example: boolean;
  readonly evidence: string;
  readonly dependsOn: Set<string>;
}

/** Which statement names a Python package where several do. */
const PREFERRED = ['pyproject.toml', 'setup.cfg', 'setup.py'];
const preference = (path: string): number => {
  const index = PREFERRED.findIndex((name) => path.endsWith(name));
  return Math.max(0, index);
};

function drafts(found: readonly Found[]): Draft[] {
  const merged = new Map<string, Draft>();
  for (const { claim, path, folder, ecosystem, example } of found) {
    if (claim.kind !== 'component') continue;
    const one = claim.type === 'package' || claim.type === 'module';
    const key = one ? `${ecosystem}\0${folder}` : `${ecosystem}\0${folder}\0${claim.type}\0${claim.name}`;
    const known = merged.get(key);
    if (known && preference(known.path) <= preference(path)) continue;
    merged.set(key, {
      name: claim.name,
      folder: claim.folder ?? folder,
      ecosystem,
      type: claim.type,
      path,
      example,
      evidence: `${path}:${claim.line}`,
      dependsOn: new Set(),
    });
  }
  return [...merged.values()];
}

const SCOPE_ORDER: readonly External['scope'][] = ['runtime', 'build', 'optional', 'development'];

export interface Parts {
  readonly components: Component[];
  readonly externalPackages: External[];
}

/** The kind that a component's entry points make it. */
function kindOf(draft: Draft, starts: ReadonlySet<string>, exportsLibrary: ReadonlySet<string>): Component['kind'] {
  if (draft.example) return 'example';
  if (draft.type === 'target' || draft.type === 'service' || draft.type === 'image') return draft.type;
  const key = `${draft.ecosystem}\0${draft.folder}`;
  if (exportsLibrary.has(key)) return 'library';
  return starts.has(key) ? 'application' : draft.type;
}

/** Resolves each dependency by folder, then by name within its ecosystem; what is no component is external. */
export function partsOf(found: readonly Found[]): Parts {
  const all = drafts(found);
  const keyOf = (ecosystem: string, name: string): string =>
    `${ecosystem}\0${ecosystem === 'python' ? (requirementName(name) ?? name) : name}`;
  const byName = new Map<string, Draft>();
  const byFolder = new Map<string, Draft>();
  for (const draft of all) {
    const key = keyOf(draft.ecosystem, draft.name);
    if (!byName.has(key) || byName.get(key)?.example) byName.set(key, draft);
    if (draft.type === 'package' || draft.type === 'module') byFolder.set(`${draft.ecosystem}\0${draft.folder}`, draft);
  }
  const starts = new Set<string>();
  const exportsLibrary = new Set<string>();
  const external = new Map<string, External & { manifests: Set<string> }>();
  for (const { claim, path, folder, ecosystem, example } of found) {
    if (claim.kind === 'entry-point') {
      (claim.type === 'library' ? exportsLibrary : starts).add(`${ecosystem}\0${folder}`);
    }
    if (claim.kind !== 'dependency') continue;
    const owner =
      claim.of === undefined ? byFolder.get(`${ecosystem}\0${folder}`) : byName.get(keyOf(ecosystem, claim.of));
    const target =
      (claim.folder === undefined ? undefined : byFolder.get(`${ecosystem}\0${claim.folder}`)) ??
      byName.get(keyOf(ecosystem, claim.name));
    if (target) {
      if (owner && owner !== target) owner.dependsOn.add(target.name);
      continue;
    }
    if (example || claim.folder !== undefined || (ecosystem === 'docker' && claim.of !== undefined)) continue;
    const key = keyOf(ecosystem, claim.name);
    const known = external.get(key);
    if (!known) {
      external.set(key, {
        name: claim.name,
        scope: claim.scope,
        usedBy: 1,
        evidence: `${path}:${claim.line}`,
        manifests: new Set([path]),
      });
      continue;
    }
    known.manifests.add(path);
    known.usedBy = known.manifests.size;
    if (SCOPE_ORDER.indexOf(claim.scope) < SCOPE_ORDER.indexOf(known.scope)) {
      known.scope = claim.scope;
      known.evidence = `${path}:${claim.line}`;
    }
  }
  const components = all
    .map((draft): Component => {
      const dependsOn = [...draft.dependsOn].sort(byText);
      return {
        name: draft.name,
        folder: draft.folder === '' ? '.' : draft.folder,
        kind: kindOf(draft, starts, exportsLibrary),
        ecosystem: draft.ecosystem,
        ...(dependsOn.length > 0 ? { dependsOn } : {}),
        evidence: draft.evidence,
      };
    })
    .sort(byImportance(all));
  const externalPackages = [...external.values()]
    .sort(
      (a, b) =>
        SCOPE_ORDER.indexOf(a.scope) - SCOPE_ORDER.indexOf(b.scope) || b.usedBy - a.usedBy || byText(a.name, b.name),
    )
    .map(({ manifests: _, ...rest }) => rest);
  return { components, externalPackages };
}

/** Examples and images last, then those that others depend on, the shallow before the deep. */
function byImportance(all: readonly Draft[]): (a: Component, b: Component) => number {
  const dependents = new Map<string, number>();
  for (const draft of all) for (const name of draft.dependsOn) dependents.set(name, (dependents.get(name) ?? 0) + 1);
  const last = (component: Component): number =>
    component.kind === 'example' ? 2 : component.kind === 'image' || component.kind === 'service' ? 1 : 0;
  const depth = (component: Component): number => (component.folder === '.' ? 0 : component.folder.split('/').length);
  return (a, b) =>
    last(a) - last(b) ||
    Number(depth(a) > 0) - Number(depth(b) > 0) ||
    (dependents.get(b.name) ?? 0) - (dependents.get(a.name) ?? 0) ||
    depth(a) - depth(b) ||
    byText(a.folder, b.folder) ||
    byText(a.name, b.name);
}
