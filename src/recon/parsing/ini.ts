/** The INI dialect of Python's configparser (setup.cfg, tox.ini, pytest.ini): sections, `key = value`, indented continuations. */
import type { Parsed, Tree } from './tree.js';

/** A value of several lines becomes a list of its non-empty lines. Never throws. */
export function parseIni(text: string): Parsed {
  const sections = new Map<string, { line: number; entries: Map<string, Tree> }>();
  let section: { line: number; entries: Map<string, Tree> } | undefined;
  let key: string | undefined;
  let values: Tree[] = [];
  let keyLine = 0;
  let problem: Parsed['problem'];
  const close = (): void => {
    if (section && key !== undefined) {
      const only = values.length === 1 ? values[0] : undefined;
      section.entries.set(key, only?.line === keyLine ? only : { line: keyLine, items: values });
    }
    key = undefined;
  };
  text.split('\n').forEach((raw, i) => {
    const line = i + 1;
    const trimmed = raw.trim();
    if (trimmed === '' || trimmed.startsWith('#') || trimmed.startsWith(';')) return;
    const header = /^\[([^\]]+)\]/.exec(raw);
    if (header) {
      close();
      const name = (header[1] ?? '').trim();
      section = sections.get(name) ?? { line, entries: new Map() };
      sections.set(name, section);
      return;
    }
    if (/^\s/.test(raw) && key !== undefined) {
      values.push({ line, scalar: trimmed });
      return;
    }
    const pair = /^([^=:]+?)\s*[=:]\s*(.*)$/.exec(trimmed);
    if (!pair || !section) {
      problem ??= { message: 'neither a section nor `key = value`', line };
      return;
    }
    close();
    key = (pair[1] ?? '').trim().toLowerCase();
    keyLine = line;
    values = pair[2] === '' ? [] : [{ line, scalar: (pair[2] ?? '').trim() }];
  });
  close();
  return { tree: { line: 1, entries: sections }, ...(problem ? { problem } : {}) };
}
