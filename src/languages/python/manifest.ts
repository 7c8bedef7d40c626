/** pyproject.toml and setup.cfg: the entry points that a distribution declares, and what they name. */
import type { FileFacts, Json } from '../../facts/model.js';
import type { EdgeDraft } from '../../graph/edge.js';
import type { LinkView } from '../../graph/view.js';
import type { ConfigurationFile } from '../language.js';
import { dirOf } from './modules.js';
import { namedByString } from './named-by-string.js';

const ENTRY_POINTS = 'entry-points';
/** `module:object`, extras after it left out. */
const OBJECT = /^\s*([A-Za-z_][\w.]*(?:\s*:\s*[A-Za-z_][\w.]*)?)\s*(?:\[[^\]]*\])?\s*$/;

type Table = { readonly [key: string]: unknown };

const isTable = (value: unknown): value is Table =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The objects that the tables name, at any depth: groups of entry points, `{ reference = "a:b" }`. */
function objectsIn(value: unknown, into: Set<string>): void {
  if (typeof value === 'string') {
    const object = OBJECT.exec(value)?.[1];
    if (object !== undefined) into.add(object.replace(/\s/g, ''));
  } else if (isTable(value)) for (const inner of Object.values(value)) objectsIn(inner, into);
}

const entriesOf = (objects: ReadonlySet<string>): { [key: string]: Json } =>
  objects.size === 0 ? {} : { [ENTRY_POINTS]: [...objects].sort() };

async function readProject(text: string): Promise<{ [key: string]: Json }> {
  const { getStaticTOMLValue, parseTOML } = await import('toml-eslint-parser');
  let root: unknown;
  try {
    root = getStaticTOMLValue(parseTOML(text));
  } catch {
    return { error: 'not TOML' };
  }
  const at = (...keys: string[]): unknown =>
    keys.reduce<unknown>((table, key) => (isTable(table) && Object.hasOwn(table, key) ? table[key] : undefined), root);
  const objects = new Set<string>();
  for (const keys of [
    ['project', 'scripts'],
    ['project', 'gui-scripts'],
    ['project', 'entry-points'],
    ['tool', 'poetry', 'scripts'],
    ['tool', 'poetry', 'plugins'],
    ['tool', 'setuptools', 'entry-points'],
    ['tool', 'flit', 'scripts'],
    ['tool', 'flit', 'entrypoints'],
  ]) {
    objectsIn(at(...keys), objects);
  }
  return entriesOf(objects);
}

function readSetup(text: string): { [key: string]: Json } {
  const objects = new Set<string>();
  let inside = false;
  for (const line of text.split(/\r?\n/)) {
    const section = /^\[([^\]]*)\]/.exec(line)?.[1];
    if (section !== undefined) inside = section.trim() === 'options.entry_points';
    else if (inside) objectsIn(/^\s+[\w.-]+\s*=(.*)$/.exec(line)?.[1], objects);
  }
  return entriesOf(objects);
}

/** Edges of the manifest to the modules and functions that its entry points name. */
function link(path: string, facts: FileFacts, view: LinkView): EdgeDraft[] {
  const objects = facts.surface.entries[ENTRY_POINTS];
  if (!Array.isArray(objects)) return [];
  const lines = new Map<unknown, number>();
  for (const [, text, line] of (facts.extra ?? []) as readonly (readonly [string, string, number])[]) {
    if (!lines.has(text)) lines.set(text, line);
  }
  return (objects as readonly string[]).flatMap((object): EdgeDraft[] => {
    const to = namedByString(view, dirOf(path), object);
    const line = lines.get(object) ?? 1;
    return to ? [{ from: -1, to, type: 'configures', provenance: 'configuration', line }] : [];
  });
}

export const CONFIGURATION: readonly ConfigurationFile[] = [
  { id: 'project', matches: (basename) => basename === 'pyproject.toml', read: readProject, link },
  { id: 'setup', matches: (basename) => basename === 'setup.cfg', read: readSetup, link },
];
