/** Import and export statements. */
import { exportValue } from './exports.js';
import type { Extraction } from './extraction.js';
import { unquoted } from './token-reader.js';

/** `{ a, b as c, type d, default as e }` at `open`: pairs of names. A name may be a string. */
function specifiers(
  extraction: Extraction,
  open: number,
): { readonly name: string; readonly alias: string; readonly typeOnly: boolean; readonly at: number }[] {
  const { reader, done } = extraction;
  const close = reader.match[open] ?? -1;
  const found = [];
  let at = open + 1;
  while (at < close) {
    let typeOnly = false;
    const isSeparator = (index: number): boolean => reader.at(index) === ',' || index >= close;
    if (reader.at(at) === 'type' && !isSeparator(at + 1) && reader.at(at + 1) !== 'as') {
      typeOnly = true;
      at++;
    }
    const text = (index: number): string => (reader.isString(index) ? unquoted(reader.at(index)) : reader.at(index));
    const name = text(at);
    const first = at;
    let alias = name;
    if (reader.at(at + 1) === 'as' && !isSeparator(at + 2)) {
      alias = text(at + 2);
      at += 2;
    }
    found.push({ name, alias, typeOnly, at: first });
    at++;
    while (at < close && !isSeparator(at)) at++;
    at++;
  }
  for (let token = open; token <= close; token++) done[token] = 1;
  return found;
}

/** Index of the module string behind `from` at `index`, -1 if there is none. */
function moduleAt(extraction: Extraction, index: number): number {
  const { reader, done } = extraction;
  if (reader.at(index) !== 'from' || !reader.isString(index + 1)) return -1;
  done[index] = 1;
  done[index + 1] = 1;
  return index + 1;
}

/** `import` at a token, in whatever form. */
export function readImport(extraction: Extraction, index: number): void {
  const { reader, done, scope } = extraction;
  let at = index + 1;
  if (reader.at(at) === '(') {
    const call = reader.moduleCall(index);
    if (call && done[at + 1] !== 1) {
      done[at + 1] = 1;
      extraction.addImport({ module: call.module }, index);
    }
    return;
  }
  if (reader.isString(at)) {
    done[at] = 1;
    extraction.addImport({ module: unquoted(reader.at(at)) }, index);
    return;
  }
  let typeOnly = false;
  const behind = reader.at(at + 1);
  if (reader.at(at) === 'type' && behind !== 'from' && behind !== ',' && behind !== '=') {
    typeOnly = true;
    done[at++] = 1;
  } else if (reader.at(at) === 'type' && behind === 'from' && reader.at(at + 2) === 'from') {
    typeOnly = true;
    done[at++] = 1;
  }
  if (/^(defer|source)$/.test(reader.at(at)) && !/^(from|,|=)$/.test(reader.at(at + 1))) done[at++] = 1;
  const bound: { name: string; alias: string; at: number; typeOnly: boolean }[] = [];
  if (reader.isName(at)) {
    const alias = reader.at(at);
    done[at] = 1;
    if (reader.at(at + 1) === '=') {
      importEquals(extraction, alias, at, typeOnly);
      return;
    }
    bound.push({ name: 'default', alias, at, typeOnly });
    at++;
    if (reader.at(at) === ',') at++;
  }
  if (reader.at(at) === '*' && reader.at(at + 1) === 'as') {
    done[at + 1] = 1;
    done[at + 2] = 1;
    bound.push({ name: '*', alias: reader.at(at + 2), at: at + 2, typeOnly });
    at += 3;
  } else if (reader.at(at) === '{') {
    bound.push(...specifiers(extraction, at));
    at = (reader.match[at] ?? at) + 1;
  }
  const moduleIndex = moduleAt(extraction, at);
  if (moduleIndex < 0) return;
  const module = unquoted(reader.at(moduleIndex));
  if (bound.length === 0) extraction.addImport({ module }, index);
  for (const one of bound) {
    scope.own(one.alias).imported = { m: module, x: one.name };
    extraction.addImport(
      { module, name: one.name, alias: one.alias, ...(typeOnly || one.typeOnly ? { typeOnly: true } : {}) },
      one.at,
    );
  }
}

