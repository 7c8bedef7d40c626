/** Scripts that are the tasks of a repository: `scripts/test`, `script/build`, `bin/lint.sh`. */
import type { Ecosystem } from './claim.js';

const MOST_LINES = 12;

/** Only the names that say by themselves what they are for: a folder of scripts holds much else. */
const SCRIPT = /^(?:scripts?|bin)\/(?:test|tests|lint|check|build|install|format|bootstrap|setup)(?:\.sh)?$/;

export const scriptFolder: Ecosystem = {
  id: 'scripts',
  matches: (path) => SCRIPT.test(path),
  read(path, text) {
    // Without it nothing says how the file is started.
    if (!text.startsWith('#!')) return [];
    const runs = text
      .split('\n')
      .map((line) => line.trim().replace(/^\$\{\w+\}/, ''))
      .filter((line) => line !== '' && !line.startsWith('#') && !/^(set|export|if|fi)\b/.test(line))
      .slice(0, MOST_LINES);
    return [{ kind: 'task', runner: 'script', name: path, runs, line: 1 }];
  },
};
