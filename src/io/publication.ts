/**
 * Publishing an align: some sidecars of a generation change together, and a reader sees all of it or none.
 *
 * 1. The new files are written into `next/`.
 * 2. The store's transaction commits, with the list of what is to be moved: from here on the new state is the state.
 * 3. `journal.json` appears: readers stay silent while it is there.
 * 4. The files are moved into place, `index.json` last, and the journal goes.
 *
 * A process that dies before 2 leaves `next/` for the next writer to throw away, one that dies after it leaves
 * `next/` for the next writer to finish.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { JOURNAL_FILE } from '../sidecars/layout.js';
import { writing } from './index-folder.js';

const STAGING = 'next';
const TOKEN_FILE = 'token';

/** What a publication moves: index-relative paths in order; `staged` names below `next/`, absent for a removal. */
export interface Publication {
  readonly token: string;
  readonly moves: readonly { readonly path: string; readonly staged?: string }[];
}

/** Collects changed files in `next/`. */
export class Staging {
  private readonly moves: { path: string; staged?: string }[] = [];

  /** @param token unlike any that this generation has used */
  constructor(
    private readonly generation: string,
    private readonly token: string,
  ) {
    const folder = join(generation, STAGING);
    writing(generation, () => {
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, TOKEN_FILE), token);
    });
  }

  put(path: string, content: string | Uint8Array): void {
    const staged = String(this.moves.length);
    writing(this.generation, () => writeFileSync(join(this.generation, STAGING, staged), content));
    this.moves.push({ path, staged });
  }

  remove(path: string): void {
    this.moves.push({ path });
  }

  publication(): Publication {
    return { token: this.token, moves: this.moves };
  }

  discard(): void {
    rmSync(join(this.generation, STAGING), { recursive: true, force: true });
  }
}

/** Steps 3 and 4. Repeating it is harmless: what has moved is moved. */
export function carryOut(generation: string, publication: Publication): void {
  const staging = join(generation, STAGING);
  const journal = join(generation, JOURNAL_FILE);
  writing(generation, () => {
    writeFileSync(`${journal}.tmp`, `${JSON.stringify(publication)}\n`);
    renameSync(`${journal}.tmp`, journal);
    for (const { path, staged } of publication.moves) {
      const target = join(generation, path);
      if (staged === undefined) rmSync(target, { force: true });
      else if (existsSync(join(staging, staged))) {
        mkdirSync(dirname(target), { recursive: true });
        renameSync(join(staging, staged), target);
      }
    }
    rmSync(staging, { recursive: true, force: true });
    rmSync(journal, { force: true });
  });
}

/** Finishes or throws away what a killed align left. Call with the lock held, before reading the state. */
export function recover(generation: string, committed: Publication | undefined): void {
  const staging = join(generation, STAGING);
  if (existsSync(staging)) {
    let token: string | undefined;
    try {
      token = readFileSync(join(staging, TOKEN_FILE), 'utf8');
    } catch {
      // Killed before the token was written: nothing of it was committed.
    }
    if (committed !== undefined && token === committed.token) carryOut(generation, committed);
    else rmSync(staging, { recursive: true, force: true });
  }
  rmSync(join(generation, JOURNAL_FILE), { force: true });
}
