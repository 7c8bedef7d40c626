/** Workspace globs against folders: `packages/*`, `libs/**`, `apps/web`. */

const cache = new Map<string, RegExp>();

function compile(glob: string): RegExp {
  const body = glob
    .replace(/\/+$/, '')
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\*\*\/?|\*|\?/g, (part) => (part.startsWith('**') ? '(?:.*)' : part === '*' ? '[^/]*' : '[^/]'));
  return new RegExp(`^${body}$`);
}

/** Whether the repository folder is a member by this glob. */
export function matchesFolder(glob: string, folder: string): boolean {
  let pattern = cache.get(glob);
  if (!pattern) {
    pattern = compile(glob);
    cache.set(glob, pattern);
  }
  return pattern.test(folder);
}
