/** Captures and tokens of one file to its facts: walks the tokens, and hands each construct to its reader. */
import type { FileFacts } from '../../facts/model.js';
import type { Capture, ParsedFile } from '../language.js';
import { enterClass, enterField } from './classes.js';
import { readDirectives } from './directives.js';
import { enterEnum, enterNamespace } from './enums-and-namespaces.js';
import { enterTag, visitDecorator, visitParenthesis, visitWord } from './expressions.js';
import { Extraction } from './extraction.js';
import { enterFunction, enterLambda, enterMethod } from './functions.js';
import { enterBraces } from './object-literals.js';
import { factsOf } from './results.js';
import { unquoted } from './token-reader.js';
import { PUNCTUATION, STRING, WORD } from './tokens.js';
import { enterSignature, enterTypeDeclaration } from './type-declarations.js';
import { visitType } from './type-uses.js';

const LONGEST_STRING = 200;
const LOOKS_LIKE_PATH = /^(?:[\w@.-]+\/)+[\w@.-]+$|^[\w-]+\.[a-z]{2,4}$/;

/** Enters a construct at its first token. */
function enter(extraction: Extraction, span: Capture, index: number): void {
  switch (span.name) {
    case 'function':
      enterFunction(extraction, span, index);
      return;
    case 'lambda':
      enterLambda(extraction, span, index);
      return;
    case 'method':
      enterMethod(extraction, span, index);
      return;
    case 'field':
      enterField(extraction, span, index);
      return;
    case 'class':
      enterClass(extraction, span, index);
      return;
    case 'interface':
    case 'alias':
      enterTypeDeclaration(extraction, span, index);
      return;
    case 'signature':
      enterSignature(extraction, span, index);
      return;
    case 'enum':
      enterEnum(extraction, span, index);
      return;
    case 'namespace':
      enterNamespace(extraction, span, index);
      return;
    case 'type':
      extraction.push({ kind: 'type', end: span.end, inTypes: true });
      return;
    case 'parameters':
      extraction.push({ kind: 'type', end: span.end, inTypes: true, parameters: true });
      return;
    case 'heritage':
      extraction.push({ kind: 'type', end: span.end, inTypes: true, heritage: true });
      return;
    case 'cast':
      extraction.push({ kind: 'cast', end: span.end });
      return;
    case 'tag':
      enterTag(extraction, span, index);
      return;
    case 'closing':
      for (let at = index; extraction.reader.offset(at) < span.end; at++) extraction.done[at] = 1;
      return;
  }
}

/** Reads one token. */
function visit(extraction: Extraction, index: number): void {
  const { reader } = extraction;
  const kind = reader.kind[index];
  if (kind === WORD) {
    if (extraction.done[index] === 1) return;
    const before = reader.at(index - 1);
    if ((before === '.' || before === '?.') && reader.kind[index - 1] === PUNCTUATION) return;
    if (extraction.top.inTypes) visitType(extraction, index);
    else visitWord(extraction, index);
    return;
  }
  if (kind === STRING) {
    const text = reader.at(index);
    if (text.length > 4 && text.length < LONGEST_STRING && extraction.done[index] !== 1) {
      const inner = unquoted(text);
      if (LOOKS_LIKE_PATH.test(inner)) {
        extraction.strings.push({ text: inner, line: extraction.lineOfToken(index), from: extraction.owner });
      }
    }
    return;
  }
  if (kind !== PUNCTUATION) return;
  const text = reader.at(index);
  if (text === '{') enterBraces(extraction, index);
  else if (text === '(') visitParenthesis(extraction, index);
  else if (text === '@' && reader.isWord(index + 1)) visitDecorator(extraction, index);
}

/** Facts of one parsed file. */
export function extract(parsed: ParsedFile): FileFacts {
  const extraction = new Extraction(parsed);
  readDirectives(extraction);
  const { reader, frames, spans, initialisers, docs, documented } = extraction;
  let next = 0;
  for (let index = 0; index < reader.length; index++) {
    const offset = reader.offset(index);
    while (frames.length > 1 && extraction.top.end <= offset) extraction.leave();
    const initialiser = initialisers.get(index);
    if (initialiser) {
      extraction.push({ kind: 'member', end: reader.offset(initialiser.end), owner: initialiser.symbol });
    }
    while (next < spans.length && (spans[next]?.start ?? 0) <= offset) {
      const span = spans[next++] as Capture;
      if (span.end > offset) enter(extraction, span, index);
    }
    visit(extraction, index);
    for (const doc of docs.get(index) ?? []) {
      if (!documented.has(doc)) documented.set(doc, { owner: extraction.owner, scope: extraction.scope });
    }
  }
  while (frames.length > 1) extraction.leave();
  return factsOf(extraction);
}
