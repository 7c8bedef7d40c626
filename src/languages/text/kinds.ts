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

/** Whether the file documents; a text file that is none of these configures. */
export function isDocument(path: string): boolean {
  if (CONFIGURATION_TEXT.test(path)) return false;
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  return DIALECTS.some(
    ({ id, suffixes, basenames = [] }) =>
      id === 'document' && (suffixes.some((suffix) => name.endsWith(suffix)) || basenames.includes(name)),
  );
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

const MEDIA = /\.(svg|png|jpe?g|gif|ico|webp|pdf|mp4|webm|woff2?|ttf|eot|drawio)$/i;
const LEGAL = /(^|\/)(licen[cs]e|copying|notice|readme)[^/]*$/i;

/** Whether a mentioned file is code or settings: that a text points at another text or a picture says nothing about code. */
export function isMaterial(path: string): boolean {
  return !MEDIA.test(path) && !LEGAL.test(path) && !isDocument(path);
}
