/** What comments of a file that is read define, import and refer to. */
import type { DocComment, DocDefinition } from './doc-comments.js';
import type { Extraction } from './extraction.js';
import { isWellKnown } from './globals.js';
import type { TypeExpression } from './type-expression.js';

/** Adds definitions, imports and references of all comments. */
export function declareDocumented(extraction: Extraction): void {
  const all = [...extraction.docs.values()].flat();
  for (const doc of all) {
    for (const { module, name, alias, offset } of doc.imports) {
      extraction.module.own(alias).imported ??= { m: module, x: name };
      extraction.addImportAt({ module, name, alias, typeOnly: true }, offset, -1);
    }
    for (const definition of doc.definitions) define(extraction, doc, definition);
  }
  for (const doc of all) referToNames(extraction, doc);
}

function define(extraction: Extraction, doc: DocComment, definition: DocDefinition): void {
  const { name, offset, type, properties } = definition;
  const known = extraction.module.names.get(name);
  if (known) return;
  const alias = properties.length === 0 ? importedType(type) : undefined;
  if (alias) {
    extraction.module.own(name).imported = alias;
    if (!extraction.exported.has(name)) extraction.exported.set(name, alias);
    return;
  }
  const symbol = extraction.addSymbol(name, 'type', offset, doc.end, { isInComment: true });
  if (doc.definitions[0] === definition) extraction.documented.set(doc, { owner: symbol, scope: extraction.module });
  extraction.bind(extraction.module, name, symbol, true);
  extraction.exportName(name, symbol);
  const detail = extraction.details[symbol];
  if (detail) {
    detail.type = type;
    detail.returns = definition.returns;
    if (definition.parameters.some((one) => one)) detail.parameters = definition.parameters;
  }
  for (const property of properties) {
    const member = extraction.addSymbol(`${name}.${property.name}`, 'property', property.offset, property.offset + 1, {
      isMember: true,
      isInComment: true,
    });
    const own = extraction.details[member];
    if (own) own.type = property.type;
  }
}

/** The export of another module that a type is, and nothing more: `import('./x').Foo`. */
function importedType(type: TypeExpression | undefined): { readonly m: string; readonly x: string } | undefined {
  if (!type || !('v' in type) || !type.r || !('m' in type.r)) return undefined;
  return type.v.length === 2 && type.v[1] === 'new()' ? type.r : undefined;
}

function referToNames(extraction: Extraction, doc: DocComment): void {
  const { owner, scope } = extraction.documented.get(doc) ?? { owner: -1, scope: extraction.module };
  for (const { segments, module, isValue, offset } of doc.names) {
    const [first = ''] = segments;
    if (module !== undefined) {
      extraction.addImportAt({ module, typeOnly: true }, offset, owner);
      if (segments.length === 0) continue;
      const root = { m: module, x: '*' };
      extraction.references.push({ kind: 'type', scope, from: owner, chain: ['?', ...segments], root, offset });
    } else if (!doc.templates.has(first) && !isWellKnown(first)) {
      const kind = isValue ? 'read' : 'type';
      extraction.references.push({ kind, scope, from: owner, chain: segments, root: undefined, offset });
    }
  }
}
