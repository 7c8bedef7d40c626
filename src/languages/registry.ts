/** Every language that Sidecar reads. Adding one is a folder and a line here (docs/adding-a-language.md). */
import { go } from './go/language.js';
import type { ConfigurationFile, Dialect, Language } from './language.js';
import { python } from './python/language.js';
import { text } from './text/language.js';
import { typescript } from './typescript/language.js';

export const LANGUAGES: readonly Language[] = [python, typescript, go, text];

/** Reads and links the mentions of code in files that resolvers read (`Reader.configuration`). */
export const MENTIONS: Language = text;

export interface Reader {
  readonly language: Language;
  readonly dialect?: Dialect;
  readonly configuration?: ConfigurationFile;
}

/** [suffix, reader], longest suffix first, so that `.d.ts` wins over `.ts`. */
const BY_SUFFIX: readonly (readonly [string, Reader])[] = LANGUAGES.flatMap((language) =>
  language.dialects.flatMap((dialect) =>
    dialect.suffixes.map((suffix): [string, Reader] => [suffix, { language, dialect }]),
  ),
).sort(([a], [b]) => b.length - a.length || (a < b ? -1 : 1));

/** [whole name, reader]; the name may be followed by a dot and more. */
const BY_BASENAME: readonly (readonly [string, Reader])[] = LANGUAGES.flatMap((language) =>
  language.dialects.flatMap((dialect) =>
    (dialect.basenames ?? []).map((basename): [string, Reader] => [basename, { language, dialect }]),
  ),
);

/** How the file at `path` is read: by a grammar, as a configuration file of a language, or not at all. */
export function readerOf(path: string): Reader | undefined {
  const basename = path.slice(path.lastIndexOf('/') + 1);
  for (const language of LANGUAGES) {
    for (const configuration of language.configuration ?? []) {
      if (configuration.matches(basename)) return { language, configuration };
    }
  }
  const lower = basename.toLowerCase();
  return (
    BY_SUFFIX.find(([suffix]) => lower.endsWith(suffix) && lower.length > suffix.length)?.[1] ??
    BY_BASENAME.find(([name]) => lower === name || lower.startsWith(`${name}.`))?.[1]
  );
}

/** The language whose `link` makes the file's edges. */
export function linkerOf({ language, dialect, configuration }: Reader): Language {
  if (dialect) return language;
  const link = configuration?.link;
  if (!link) return MENTIONS;
  return {
    ...MENTIONS,
    link: (path, facts, view) => [...link(path, facts, view), ...MENTIONS.link(path, facts, view)],
  };
}
