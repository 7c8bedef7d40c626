/** Notes about input that could not be read in full. */
import type { Claim } from './claim.js';

/** A note for a parser's problem; none where there is none. */
export function parsedNotes(problem: { readonly message: string; readonly line: number } | undefined): Claim[] {
  return problem ? [{ kind: 'note', text: `cannot be read in full: ${problem.message}`, line: problem.line }] : [];
}
