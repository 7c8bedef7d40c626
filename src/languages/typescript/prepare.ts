/** What is done to a source before it is parsed. Offsets and lines stay. */

const SCRIPT = /<script\b((?:"[^"]*"|'[^']*'|[^>"'])*)>([\s\S]*?)<\/script\s*>/gi;
const NOT_A_SCRIPT = /\btype\s*=\s*["'](?!module|text\/(?:javascript|typescript|babel|ecmascript))/i;

/** Spaces for everything but line ends. */
const blank = (text: string): string => text.replace(/[^\r\n]/g, ' ');

/** The script blocks of a .vue or .svelte file at their offsets, all else blank. */
export function scriptBlocks(source: string): string {
  let result = '';
  let end = 0;
  for (const found of source.matchAll(SCRIPT)) {
    const [whole, attributes = '', body = ''] = found;
    if (NOT_A_SCRIPT.test(attributes)) continue;
    const start = found.index + whole.indexOf('>', '<script'.length + attributes.length) + 1;
    result += blank(source.slice(end, start)) + body;
    end = start + body.length;
  }
  return result + blank(source.slice(end));
}

const SIGNATURE_ON_NEW_LINE =
  /([\w>\])](?:[ \t]*\/\/[^\n]*)?\r?\n(?:[ \t]*(?:\/\/[^\n]*)?\r?\n)*[ \t]*)[ \t](<[\r\nA-Z])/g;

/**
 * Ends what stands before a line that starts with type parameters (`<T>(x: T): T` in an interface): the
 * grammar knows no automatic semicolon there, and would read on as type arguments of the line above.
 */
export function separateSignatures(source: string): string {
  return source.replace(SIGNATURE_ON_NEW_LINE, '$1;$2');
}
