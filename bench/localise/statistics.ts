/** Means over repositories, with bootstrap intervals. Seeded: the same scores give the same interval. */
import { seededRandom } from '../../src/graph/seeded-random.js';

/** One score of one instance. */
export interface Scored {
  readonly repo: string;
  readonly value: number;
}

/** Mean of a group's values, then mean over the groups: a few repositories hold a third of the instances. */
export function macroMean(scores: readonly Scored[]): number {
  const groups = means(scores);
  return groups.reduce((sum, value) => sum + value, 0) / Math.max(1, groups.length);
}

function means(scores: readonly Scored[]): number[] {
  const groups = new Map<string, { sum: number; count: number }>();
  for (const { repo, value } of scores) {
    const group = groups.get(repo) ?? { sum: 0, count: 0 };
    groups.set(repo, { sum: group.sum + value, count: group.count + 1 });
  }
  return [...groups.values()].map(({ sum, count }) => sum / count);
}

const RESAMPLES = 1000;

/** The macro mean with its 95 % interval, repositories resampled. */
export function interval(scores: readonly Scored[]): { mean: number; low: number; high: number } {
  const groups = means(scores);
  const random = seededRandom(1);
  const samples: number[] = [];
  for (let i = 0; i < RESAMPLES; i += 1) {
    let sum = 0;
    for (let j = 0; j < groups.length; j += 1) sum += groups[Math.floor(random() * groups.length)] ?? 0;
    samples.push(sum / Math.max(1, groups.length));
  }
  samples.sort((a, b) => a - b);
  const at = (share: number): number => samples[Math.floor(share * (RESAMPLES - 1))] ?? 0;
  return { mean: macroMean(scores), low: at(0.025), high: at(0.975) };
}
