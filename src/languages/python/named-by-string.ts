/** Strings to what they name: settings, tasks and entry points refer to modules and classes by text. */
import type { Target } from '../../graph/edge.js';
import type { LinkView } from '../../graph/view.js';
import { STANDARD_LIBRARY } from './builtins.js';
import { resolveModule } from './modules.js';
import { memberOf } from './names.js';

/** What a string names: a path of a file, or `package.module`, `package.module.Name`, `package.module:name`. */
export function namedByString(view: LinkView, dir: string, text: string): Target | undefined {
  if (text.includes('/') || /\.pyi?$/.test(text)) {
    const path = text.includes('/') && view.has(text) ? text : dir === '' ? text : `${dir}/${text}`;
    return view.has(path) ? { path } : undefined;
  }
  const parts = text.split(/[.:]/);
  if (STANDARD_LIBRARY.has(parts[0] as string)) return undefined;
  for (
    let length = text.includes(':') ? text.slice(0, text.indexOf(':')).split('.').length : parts.length;
    length > 0;
    length--
  ) {
    const at = resolveModule(view, dir, parts.slice(0, length).join('.'));
    if (!at) continue;
    if (!('path' in at)) return undefined;
    const rest = parts.slice(length);
    if (rest.length === 0) return { path: at.path };
    const meaning = memberOf(view, at, rest[0] as string);
    if (meaning?.k === 'module' && rest.length === 1 && 'path' in meaning.at) return { path: meaning.at.path };
    if (meaning?.k !== 'definition') return undefined;
    const symbol = [meaning.symbol, ...rest.slice(1)].join('.');
    return view.entry(meaning.path, symbol) === undefined ? undefined : { path: meaning.path, symbol };
  }
  return undefined;
}
