/** Ranked regions under a budget of lines: how many of the touched lines an agent reads that follows the ranking. */

export const LINE_BUDGETS = [100, 200, 500];

const isType = (kind) => kind === 'class' || kind === 'interface' || kind === 'struct' || kind === 'namespace';

/** Symbols in order as regions; of a class only the lines before its first member. */
export function regionsOfSymbols(corpus, order) {
  return order.map((i) => {
    const { file, name, kind, line, endLine } = corpus.symbols[i];
    if (!isType(kind)) return [file, line, endLine];
    let end = endLine;
    for (let j = i + 1; j < corpus.symbols.length && corpus.symbols[j].file === file; j += 1) {
      if (!corpus.symbols[j].name.startsWith(`${name}.`)) continue;
      end = Math.min(end, corpus.symbols[j].line - 1);
      break;
    }
    return [file, line, Math.max(line, end)];
  });
}

/** Recall of gold lines and context efficiency (gold lines over lines read) at each budget. */
export function scoreRegions(regions, gold) {
  const read = new Set();
  const result = [];
  let budget = 0;
  for (const [file, first, last] of regions) {
    for (let line = first; line <= last; line += 1) {
      const key = `${file}:${line}`;
      if (read.has(key)) continue;
      read.add(key);
      if (read.size === LINE_BUDGETS[budget]) {
        result.push(hits(read, gold));
        budget += 1;
        if (budget === LINE_BUDGETS.length) return result;
      }
    }
  }
  while (result.length < LINE_BUDGETS.length) result.push(hits(read, gold));
  return result;
}

function hits(read, gold) {
  const found = [...gold].filter((key) => read.has(key)).length;
  return { recall: found / gold.size, efficiency: read.size === 0 ? 0 : found / read.size, any: Number(found > 0) };
}
