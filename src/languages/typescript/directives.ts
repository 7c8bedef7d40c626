/** Triple-slash directives: what a file names as belonging to it before its first statement. */
import type { Extraction } from './extraction.js';

/** Blank lines, a byte order mark, `#!`, and comments: a directive behind anything else is a mere comment. */
const HEAD = /^(?:\s|\uFEFF|#!.*|\/\/.*|\/\*[\s\S]*?\*\/)*/;
const BLOCK_COMMENT = /\/\*[\s\S]*?\*\//g;
const DIRECTIVE = /^[^\S\n]*\/\/\/\s*<reference\s+(path|types)\s*=\s*(?:"([^"\n]+)"|'([^'\n]+)')/gm;

/** Adds the files and packages that directives name as imports; a `path` is relative however it is written. */
export function readDirectives(extraction: Extraction): void {
  const { source } = extraction.reader;
  if (!source.includes('<reference')) return;
  const head = (HEAD.exec(source)?.[0] ?? '').replace(BLOCK_COMMENT, (comment) => ' '.repeat(comment.length));
  for (const directive of head.matchAll(DIRECTIVE)) {
    const [, kind, double, single] = directive;
    const named = double ?? single ?? '';
    const module = kind === 'path' && !/^\.{0,2}\//.test(named) ? `./${named}` : named;
    extraction.addImportAt({ module, typeOnly: true }, directive.index, -1);
  }
}
