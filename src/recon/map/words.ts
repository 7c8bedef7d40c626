/** Words of identifiers and of prose, in the form in which the two can meet. */

const PARTS = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g;
const TOKEN = /[A-Za-z_][A-Za-z0-9_]*/g;
const SHORTEST = 2;
const LONGEST = 40;

/** Words of English and of issue templates that say nothing about code. */
const STOP = new Set(
  `a an and are as at be been but by can could did do does for from had has have how i if in into is it its just like me my no not of on
   or our out should so some such than that the their them then there these they this to too up use used using was we were what when
   where which while who why will with would you your also any all because before after about only other more most very via here
   am expected actual behavior behaviour steps reproduce version issue bug problem please thanks example following code see work works
   working python python3 traceback recent call last line file py self none true false return def class import print`.split(
    /\s+/,
  ),
);

/** Brings plural and singular together, and nothing else. */
function stem(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (word.length > 3 && word.endsWith('s') && !/(ss|us|is)$/.test(word)) return word.slice(0, -1);
  return word;
}

/** The words of one identifier: its parts, and the whole where it has several. Lower case. */
export function wordsOfIdentifier(identifier: string): string[] {
  const parts = identifier.match(PARTS) ?? [];
  const words: string[] = [];
  for (const part of parts) {
    const word = stem(part.toLowerCase());
    if (word.length >= SHORTEST && word.length <= LONGEST) words.push(word);
  }
  if (parts.length > 1 && identifier.length <= LONGEST * 2) words.push(identifier.toLowerCase());
  return words;
}

/** The words of any text with how often they occur, without those that say nothing. */
export function wordCounts(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const token of text.match(TOKEN) ?? []) {
    if (token.length > LONGEST * 2) continue;
    for (const word of wordsOfIdentifier(token)) {
      if (!STOP.has(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
    }
  }
  return counts;
}
