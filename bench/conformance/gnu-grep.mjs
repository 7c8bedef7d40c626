// GNU grep's own test scripts. The tool is built from the same source; its tests put `src` first on PATH, so that is
// where the launcher goes.
import { copyFileSync, cpSync, existsSync, mkdirSync, renameSync, utimesSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { must, plainEnvironment, ran } from './commands.mjs';
import { decisions, environmentOf, index, WAYS } from './ways.mjs';

/** Debian's patches leave generated files older than their sources: they are good as they are. */
const KEEP_GENERATED = ['ACLOCAL', 'AUTOCONF', 'AUTOMAKE', 'AUTOHEADER', 'MAKEINFO'].map((tool) => `${tool}=:`);

/** Without these a good half of the tests is skipped. */
const LOCALES = [
  ['en_US', 'UTF-8', 'en_US.UTF-8'],
  ['tr_TR', 'UTF-8', 'tr_TR.UTF-8'],
  ['fr_FR', 'UTF-8', 'fr_FR.UTF-8'],
  ['fr_FR', 'ISO-8859-1', 'fr_FR'],
  ['ru_RU', 'KOI8-R', 'ru_RU.KOI8-R'],
  ['ja_JP', 'EUC-JP', 'ja_JP.eucJP'],
  ['ja_JP', 'SHIFT_JIS', 'ja_JP.SHIFT_JIS'],
  ['zh_CN', 'GBK', 'zh_CN.GBK'],
];

/** Compiles the locales from the definitions in Debian's package of them. Returns their folder. */
function compileLocales(sources, work) {
  const folder = join(work, 'locales');
  mkdirSync(folder, { recursive: true });
  const env = { ...plainEnvironment(), I18NPATH: join(sources.files('locales'), 'usr/share/i18n') };
  for (const [definition, charset, name] of LOCALES) {
    // Warnings about a charset are an exit of 1; what could not be made is a skipped test.
    if (!existsSync(join(folder, name)))
      ran('localedef', ['-i', definition, '-f', charset, join(folder, name)], { env });
  }
  return folder;
}

/** Configures and makes a copy of the source, with locales for the tests. */
function built(source, work, env) {
  const folder = join(work, 'gnu-grep');
  const real = join(folder, 'real');
  if (existsSync(real)) return folder;
  cpSync(source, folder, { recursive: true, preserveTimestamps: true });
  const now = new Date();
  for (const name of ['aclocal.m4', 'configure', 'config.hin', 'Makefile.in']) {
    if (existsSync(join(folder, name))) utimesSync(join(folder, name), now, now);
  }
  must('sh', ['./configure', '--disable-nls'], { cwd: folder, env });
  must('make', [`-j${cpus().length}`, ...KEEP_GENERATED], { cwd: folder, env });
  mkdirSync(`${real}.new`);
  copyFileSync(join(folder, 'src/grep'), join(`${real}.new`, 'grep'));
  renameSync(`${real}.new`, real);
  return folder;
}

/** Name of each test -> PASS, FAIL, SKIP, XFAIL, ERROR. */
function outcomes(stdout) {
  const found = new Map();
  for (const [, outcome, name] of stdout.matchAll(/^(PASS|FAIL|SKIP|XFAIL|XPASS|ERROR): (.*)$/gm))
    found.set(name, outcome);
  return found;
}

/** @returns for each way the outcome of each test, and what the launcher decided */
export function gnuGrep(sources, work) {
  const env = plainEnvironment();
  const folder = built(sources.source('grep'), work, env);
  const locales = compileLocales(sources, work);
  index(folder, work);
  return WAYS.map((way) => {
    const place = { front: join(folder, 'src'), real: join(folder, 'real/grep'), work };
    const { stdout } = ran('make', ['-C', 'tests', '-k', 'check', ...KEEP_GENERATED], {
      cwd: folder,
      env: { ...environmentOf(way, place), LOCPATH: locales },
    });
    return { way, outcomes: outcomes(stdout), decisions: decisions(way, work).text };
  });
}
