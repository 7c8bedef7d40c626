/** Single-file components: everything but their scripts is blanked, so that offsets stay. */

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
