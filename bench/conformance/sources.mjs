// Debian's source packages, unpacked: from a folder that holds them already, or by apt-get, which is given a list and
// folders of its own, so that nothing of the machine's package state changes.
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { must } from './commands.mjs';

const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';

/** Options of apt-get for the source lists of the distribution that the machine itself uses. */
function aptOptions(work) {
  const state = join(work, 'apt');
  for (const folder of ['lists/partial', 'cache/archives/partial']) mkdirSync(join(state, folder), { recursive: true });
  const targets = must('apt-get', [
    'indextargets',
    '--format',
    '$(ORIGIN) $(SITE) $(RELEASE) $(COMPONENT)',
    'Created-By: Packages',
  ]);
  const signed = existsSync(KEYRING) ? `[signed-by=${KEYRING}] ` : '';
  const lines = targets
    .split('\n')
    .filter((line) => line.startsWith('Debian '))
    .map((line) => line.split(' ').slice(1).join(' '));
  const list = join(state, 'sources.list');
  writeFileSync(
    list,
    [...new Set(lines)].flatMap((line) => [`deb-src ${signed}${line}\n`, `deb ${signed}${line}\n`]).join(''),
  );
  return [
    `Dir::Etc::sourcelist=${list}`,
    'Dir::Etc::sourceparts=/dev/null',
    `Dir::State::lists=${join(state, 'lists')}`,
    `Dir::Cache=${join(state, 'cache')}`,
    'APT::Sandbox::User=root',
  ].flatMap((option) => ['-o', option]);
}

/** The unpacked folder of a source package: `NAME-VERSION`. */
function unpacked(folder, name) {
  const found = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && new RegExp(`^${name}-\\d`).test(entry.name))
    .map((entry) => join(folder, entry.name))
    .sort();
  return found.at(-1);
}

/**
 * @param {string} folder where unpacked sources are, or come to be
 * @param {string} work folder for what apt-get needs
 */
export function sourcesIn(folder, work) {
  let options;
  const apt = (...args) => {
    if (!options) {
      options = aptOptions(work);
      must('apt-get', [...options, '-q', 'update']);
    }
    must('apt-get', [...options, '-q', ...args], { cwd: folder });
  };
  return {
    /** Folder of an unpacked source package. */
    source(name) {
      if (!unpacked(folder, name)) apt('source', name);
      return unpacked(folder, name);
    },
    /** Folder with the files of a binary package, which is not installed. */
    files(name) {
      const to = join(folder, `${name}.files`);
      if (!existsSync(to)) {
        apt('download', name);
        const file = readdirSync(folder).find((one) => one.startsWith(`${name}_`) && one.endsWith('.deb'));
        must('dpkg-deb', ['-x', join(folder, file), to]);
      }
      return to;
    },
  };
}
