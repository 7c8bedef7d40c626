/** Which files are read as documents and which as configuration, and which of them say nothing about code. */
import type { Dialect } from '../language.js';

export const DIALECTS: readonly Dialect[] = [
  {
    id: 'document',
    suffixes: ['.md', '.mdx', '.markdown', '.rst', '.txt', '.adoc', '.asciidoc', '.org'],
    basenames: ['readme', 'contributing', 'hacking', 'install'],
    queries: [],
  },
  {
    id: 'configuration',
    suffixes: '.toml .yaml .yml .ini .cfg .conf .json .json5 .jsonc .properties .mk .cmake .dockerfile .env'.split(' '),
    basenames:
      `dockerfile containerfile makefile gnumakefile justfile jenkinsfile procfile vagrantfile tiltfile earthfile
      caddyfile codeowners .env .babelrc .eslintrc .swcrc .nycrc .mocharc .coveragerc .flake8 .pylintrc`.split(/\s+/),
    queries: [],
  },
];

const CONFIGURATION_TEXT = /(^|\/)(requirements|constraints|cmakelists)[^/]*\.txt$/i;

/** Whether the file configures; else it documents. */
export function isConfiguration(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  return CONFIGURATION_TEXT.test(path) || !(DIALECTS[0]?.suffixes.some((suffix) => name.endsWith(suffix)) ?? false);
}

/** Chronicles tell what happened, not how a thing works or is to be used. */
const CHRONICLE =
  /(^|\/)(change(s|log|_log)?|history|news|releases?([-_]?notes)?|whats[-_]?new|authors|contributors|credits|licen[cs]e|copying|notice|third[-_]party[^/]*)([-_.][^/]*)?$|(^|\/)(\.changeset|changelogs?|changes|release[-_]?notes|news|newsfragments|whatsnew|licenses)\//i;

/** Lists of files or versions that a tool keeps: what they name is not configured by them. */
const INVENTORY =
  /(^|\/)([^/]*lock[^/]*\.(json|yaml|yml|toml)|\.mailmap|\.all-contributorsrc|[^/]*\.snap|[^/]*baseline[^/]*\.json)$/i;

export function isChronicle(path: string): boolean {
  return CHRONICLE.test(path) || INVENTORY.test(path);
}

/** What is linked to is code; that one document points at another is no evidence about code. */
export function isText(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  return DIALECTS[0]?.suffixes.some((suffix) => name.endsWith(suffix)) ?? false;
}
