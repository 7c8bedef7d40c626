import { describe, expect, it } from 'vitest';
import { confidenceOf } from '../../src/graph/confidence.js';

const edge = (provenance: Parameters<typeof confidenceOf>[1]['provenance'], among?: number) => ({
  provenance,
  type: 'references' as const,
  ...(among === undefined ? {} : { among }),
});

describe('the confidence of an edge', () => {
  it('is shared between targets that exclude each other', () => {
    const alone = confidenceOf('python', edge('field-receiver'));
    expect(confidenceOf('python', edge('field-receiver', 2))).toBeCloseTo(alone / 2, 1);
    expect(confidenceOf('go', edge('imported-name', 3))).toBe(0.33);
  });

  it('stays whole for the parts of a union in TypeScript, which are all true', () => {
    const two = confidenceOf('typescript', edge('declared-receiver', 2));
    // Measured, and far from the half that it would be if they excluded each other.
    expect(two / confidenceOf('typescript', edge('declared-receiver'))).toBeGreaterThan(0.85);
    expect(confidenceOf('typescript', edge('declared-receiver', 18))).toBe(two);
  });

  it('is the published value where nothing was measured, for any language', () => {
    expect(confidenceOf('python', edge('test-name'))).toBe(0.75);
    expect(confidenceOf('constructor', edge('imported-name'))).toBe(0.9);
  });

  it('is never nothing and never more than certain', () => {
    expect(confidenceOf('python', edge('unique-member', 1000))).toBe(0.01);
    for (const language of ['python', 'typescript', 'go', 'other']) {
      for (const provenance of ['same-file', 'import', 'string'] as const) {
        const value = confidenceOf(language, edge(provenance));
        expect(value).toBeGreaterThan(0);
        expect(value).toBeLessThanOrEqual(1);
      }
    }
  });
});
