/** Brings lines of an oracle and symbols of ours to the same names, so that they can be compared. */

/** What a reference counts as coming from; a field or variable belongs to what encloses it. */
const CONTAINERS = new Set(['class', 'interface', 'struct', 'enum', 'type', 'namespace', 'function', 'method']);

const lastSegment = (name) => name.slice(name.lastIndexOf('.') + 1);
const withoutNumber = (name) => name.replace(/#\d+/g, '');

/** `A.f#2` and `A.f` are one; constructing and naming a class are one. */
export const sameName = (name) => withoutNumber(name).replace(/\.(?:__init__|__new__|constructor|<constructor>)$/, '');

/** The name by which a target is written at a reference. */
export const writtenName = (symbol) => lastSegment(sameName(symbol));

const escaped = (text) => text.replace(/[^\w\s]/g, '\\$&');

/** Builtins of Python that are names of attributes, too: scip-python takes `self.type` for the builtin. */
const PYTHON_BUILTINS = new Set(
  'type str id input filter format list dict set map all any min max sum open print hash next iter range object property slice compile help bytes int float bool'.split(
    ' ',
  ),
);

/** Index of the innermost symbol at each line, -1 for none: widest first, so that the narrowest stays. */
function paint(symbols, lines, wanted) {
  const owner = new Int32Array(lines + 2).fill(-1);
  symbols
    .map((symbol, index) => ({ symbol, index, size: symbol.endLine - symbol.line }))
    .filter(({ symbol }) => wanted(symbol))
    .sort((a, b) => b.size - a.size || a.index - b.index)
    .forEach(({ symbol, index }) => {
      owner.fill(index, symbol.line, Math.min(symbol.endLine, lines) + 1);
    });
  return owner;
}

/** How many lines above a property its object literal is looked for. */
const LONGEST_LITERAL = 100;

/** Whether the innermost bracket that is open at the end of a text is a brace. Strings are not told apart. */
function isInsideBraces(text) {
  let depth = 0;
  for (let at = text.length - 1; at >= 0; at--) {
    const character = text[at];
    if (/[)\]}]/.test(character)) depth++;
    else if (/[([{]/.test(character) && depth-- === 0) return character === '{';
  }
  return false;
}

export class Places {
  constructor(files) {
    this.files = files;
    this.owners = new Map();
    this.augmentations = new Map();
    /** Last names of all definitions, and all names that an import gives to something called otherwise. */
    this.definitions = new Set();
    this.aliases = new Set();
    for (const { symbols, imports } of files.values()) {
      for (const { name } of symbols) this.definitions.add(lastSegment(withoutNumber(name)));
      for (const { name, alias } of imports) if (alias !== undefined && alias !== name) this.aliases.add(alias);
    }
  }

  ownersOf(path) {
    let owners = this.owners.get(path);
    if (!owners) {
      const { symbols, lines } = this.files.get(path);
      owners = {
        container: paint(symbols, lines, ({ kind }) => CONTAINERS.has(kind)),
        any: paint(symbols, lines, () => true),
      };
      this.owners.set(path, owners);
    }
    return owners;
  }

  /**
   * Whether a line lies in a `declare module 'x' { }` block, declares modules that are no code (`'*.css'`), or is one of
   * many declarations of an interface in `declare global`.
   */
  isAugmentation(path, line) {
    let lines = this.augmentations.get(path);
    if (!lines) {
      lines = new Set();
      let end;
      let isGlobal = false;
      for (const [index, text] of (this.files.get(path)?.text ?? []).entries()) {
        const opening = /^(\s*)declare (?:module ['"]|(global))/.exec(text);
        const isWhole = opening && /[;}]\s*$/.test(text);
        if (opening && !isWhole) end = `${opening[1]}}`;
        if (opening) isGlobal = opening[2] !== undefined;
        const counts = !isGlobal || /^\s*interface\s/.test(text);
        if ((isWhole || end !== undefined) && counts) lines.add(index + 1);
        if (!opening && text.trimEnd() === end) end = undefined;
      }
      this.augmentations.set(path, lines);
    }
    return lines.has(line);
  }

  /** Whether a name is written as a tag that the platform provides, such as `<p>` or `</p>`. */
  isIntrinsicTag(path, line, name) {
    if (!/\.[jt]sx$/.test(path) || !/^[a-z][\w-]*$/.test(name ?? '')) return false;
    const text = this.files.get(path).text[line - 1] ?? '';
    return new RegExp(`</?${name}(?![\\w.-])`).test(text);
  }

  /** Whether a name of a Python builtin stands as an attribute on a line, or `Exception`, which is one of classes there. */
  isBuiltinAttribute(path, line, name) {
    if (!/\.pyi?$/.test(path) || !(PYTHON_BUILTINS.has(name) || name === 'Exception')) return false;
    return new RegExp(`\\.\\s*${name}\\b`).test(this.files.get(path).text[line - 1] ?? '');
  }

  /** How often a name stands as a word on a line. */
  timesWritten(path, line, name) {
    const text = this.files.get(path).text[line - 1] ?? '';
    return text.split(/[^\w$]+/).filter((word) => word === name).length;
  }

  /**
   * Whether `{ name }` stands for `{ name: name }` on a line: it then refers to the variable and to the member of the
   * type that is expected there.
   */
  isShorthand(path, line, name) {
    if (!/\.(?:[cm]?[jt]sx?|vue|svelte)$/.test(path)) return false;
    const { text } = this.files.get(path);
    const before = text.slice(Math.max(0, line - 1 - LONGEST_LITERAL), line - 1).join('\n');
    const on = text[line - 1] ?? '';
    const word = new RegExp(`(?<=^|[{,])\\s*${escaped(name)}\\s*(?=[,}]|$)`, 'g');
    return [...on.matchAll(word)].some(({ index }) => isInsideBraces(`${before}\n${on.slice(0, index)}`));
  }

  /**
   * What `{ key }` and `{ key: name }` in an object literal hold, where a reference ends there, as `[path, line]`: the
   * definition of that name, also in another file. `isExport` where the object is what the module exports: it then
   * stands for that definition alone, as in `export { name }`, and without `definition` for nothing of ours.
   */
  heldBy({ to, toLine, symbol, name }) {
    const key = symbol ?? name;
    const file = key && /\.(?:[cm]?[jt]sx?|vue|svelte)$/.test(to) ? this.files.get(to) : undefined;
    const property = file?.symbols.find(
      (one) => one.kind === 'property' && one.line === toLine && lastSegment(withoutNumber(one.name)) === key,
    );
    const written = new RegExp(`(?:^|[{,]\\s*)${escaped(key)}\\s*(?::\\s*([\\w$]+)\\s*)?(?:[,}]|$)`);
    const match = property && written.exec(file.text[toLine - 1]?.trim() ?? '');
    if (!match) return undefined;
    const named = match[1] ?? key;
    const isExport = /^exports(?:#\d+)?\.[^.]*$/.test(property.name);
    const own = file.symbols.find((one) => one.name === named);
    if (own) return { isExport, definition: [to, own.line] };
    const edge = file.edges.find(
      ({ line, to: end }) => line === toLine && end.symbol && writtenName(end.symbol) === named,
    );
    const far = edge && this.files.get(edge.to.path)?.symbols.find((one) => one.name === edge.to.symbol);
    return { isExport, ...(far ? { definition: [edge.to.path, far.line] } : {}) };
  }

  /**
   * What a script defines of what hand-written declarations (`x.d.ts` of `x.js`) declare, as `[path, line]`: for the
   * module the script, for a definition the end of its `declaration` edge. Undefined where there is none.
   */
  implementationOf({ kind, to, toLine, symbol: written, name }) {
    if (!/\.d\.[cm]?ts$/.test(to) || !this.files.has(to)) return undefined;
    const { symbols, edges } = this.files.get(to);
    const implementations = edges.filter(({ provenance }) => provenance === 'declaration');
    if (kind === 'module') {
      const script = to.replace(/\.d\.([cm]?)ts$/, '.$1js');
      return this.files.has(script) ? [script, 1] : undefined;
    }
    const { symbol, exact } = this.definitionAt(to, toLine, written ?? name);
    const edge = exact && implementations.find(({ from }) => sameName(symbols[from]?.name ?? '') === symbol);
    if (!edge) return undefined;
    const found = this.files.get(edge.to.path)?.symbols.find((one) => one.name === edge.to.symbol);
    return found && [edge.to.path, found.line];
  }

  nameAt(path, index) {
    return index >= 0 ? sameName(this.files.get(path).symbols[index].name) : '';
  }

  /** Name of the innermost container at a line, '' at module level. */
  containerAt(path, line) {
    return this.nameAt(path, this.ownersOf(path).container[line] ?? -1);
  }

  /**
   * The containers that an edge may count for: that of its symbol, and that of its line, where symbols
   * nest finer than references do (methods of an interface, the type of a constant function).
   */
  containersOf(path, edge) {
    const atLine = this.containerAt(path, edge.line);
    const symbol = this.files.get(path).symbols[edge.from];
    let own = '';
    if (symbol) own = CONTAINERS.has(symbol.kind) ? sameName(symbol.name) : this.containerAt(path, symbol.line);
    return own === atLine ? [own] : [own, atLine];
  }

  /**
   * The symbol of ours that a definition at `line`, called `name`, is. `exact` is false where we
   * have no such symbol: then it is what encloses the line ('' the file). `value` says that it is neither
   * function nor type, but a field, property, variable or constant.
   */
  definitionAt(path, line, name) {
    const file = this.files.get(path);
    if (!file) return { symbol: '', exact: false };
    const wanted = name && sameName(`.${name}`) === '' ? undefined : name;
    let best;
    for (const symbol of file.symbols) {
      if (symbol.line > line || symbol.endLine < line || lastSegment(withoutNumber(symbol.name)) !== wanted) continue;
      if (!best || symbol.endLine - symbol.line <= best.endLine - best.line) best = symbol;
    }
    if (best) return { symbol: sameName(best.name), exact: true, value: !CONTAINERS.has(best.kind) };
    const { container, any } = this.ownersOf(path);
    // A constructor is its class; on its line there may be fields that its parameters are.
    if (wanted === undefined) return { symbol: this.nameAt(path, container[line] ?? -1), exact: true };
    // A member in the written-out type of a constant is the member of the constant's value.
    const around = file.symbols[any[line] ?? -1];
    const member = around && file.symbols.find((symbol) => symbol.name === `${around.name}.${wanted}`);
    if (member) return { symbol: sameName(member.name), exact: true, value: !CONTAINERS.has(member.kind) };
    return { symbol: this.nameAt(path, container[line] ?? -1), exact: false };
  }
}
