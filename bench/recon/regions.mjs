/** Ranked regions under a budget of lines: how many of the touched lines an agent reads that follows the ranking. */

export const LINE_BUDGETS = [100, 200, 500];

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
