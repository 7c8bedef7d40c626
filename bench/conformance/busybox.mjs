// BusyBox's grep tests: each with GNU grep and with busybox's grep as the real tool.
import { cpSync, existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { ran } from './commands.mjs';
import { decisions, environmentOf, index, WAYS } from './ways.mjs';

/** Features that some tests ask for: all of them. */
const FEATURES = ':EXTRA_COMPAT:EGREP:';

function outcomes(stdout) {
  const found = new Map();
  for (const [, outcome, name] of stdout.matchAll(/^(PASS|FAIL|SKIPPED): (.*)$/gm)) {
    const known = [...found.keys()].filter((one) => one === name || one.startsWith(`${name} #`)).length;
    found.set(known === 0 ? name : `${name} #${known + 1}`, outcome);
  }
  return found;
}

/** @returns the real tool's name -> as gnuGrep does */
export function busyboxGrep(sources, work) {
  const source = sources.source('busybox');
  const tools = new Map([['GNU grep', '/usr/bin/grep']]);
  const applets = join(work, 'busybox-applets');
  const busybox = ['/bin/busybox', '/usr/bin/busybox'].find(existsSync);
  if (busybox) {
    rmSync(applets, { recursive: true, force: true });
    mkdirSync(applets, { recursive: true });
    symlinkSync(busybox, join(applets, 'grep'));
    tools.set('busybox grep', join(applets, 'grep'));
  }
  return new Map(
    [...tools].map(([name, real]) => {
      const folder = join(work, 'busybox', name.replace(' ', '-'));
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder, { recursive: true });
      for (const file of ['grep.tests', 'testing.sh']) cpSync(join(source, 'testsuite', file), join(folder, file));
      index(folder, work);
      const results = WAYS.map((way) => {
        const front = join(work, 'front');
        const env = { ...environmentOf(way, { front, real, work }), OPTIONFLAGS: FEATURES };
        rmSync(join(front, 'egrep'), { force: true });
        if (real.startsWith(applets)) symlinkSync(busybox, join(front, 'egrep'));
        const { stdout } = ran('bash', ['./grep.tests'], { cwd: folder, env });
        return { way, outcomes: outcomes(stdout), decisions: decisions(way, work).text };
      });
      return [name, results];
    }),
  );
}
