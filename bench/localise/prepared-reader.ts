/** A reader over prepared evidence: history and words only, no symbols and no typed edges. */
import type { SidecarReader } from '../../src/retrieval/request.js';
import type { Sidecar } from '../../src/sidecars/sidecar.generated.js';
import type { Prepared } from './prepare.js';

export function preparedReader(prepared: Prepared): SidecarReader {
  return {
    sidecar(path): Sidecar | undefined {
      const role = prepared.roles[path];
      if (role === undefined) return undefined;
      return {
        schemaVersion: 1,
        path,
        content: '',
        role,
        lines: 0,
        symbols: [],
        neighbours: prepared.signals[path] ?? {},
        flows: [],
      };
    },
    recency: (path) => prepared.ages[path],
    commits: () => prepared.commits,
  };
}
