/** The claims of every manifest of a repository, with the folder and the ecosystem they come from. */
import type { Claim, Ecosystem } from '../ecosystems/claim.js';
import { ECOSYSTEMS } from '../ecosystems/registry.js';
import { byText, folderOf, type RepositoryText } from '../repository.js';
import { matchesFolder } from './glob.js';

export interface Found {
  readonly claim: Claim;
  readonly path: string;
  readonly folder: string;
  readonly ecosystem: string;
  /** Below a folder of examples or templates: it describes no part of the product. */
  readonly example: boolean;
}

export interface Collected {
  readonly found: readonly Found[];
  readonly manifests: readonly { readonly path: string; readonly ecosystem: string; readonly problem?: string }[];
  /** Manifests among tests that no workspace claims: they were not read. */
  readonly leftOut: number;
}

const EXAMPLE =
  /(^|\/)(examples?|samples?|demos?|playgrounds?|templates?|fixtures?|boilerplates?|starters?|cookiecutter[^/]*|benchmarks?|bench|starter-templates|_examples)(\/|$)/i;

/** Whether the folder holds examples, templates or fixtures rather than parts of the product. */
export function isExampleFolder(folder: string): boolean {
  return EXAMPLE.test(folder);
}

function read(ecosystem: Ecosystem, path: string, text: string): Found[] {
  const folder = folderOf(path);
  const example = isExampleFolder(folder);
  return ecosystem.read(path, text).map((claim) => ({ claim, path, folder, ecosystem: ecosystem.id, example }));
}

/**
 * Vendored files are not read; manifests among tests only where a workspace counts them in; of generated
 * ones (lock files) the name says enough.
 */
export function collect(repository: RepositoryText): Collected {
  const found: Found[] = [];
  const manifests: { path: string; ecosystem: string; problem?: string }[] = [];
  const tests: { ecosystem: Ecosystem; path: string }[] = [];
  const take = (ecosystem: Ecosystem, path: string, text: string): void => {
    const claims = read(ecosystem, path, text);
    if (claims.length === 0) return;
    found.push(...claims);
    const note = claims.find(({ claim }) => claim.kind === 'note')?.claim;
    const problem = note?.kind === 'note' ? `line ${note.line}: ${note.text}` : undefined;
    if (!/(^|\/)main\.go$/.test(path))
      manifests.push({ path, ecosystem: ecosystem.id, ...(problem ? { problem } : {}) });
  };
  for (const { path, role } of repository.files) {
    if (role === 'vendored' || role === 'minified') continue;
    for (const ecosystem of ECOSYSTEMS) {
      if (!ecosystem.matches(path)) continue;
      if (role === 'test') tests.push({ ecosystem, path });
      else take(ecosystem, path, role === 'generated' ? '' : (repository.text(path) ?? ''));
    }
  }
  const members = found.flatMap(({ claim }) => (claim.kind === 'aggregator' ? claim.members : []));
  let leftOut = 0;
  for (const { ecosystem, path } of tests) {
    const isMember = members.some((member) => !member.includes('*') && matchesFolder(member, folderOf(path)));
    if (isMember) take(ecosystem, path, repository.text(path) ?? '');
    else if (!/(^|\/)main\.go$/.test(path)) leftOut += 1;
  }
  return { found, manifests: manifests.sort((a, b) => byText(a.path, b.path)), leftOut };
}
