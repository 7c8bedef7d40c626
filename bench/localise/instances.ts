/** The instances of the localisation data: which ones a run uses, and in which order. */
import { readFileSync } from 'node:fs';
import { pathHash } from '../../src/sidecars/recency.js';

/** One line of the data: an issue, the commit before its fix, the files that the fix changed. */
export interface Instance {
  readonly id: string;
  readonly source: string;
  readonly lang: string;
  readonly repo: string;
  readonly snapshot: string;
  readonly base_commit: string;
  readonly title: string;
  readonly body: string;
  readonly gold_files: readonly string[];
  readonly gold_nontest_files: readonly string[];
  readonly gold_code_files: readonly string[];
  readonly gold_lines: Readonly<Record<string, readonly (readonly [number, number])[]>>;
  readonly gold_path_in_text: boolean;
  readonly gold_stem_mentioned: boolean;
}

export const PER_REPOSITORY = 6;

const byHash = (a: Instance, b: Instance): number => pathHash(a.id) - pathHash(b.id) || (a.id < b.id ? -1 : 1);

/**
 * At most `PER_REPOSITORY` instances of each repository that `available` knows, in rounds over the
 * repositories: any prefix is spread over all of them.
 */
export function selectInstances(file: string, available: (snapshot: string) => boolean): Instance[] {
  const groups = new Map<string, Instance[]>();
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    if (line === '') continue;
    const instance = JSON.parse(line) as Instance;
    if (instance.gold_nontest_files.length === 0 || !available(instance.snapshot)) continue;
    const group = groups.get(instance.repo);
    if (group) group.push(instance);
    else groups.set(instance.repo, [instance]);
  }
  const repositories = [...groups.keys()].sort();
  const chosen = repositories.map((repo) => (groups.get(repo) ?? []).sort(byHash).slice(0, PER_REPOSITORY));
  const rounds: Instance[] = [];
  for (let round = 0; round < PER_REPOSITORY; round += 1) {
    for (const group of chosen) {
      const instance = group[round];
      if (instance) rounds.push(instance);
    }
  }
  return rounds;
}

/** Which half of the repositories an instance belongs to: rules are tuned on `tune` and confirmed on `confirm`. */
export function halfOf(instance: { readonly repo: string }): 'tune' | 'confirm' {
  return pathHash(`half:${instance.repo}`) % 2 === 0 ? 'tune' : 'confirm';
}
