/** What the store keeps of each file. */
import type { FileRecord } from '../io/index-store.js';
import type { Content } from './contents.js';

export const wordCount = (words: string): number => (words === '' ? 0 : words.split(' ').length);

/** What the store keeps of a content. */
export function recordOf(content: Content, number: number): FileRecord {
  const { id, module, role, reason, lines, language, words } = content;
  return {
    number,
    id,
    ...(module === undefined ? {} : { module }),
    role,
    ...(reason === undefined ? {} : { reason }),
    lines,
    ...(language === undefined ? {} : { language }),
    words: wordCount(words),
  };
}

/** Last name segments under which a file's definitions are found, each once. */
export function definedNames({ surface }: Pick<Content, 'surface'>): Set<string> {
  return new Set((surface?.defines ?? []).map((symbol) => symbol.slice(symbol.lastIndexOf('.') + 1)));
}
