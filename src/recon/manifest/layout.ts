/** Where things lie: roles, large folders, folders of tests, generated and vendored areas. */
import type { Role } from '../../graph/roles.js';
import { byText, type ListedFile } from '../repository.js';
import type { Manifest } from './manifest.generated.js';

type Layout = Manifest['layout'];

const MOST_FOLDERS = 24;
const MOST_AREAS = 12;
/** A folder stands for its files where at least this share of them has the role. */
const DOMINANT = 0.8;
/** Folders that hold nearly everything are described by what is in them. */
const UNFOLD_SHARE = 0.5;

interface Folder {
  total: number;
  readonly roles: Map<Role, number>;
}

function count(files: readonly ListedFile[]): Map<string, Folder> {
  const folders = new Map<string, Folder>();
  for (const { path, role } of files) {
    for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
      const name = path.slice(0, slash);
      const folder = folders.get(name) ?? { total: 0, roles: new Map() };
      folders.set(name, folder);
      folder.total += 1;
      folder.roles.set(role, (folder.roles.get(role) ?? 0) + 1);
    }
  }
  return folders;
}

/** The outermost folders in which a role dominates, by number of its files. */
function areas(folders: ReadonlyMap<string, Folder>, role: Role): string[] {
  const names = [...folders.keys()].sort(byText);
  const chosen: string[] = [];
  for (const name of names) {
    const folder = folders.get(name);
    const share = (folder?.roles.get(role) ?? 0) / (folder?.total ?? 1);
    const last = chosen.at(-1);
    if (share >= DOMINANT && !(last !== undefined && name.startsWith(`${last}/`))) chosen.push(name);
  }
  const size = (name: string): number => folders.get(name)?.total ?? 0;
  return chosen.sort((a, b) => size(b) - size(a) || byText(a, b)).slice(0, MOST_AREAS);
}

function mainRole(folder: Folder): Role {
  return [...folder.roles].sort((a, b) => b[1] - a[1] || byText(a[0], b[0]))[0]?.[0] ?? 'data';
}

export function layoutOf(files: readonly ListedFile[]): Layout {
  const roles: Record<string, number> = {};
  for (const { role } of files) roles[role] = (roles[role] ?? 0) + 1;
  const folders = count(files);
  const children = (parent: string): string[] =>
    [...folders.keys()].filter((name) => name.startsWith(parent) && !name.slice(parent.length).includes('/'));
  const shown = children('').flatMap((name) => {
    const large = (folders.get(name)?.total ?? 0) > files.length * UNFOLD_SHARE && files.length > 40;
    const inner = children(`${name}/`);
    return large && inner.length > 1 ? [name, ...inner] : [name];
  });
  const size = (name: string): number => folders.get(name)?.total ?? 0;
  return {
    files: files.length,
    roles: Object.fromEntries(Object.entries(roles).sort(([a], [b]) => byText(a, b))),
    folders: shown
      .sort((a, b) => size(b) - size(a) || byText(a, b))
      .slice(0, MOST_FOLDERS)
      .map((path) => {
        const folder = folders.get(path);
        return { path, files: size(path), role: folder ? mainRole(folder) : 'data' };
      }),
    testFolders: areas(folders, 'test'),
    generated: areas(folders, 'generated'),
    vendored: areas(folders, 'vendored'),
  };
}
