/** What has to change in an environment so that searches started in it go through the launchers. Pure. */
import { delimiter } from 'node:path';

export interface EnvironmentInput {
  readonly path: string;
  /** Folder of the launchers. */
  readonly shims: string;
  /** The Node that runs the evidence side: the one that was found to work. */
  readonly node: string;
  /** Absolute paths of the real tools, as far as they exist. */
  readonly realRg?: string;
  readonly realGrep?: string;
}

/** Variables to set, in order. Applying it twice changes nothing more. */
export function environmentFor(input: EnvironmentInput): readonly (readonly [name: string, value: string])[] {
  const rest = input.path.split(delimiter).filter((folder) => folder !== input.shims);
  return [
    ...(input.realRg === undefined ? [] : [['SIDECAR_REAL_RG', input.realRg] as const]),
    ...(input.realGrep === undefined ? [] : [['SIDECAR_REAL_GREP', input.realGrep] as const]),
    ['SIDECAR_NODE', input.node],
    ['PATH', [input.shims, ...rest].join(delimiter)],
  ];
}

/** A value as one word of POSIX shell. */
export const shellQuoted = (value: string): string =>
  /^[\w@%+=:,./-]+$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`;

/** Code for a POSIX shell that makes the changes. */
export const shellCode = (variables: ReturnType<typeof environmentFor>): string =>
  variables.map(([name, value]) => `export ${name}=${shellQuoted(value)}\n`).join('');
