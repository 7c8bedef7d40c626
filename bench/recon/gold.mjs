/** What a fix touched, in terms of a corpus. */

const isFunction = ({ kind }) => kind === 'function' || kind === 'method' || kind === 'property';

/**
 * Files and functions of the fix, as indexes. A line counts for the innermost listed symbol around it (what is
 * defined inside a function belongs to that function). `functions` is undefined where a touched line lies in
 * no symbol, as in the published measure; classes count only where no function was touched.
 */
export function goldOf(row, corpus) {
  const files = [];
  const symbols = new Set();
  const lines = [];
  let inside = true;
  for (const path of row.gold_code_files) {
    const file = corpus.paths.indexOf(path);
    if (file < 0) continue;
    files.push(file);
    const own = corpus.symbols.map((symbol, i) => ({ ...symbol, i })).filter((symbol) => symbol.file === file);
    for (const [first, last] of row.gold_lines[path] ?? []) {
      for (let line = first; line <= last; line += 1) {
        lines.push(`${file}:${line}`);
        const around = own.filter((symbol) => symbol.line <= line && line <= symbol.endLine);
        around.sort((a, b) => a.endLine - a.line - (b.endLine - b.line));
        if (around[0]) symbols.add(around[0].i);
        else inside = false;
      }
    }
  }
  const functions = [...symbols].filter((i) => isFunction(corpus.symbols[i]));
  const chosen = functions.length > 0 ? functions : [...symbols];
  return { files, lines: new Set(lines), functions: inside && chosen.length > 0 ? chosen : undefined };
}
