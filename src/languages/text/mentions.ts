/** Text to mentions: what in a document or a configuration file may name a part of the repository. */

/**
 * - `path`: contains a slash, or is a file name in a place that holds code;
 * - `dotted`: a dotted name, with `:attribute` as in entry points;
 * - `name`: a bare name in a code span or role, `()` kept where it was written.
 */
export type MentionKind = 'path' | 'dotted' | 'name';

export interface Mention {
  readonly kind: MentionKind;
  readonly text: string;
  readonly line: number;
}

/** A file that names more is a list, not a description. */
const MOST = 600;
const LONGEST_LINE = 2000;

/** A slash path. What stands before must not make it part of an address, a pattern or a longer word. */
const PATH = /(?<![\w@~*{$:/.-])(?:\.{1,2}\/|\/)?[\w@+-][\w.@+-]*(?:\/[\w.@+-]+)+/g;
/** The repository's own files in addresses of a forge. */
const FORGE = /\/(?:blob|tree|raw|edit)\/[^/\s]+\/([\w./@+-]+)/g;
const ADDRESS = /\b[a-z][a-z+.-]{0,20}:\/\/[^\s)>"'`\]]+/g;
const FILE_NAME = /(?<![\w./@*{$-])[\w-]+(?:\.[\w-]+)*\.[a-z][a-z0-9]{0,4}(?![\w/*-]|\.\w)/g;
const DOTTED = /(?<![\w./@$-])[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+(?::[A-Za-z_][\w.]*)?(?![\w/-])/g;
const ENTRY = /(?<![\w./@$-])[A-Za-z_]\w*:[A-Za-z_]\w*(?![\w/:-])/g;

/** ``x``, `x`, and roles of reStructuredText, :func:`~pkg.f`. */
const SPAN = /(:[a-z][\w:+-]{0,40}:)?(`{1,2})([^`\n]{2,120}?)\2/g;
const DOTTED_NAME = /^[A-Za-z_]\w*(?:(?:\.|::|#)[A-Za-z_]\w*)+(\(.*\))?$/;
const BARE_NAME = /^[A-Za-z_]\w{2,}(\(.*\))?$/;
/** Autodoc and the domains: `.. autoclass:: Flask`, `.. py:function:: f(x)`. */
const DIRECTIVE =
  /^(\s*)\.\. (?:\w+:)?(?:auto)?(module|class|function|method|attribute|data|exception|decorator|property|currentmodule)::\s+~?([\w.]+)/;
const PYTHON_IMPORT = /^[\s>]*from\s+([A-Za-z_][\w.]*)\s+import\s+\(?\s*([\w, ]+)/;
/** Places in documents that hold code: links, spans, quotes are looked at for file names. */
const CODE_PLACE = /`[^`\n]+`|\]\([^)\s]+\)|"[^"\n]+"|'[^'\n]+'|^\s*\.\. (?:literal)?include::.*$/g;

function trimmed(text: string): string {
  return text.replace(/[.,:;]+$/, '');
}

class Collector {
  private readonly seen = new Set<string>();
  readonly mentions: Mention[] = [];

  add(kind: MentionKind, text: string, line: number): void {
    const key = `${kind}\0${text}`;
    if (text === '' || this.seen.has(key) || this.mentions.length >= MOST) return;
    this.seen.add(key);
    this.mentions.push({ kind, text, line });
  }
}

/** What the inside of a code span or role says: `~flask.Flask.route`, `url_for()`, `title <target>`. */
function span(content: string, role: boolean, line: number, module: string, into: Collector): void {
  const target = /<([^<>]+)>$/.exec(content)?.[1] ?? content;
  const name = target.trim().replace(/^[~!.]+/, '');
  if (DOTTED_NAME.test(name)) into.add('dotted', name.replace(/\(.*$/, '').replace(/::|#/g, '.'), line);
  else if (BARE_NAME.test(name)) {
    // Without a role a plain word in a span may be anything: a local, a parameter, an option.
    const inModule = module !== '' && (role || /[A-Z(]/.test(name));
    if (inModule) into.add('dotted', `${module}.${name.replace(/\(.*$/, '')}`, line);
    into.add('name', name.replace(/\(.*$/, '()'), line);
  }
}

/** What directives further up say about the ones below: the module, and the class that indented ones belong to. */
interface Scope {
  readonly module: string;
  readonly holder: string;
  readonly indent: number;
}

function directive(text: string, line: number, scope: Scope, into: Collector): Scope {
  const [, { length: indent } = '', kind = '', name = ''] = DIRECTIVE.exec(text) ?? [];
  if (kind === '') return scope;
  if (kind === 'currentmodule') return { module: name, holder: '', indent };
  if (kind === 'module') {
    into.add('dotted', name, line);
    return { module: name, holder: '', indent };
  }
  const holder = indent > scope.indent ? scope.holder : '';
  const prefix = [scope.module, holder].filter((part) => part !== '').join('.');
  if (name.includes('.')) into.add('dotted', name, line);
  if (prefix !== '') into.add('dotted', `${prefix}.${name}`, line);
  return kind === 'class' || kind === 'exception' ? { module: scope.module, holder: name, indent } : scope;
}

const NONE: readonly RegExpExecArray[] = [];

/** All matches; none where the text lacks what every match has. Most lines lack it, and looking for it costs little. */
function matches(text: string, pattern: RegExp, has: string): Iterable<RegExpExecArray> {
  return text.includes(has) ? text.matchAll(pattern) : NONE;
}

const withoutAddresses = (line: string): string => (line.includes('://') ? line.replace(ADDRESS, ' ') : line);
/** Whether a line may hold a place of CODE_PLACE. */
const mayHoldCode = (line: string): boolean =>
  line.includes('`') || line.includes('"') || line.includes("'") || line.includes('](') || line.includes('include::');

/** The mentions of a document, in order, each once. Prose is read for paths only, code spans for names too. */
export function mentionsOfDocument(text: string): Mention[] {
  const into = new Collector();
  let scope: Scope = { module: '', holder: '', indent: 0 };
  text.split('\n').forEach((raw, index) => {
    const line = index + 1;
    if (raw.length > LONGEST_LINE) return;
    for (const [, path] of matches(raw, FORGE, '/')) into.add('path', trimmed(path ?? ''), line);
    const plain = withoutAddresses(raw);
    for (const [path] of matches(plain, PATH, '/')) into.add('path', trimmed(path), line);
    for (const [place] of mayHoldCode(plain) ? plain.matchAll(CODE_PLACE) : NONE) {
      for (const [name] of matches(place, FILE_NAME, '.')) into.add('path', name, line);
    }
    if (plain.includes('.. ')) scope = directive(plain, line, scope, into);
    for (const [, role, , content] of matches(plain, SPAN, '`'))
      span(content ?? '', role !== undefined, line, scope.module, into);
    const imported = plain.includes('import') ? PYTHON_IMPORT.exec(plain) : null;
    for (const name of imported?.[2]?.split(',') ?? []) {
      const [own = ''] = name.trim().split(/\s/);
      if (own !== '') into.add('dotted', `${imported?.[1]}.${own}`, line);
    }
  });
  return into.mentions;
}

/** The mentions of a configuration file: every path, file name and dotted name, comments included. */
export function mentionsOfConfiguration(text: string): Mention[] {
  const into = new Collector();
  text.split('\n').forEach((raw, index) => {
    const line = index + 1;
    if (raw.length > LONGEST_LINE) return;
    const plain = withoutAddresses(raw);
    for (const [path] of matches(plain, PATH, '/')) into.add('path', trimmed(path), line);
    for (const [name] of matches(plain, FILE_NAME, '.')) into.add('path', name, line);
    for (const [name] of matches(plain, DOTTED, '.')) into.add('dotted', name, line);
    for (const [name] of matches(plain, ENTRY, ':')) into.add('dotted', name, line);
  });
  return into.mentions;
}
