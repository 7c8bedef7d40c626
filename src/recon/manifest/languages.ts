/** Which ecosystems belong to the languages that a repository is mainly written in. */
import type { ListedFile } from '../repository.js';

const EXTENSIONS: Readonly<Record<string, RegExp>> = {
  npm: /\.([cm]?[jt]sx?|vue|svelte|astro)$/,
  python: /\.(py|pyi|pyx)$/,
  go: /\.go$/,
  cargo: /\.rs$/,
  maven: /\.(java|kt|scala|groovy)$/,
  gradle: /\.(java|kt|scala|groovy)$/,
  cmake: /\.(c|cc|cpp|cxx|h|hpp|cu)$/,
};

/** A language with less than this share of the largest one's files is an aside. */
const ASIDE_SHARE = 0.25;

/** Ecosystems without a language of their own (make, CI, Docker) are always primary. */
export function primaryEcosystems(files: readonly ListedFile[]): (ecosystem: string) => boolean {
  const counts = new Map<string, number>();
  for (const { path, role } of files) {
    if (role !== 'source' && role !== 'test') continue;
    for (const [ecosystem, pattern] of Object.entries(EXTENSIONS)) {
      if (pattern.test(path)) counts.set(ecosystem, (counts.get(ecosystem) ?? 0) + 1);
    }
  }
  const most = Math.max(0, ...counts.values());
  return (ecosystem) => !Object.hasOwn(EXTENSIONS, ecosystem) || (counts.get(ecosystem) ?? 0) >= most * ASIDE_SHARE;
}
