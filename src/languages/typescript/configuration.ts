/** Manifests and compiler settings: what module resolution needs of them, and nothing else. */
import { type ParseError, parse as parseJsonc } from 'jsonc-parser';
import type { Json } from '../../facts/model.js';
import type { ConfigurationFile } from '../language.js';

type Entries = { [key: string]: Json };
type JsonObject = { readonly [key: string]: Json | undefined };

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const strings = (value: Json | undefined): string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];

/** Prefix of the entry that says a package's name, for look-ups by name over the repository. */
export const PACKAGE = 'package:';

interface Parsed {
  /** What could be read of it, up to the first error and around it. */
  readonly value: JsonObject;
  readonly problem: { readonly error?: string };
}

function parsed(text: string): Parsed {
  const errors: ParseError[] = [];
  const value = parseJsonc(text, errors, { allowTrailingComma: true }) as Json | undefined;
  const object = isObject(value);
  const problem = errors.length > 0 ? { error: 'not JSON' } : object ? {} : { error: 'not an object' };
  return { value: object ? value : {}, problem };
}

function copy(from: JsonObject, keys: readonly string[], entries: Entries): void {
  for (const key of keys) {
    const value = from[key];
    if (value !== undefined && value !== null) entries[key] = value;
  }
}

function readCompilerSettings(text: string): Entries {
  const { value, problem } = parsed(text);
  const entries: Entries = { ...problem };
  if (typeof value.extends === 'string') entries.extends = [value.extends];
  else if (Array.isArray(value.extends)) entries.extends = strings(value.extends);
  if (Array.isArray(value.references)) {
    const paths = value.references.map((one) => (isObject(one) ? one.path : undefined));
    entries.references = paths.filter((path): path is string => typeof path === 'string');
  }
  if (isObject(value.compilerOptions)) {
    copy(value.compilerOptions, ['baseUrl', 'paths', 'rootDirs', 'rootDir', 'outDir'], entries);
  }
  return entries;
}

function readManifest(text: string): Entries {
  const { value, problem } = parsed(text);
  const entries: Entries = { ...problem };
  copy(value, ['name', 'main', 'module', 'types', 'typings', 'source', 'exports', 'imports', 'bin'], entries);
  if (typeof value.name === 'string') entries[PACKAGE + value.name] = 1;
  const local: { [name: string]: Json } = {};
  for (const group of [value.dependencies, value.devDependencies]) {
    if (!isObject(group)) continue;
    for (const [name, range] of Object.entries(group)) {
      const path = typeof range === 'string' ? /^(?:file|link|portal):(.*)$/.exec(range)?.[1] : undefined;
      if (path !== undefined) local[name] = path;
    }
  }
  if (Object.keys(local).length > 0) entries.local = local;
  return entries;
}

async function readWorkspace(text: string): Promise<Entries> {
  const { parse: parseYaml } = await import('yaml');
  try {
    const value = parseYaml(text) as Json;
    return isObject(value) && Array.isArray(value.packages) ? { packages: strings(value.packages) } : {};
  } catch {
    return { error: 'not YAML' };
  }
}

export const CONFIGURATION: readonly ConfigurationFile[] = [
  {
    id: 'compiler-settings',
    matches: (basename) => /^(?:.*[.-])?[jt]sconfig(?:[.-].*)?\.json$/.test(basename),
    read: readCompilerSettings,
  },
  { id: 'package-manifest', matches: (basename) => basename === 'package.json', read: readManifest },
  { id: 'pnpm-workspace', matches: (basename) => /^pnpm-workspace\.ya?ml$/.test(basename), read: readWorkspace },
];
