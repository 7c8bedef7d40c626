/**
 * The one error that reaches a user: what happened, why, and what to do about it.
 * Commands print it as a single line and exit with 2 (CLI contract).
 */
export class SidecarError extends Error {
  constructor(
    readonly what: string,
    readonly why: string,
    readonly fix: string,
  ) {
    super(`${what}: ${why}; ${fix}`);
    this.name = 'SidecarError';
  }
}
