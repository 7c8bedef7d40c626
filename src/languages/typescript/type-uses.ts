/** Names where types stand. */
import type { Extraction } from './extraction.js';
import { isKeyword, isPredefinedType } from './token-reader.js';

const TYPE_WORDS = new Set('keyof readonly unique new abstract asserts is extends out infer in'.split(' '));

/** A word where types stand. */
export function visitType(extraction: Extraction, index: number): void {
  const { reader } = extraction;
  const word = reader.at(index);
  const before = reader.at(index - 1);
  const next = reader.at(index + 1);
  const { top } = extraction;
  if (
    top.parameters &&
    (before === '<' || before === ',' || before === 'const' || before === 'in' || before === 'out')
  ) {
    if (word === 'const' || ((word === 'in' || word === 'out') && reader.isWord(index + 1))) return;
    extraction.done[index] = 1;
    const binding = top.scope.own(word);
    binding.value = next === 'extends' ? reader.type(index + 2).type : undefined;
    const holder = extraction.frames[extraction.frames.length - 2];
    if (holder?.kind === 'class' && holder.members !== undefined && holder.scope === top.scope) {
      binding.parameter ??= top.scope.typeParameters++;
    }
    return;
  }
  if (before === 'infer' || (next === 'in' && before === '[')) {
    top.scope.own(word);
    return;
  }
  if (word === 'import') {
    const call = reader.moduleCall(index);
    if (!call) return;
    extraction.addImport({ module: call.module, typeOnly: true }, index);
    if (reader.at(call.end) === '.') {
      const { segments } = reader.name(call.end + 1);
      extraction.refer('type', ['?', ...segments], index, { m: call.module, x: '*' });
    }
    return;
  }
  if (word === 'typeof') {
    if (!reader.isName(index + 1)) return;
    extraction.done[index + 1] = 1;
    extraction.refer('read', reader.name(index + 1).segments, index + 1);
    return;
  }
  if (TYPE_WORDS.has(word) || isPredefinedType(word) || isKeyword(word) || word === 'this') return;
  if (next === 'is' || before === 'asserts') return;
  if (next === '(' && top.kind !== 'type') return;
  if ((next === ':' || (next === '?' && reader.at(index + 2) === ':')) && before !== '?') {
    if (/^[({,;[]$|^(\.\.\.|readonly)$/.test(before) || reader.startsLine(index)) return;
  }
  const { segments, end } = reader.name(index);
  extraction.refer(top.heritage ? 'inherit' : 'type', segments, index);
  const keys = reader.keys(end);
  // What a type parameter stands for may declare the member anew: its constraint tells of a path, not of one key.
  const isParameter = (extraction.scope.find(word)?.scope ?? extraction.module) !== extraction.module;
  if (keys.length > (isParameter ? 1 : 0)) extraction.refer('read', ['?', ...keys], index, { t: segments.join('.') });
}