/** `import x = require('y')` and `import x = A.B`, optionally exported. */
function importEquals(extraction: Extraction, alias: string, at: number, typeOnly: boolean): void {
  const { reader, done, scope } = extraction;
  const binding = scope.own(alias);
  if (reader.at(at + 2) === 'require') {
    const call = reader.moduleCall(at + 2);
    if (!call) return;
    done[at + 2] = 1;
    done[at + 4] = 1;
    binding.imported = { m: call.module, x: '=' };
    extraction.addImport({ module: call.module, alias, ...(typeOnly ? { typeOnly: true } : {}) }, at);
    if (reader.at(at - 2) === 'export') extraction.exported.set(alias, binding.imported);
    return;
  }
  binding.value = { v: reader.name(at + 2).segments };
  if (reader.at(at - 2) === 'export') extraction.exported.set(alias, { local: alias });
}

/** `export { a, b as c }` in a namespace: names of the module that are members of the namespace. */
function exportFromNamespace(extraction: Extraction, index: number): void {
  const { reader } = extraction;
  const holder = extraction.symbols[extraction.owner];
  const open = reader.at(index + 1) === 'type' ? index + 2 : index + 1;
  if (!holder || extraction.top.run || reader.at(open) !== '{') return;
  for (const { name, alias } of specifiers(extraction, open)) {
    extraction.exported.set(`${holder.name}.${alias}`, { local: name, scope: extraction.scope });
  }
}

/** `export` at a token, in whatever form. Declarations behind it are read by themselves. */
export function readExport(extraction: Extraction, index: number): void {
  const { reader, done } = extraction;
  if (!extraction.atModuleLevel) {
    exportFromNamespace(extraction, index);
    return;
  }
  let at = index + 1;
  let typeOnly = false;
  if (reader.at(at) === 'type' && (reader.at(at + 1) === '{' || reader.at(at + 1) === '*')) {
    typeOnly = true;
    done[at++] = 1;
  }
  const flag = typeOnly ? { typeOnly: true } : {};
  if (reader.at(at) === '{') {
    const names = specifiers(extraction, at);
    const moduleIndex = moduleAt(extraction, (reader.match[at] ?? at) + 1);
    for (const { name, alias, at: token } of names) {
      if (moduleIndex < 0) {
        extraction.exported.set(alias, { local: name });
        continue;
      }
      const module = unquoted(reader.at(moduleIndex));
      extraction.exported.set(alias, { m: module, x: name });
      extraction.addImport({ module, name, reexport: true, ...flag }, token);
    }
    return;
  }
  if (reader.at(at) === '*') {
    const isNamed = reader.at(at + 1) === 'as';
    const moduleIndex = moduleAt(extraction, isNamed ? at + 3 : at + 1);
    if (moduleIndex < 0) return;
    const module = unquoted(reader.at(moduleIndex));
    if (isNamed) {
      done[at + 1] = 1;
      done[at + 2] = 1;
      const alias = reader.isString(at + 2) ? unquoted(reader.at(at + 2)) : reader.at(at + 2);
      extraction.exported.set(alias, { m: module, x: '*' });
    } else extraction.stars.push(module);
    extraction.addImport({ module, name: '*', reexport: true, ...flag }, index);
    return;
  }
  if (reader.at(at) === '=') {
    exportValue(extraction, '=', at + 1, index);
    return;
  }
  if (reader.at(at) === 'as' && reader.at(at + 1) === 'namespace') {
    done[at] = 1;
    done[at + 1] = 1;
    done[at + 2] = 1;
    return;
  }
  if (reader.at(at) === 'default') {
    at++;
    const isDeclaration =
      reader.at(at) === 'interface' ||
      reader.at(at) === '@' ||
      /^(abstract|class|function)$/.test(reader.at(at)) ||
      (reader.at(at) === 'async' && reader.at(at + 1) === 'function');
    if (!isDeclaration) exportValue(extraction, 'default', at, index);
    return;
  }
  while (/^(declare|export)$/.test(reader.at(at))) done[at++] = 1;
  extraction.exportDeclarationAt(at);
}
