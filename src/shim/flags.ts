/**
 * What each flag of rg and grep means for the shim: the one table that the launchers (launcher.ts) and the reading
 * of a command line on the Node side (command-line.ts) are made from. A flag that is not here means exec, so a tool
 * newer than the table loses evidence and never bytes.
 */
export type Tool = 'rg' | 'grep';

export type Action =
  /** The output is for a program, or is not lines of a file: the real tool and nothing else. */
  | 'exec'
  /** Which lines match: the evidence run needs it too. */
  | 'select'
  /** How matches look to a person: the evidence run overrides it. */
  | 'format';

export interface Flag {
  readonly long?: readonly string[];
  /** One character, or several flags that mean the same to the shim. */
  readonly short?: string;
  /** `required`: the next argument where none is attached; `optional`: attached with `=` only. */
  readonly value?: 'required' | 'optional';
  readonly action: Action;
  /** Values that the action holds for; any other means exec. */
  readonly only?: readonly string[];
  /** What the value is: a pattern, or a file that both runs must be able to read from its start. */
  readonly holds?: 'pattern' | 'file' | 'pattern-file';
  /** Makes grep walk folders, with these values only where there are some. */
  readonly recursive?: readonly string[];
}

export interface FlagTable {
  readonly flags: readonly Flag[];
  /** What the evidence run adds after the caller's flags, the last one winning. */
  readonly override: readonly string[];
  /** `-5` means `-C 5`. */
  readonly digits: boolean;
}

const rg: FlagTable = {
  digits: false,
  override: [
    '--no-heading',
    '--line-number',
    '--with-filename',
    '--null',
    '--no-column',
    '--no-trim',
    '--after-context=0',
    '--before-context=0',
    '--max-columns=400',
    '--max-columns-preview',
    '--color=never',
    '--no-messages',
  ],
  flags: [
    // Formats for programs.
    { long: ['json', 'vimgrep', 'null-data'], action: 'exec' },
    { long: ['null'], short: '0', action: 'exec' },
    { long: ['field-match-separator', 'field-context-separator'], value: 'required', action: 'exec' },
    // Paths and counts.
    { long: ['files', 'files-without-match', 'count-matches', 'include-zero', 'no-include-zero'], action: 'exec' },
    { long: ['files-with-matches'], short: 'l', action: 'exec' },
    { long: ['count'], short: 'c', action: 'exec' },
    // Yes or no, and about the tool itself.
    { long: ['quiet'], short: 'q', action: 'exec' },
    { long: ['help'], short: 'h', action: 'exec' },
    { long: ['version'], short: 'V', action: 'exec' },
    { long: ['type-list', 'pcre2-version'], action: 'exec' },
    { long: ['generate'], value: 'required', action: 'exec' },
    // Parts of lines, rewritten lines, lines without a name.
    { long: ['only-matching'], short: 'o', action: 'exec' },
    { long: ['replace'], short: 'r', value: 'required', action: 'exec' },
    { long: ['passthru', 'no-json'], action: 'exec' },
    { long: ['no-filename'], short: 'I', action: 'exec' },
    { long: ['byte-offset'], short: 'b', action: 'exec' },
    { long: ['no-byte-offset'], action: 'exec' },
    // Diagnostics, escapes, preprocessors, streams.
    { long: ['stats', 'no-stats', 'debug', 'trace'], action: 'exec' },
    { long: ['pretty'], short: 'p', action: 'exec' },
    { long: ['hyperlink-format', 'hostname-bin', 'pre', 'pre-glob'], value: 'required', action: 'exec' },
    { long: ['no-pre', 'no-search-zip', 'no-text', 'binary', 'no-binary'], action: 'exec' },
    { long: ['search-zip'], short: 'z', action: 'exec' },
    { long: ['text'], short: 'a', action: 'exec' },
    { long: ['line-buffered', 'no-line-buffered', 'block-buffered', 'no-block-buffered'], action: 'exec' },
    { long: ['invert-match'], short: 'v', action: 'exec' },
    { long: ['no-invert-match', 'stop-on-nonmatch'], action: 'exec' },
    // How matches look.
    { long: ['color'], value: 'required', only: ['auto', 'never'], action: 'format' },
    { long: ['colors'], value: 'required', action: 'format' },
    { long: ['line-number'], short: 'n', action: 'format' },
    { long: ['no-line-number'], short: 'N', action: 'format' },
    { long: ['with-filename'], short: 'H', action: 'format' },
    { long: ['column', 'no-column', 'heading', 'no-heading', 'trim', 'no-trim'], action: 'format' },
    { long: ['after-context'], short: 'A', value: 'required', action: 'format' },
    { long: ['before-context'], short: 'B', value: 'required', action: 'format' },
    { long: ['context'], short: 'C', value: 'required', action: 'format' },
    { long: ['context-separator'], value: 'required', action: 'format' },
    { long: ['no-context-separator', 'max-columns-preview', 'no-max-columns-preview'], action: 'format' },
    { long: ['max-columns'], short: 'M', value: 'required', action: 'format' },
    { long: ['path-separator'], value: 'required', only: ['/'], action: 'format' },
    { long: ['no-messages', 'messages', 'no-ignore-messages', 'ignore-messages'], action: 'format' },
    // Which lines match.
    { long: ['regexp'], short: 'e', value: 'required', holds: 'pattern', action: 'select' },
    { long: ['file'], short: 'f', value: 'required', holds: 'pattern-file', action: 'select' },
    { long: ['multiline'], short: 'U', action: 'select' },
    { long: ['no-multiline', 'multiline-dotall', 'no-multiline-dotall', 'crlf', 'no-crlf'], action: 'select' },
    { long: ['ignore-case'], short: 'i', action: 'select' },
    { long: ['case-sensitive'], short: 's', action: 'select' },
    { long: ['smart-case'], short: 'S', action: 'select' },
    { long: ['word-regexp'], short: 'w', action: 'select' },
    { long: ['line-regexp'], short: 'x', action: 'select' },
    { long: ['fixed-strings'], short: 'F', action: 'select' },
    { long: ['no-fixed-strings'], action: 'select' },
    { long: ['pcre2'], short: 'P', action: 'select' },
    { long: ['no-pcre2', 'auto-hybrid-regex', 'no-auto-hybrid-regex'], action: 'select' },
    { long: ['no-pcre2-unicode', 'pcre2-unicode', 'no-unicode', 'unicode'], action: 'select' },
    { long: ['engine', 'regex-size-limit', 'dfa-size-limit'], value: 'required', action: 'select' },
    { long: ['encoding'], short: 'E', value: 'required', action: 'select' },
    { long: ['no-encoding', 'mmap', 'no-mmap'], action: 'select' },
    { long: ['max-count'], short: 'm', value: 'required', action: 'select' },
    { long: ['max-depth'], short: 'd', value: 'required', action: 'select' },
    { long: ['max-filesize', 'sort', 'sortr'], value: 'required', action: 'select' },
    { long: ['sort-files', 'no-sort-files'], action: 'select' },
    { long: ['threads'], short: 'j', value: 'required', action: 'select' },
    // Which files are searched.
    { long: ['glob'], short: 'g', value: 'required', action: 'select' },
    { long: ['iglob', 'type-add', 'type-clear'], value: 'required', action: 'select' },
    { long: ['type'], short: 't', value: 'required', action: 'select' },
    { long: ['type-not'], short: 'T', value: 'required', action: 'select' },
    { long: ['glob-case-insensitive', 'no-glob-case-insensitive'], action: 'select' },
    { long: ['unrestricted'], short: 'u', action: 'select' },
    { long: ['hidden'], short: '.', action: 'select' },
    { long: ['no-hidden'], action: 'select' },
    { long: ['follow'], short: 'L', action: 'select' },
    { long: ['no-follow', 'one-file-system', 'no-one-file-system'], action: 'select' },
    { long: ['ignore-file'], value: 'required', holds: 'file', action: 'select' },
    { long: ['ignore-file-case-insensitive', 'no-ignore-file-case-insensitive'], action: 'select' },
    { long: ['no-ignore', 'ignore', 'no-ignore-dot', 'ignore-dot'], action: 'select' },
    { long: ['no-ignore-exclude', 'ignore-exclude', 'no-ignore-files', 'ignore-files'], action: 'select' },
    { long: ['no-ignore-global', 'ignore-global', 'no-ignore-parent', 'ignore-parent'], action: 'select' },
    { long: ['no-ignore-vcs', 'ignore-vcs', 'no-require-git', 'require-git'], action: 'select' },
    { long: ['no-config'], action: 'select' },
  ],
};

const grep: FlagTable = {
  digits: true,
  override: [
    '--line-number',
    '--with-filename',
    '--null',
    '--after-context=0',
    '--before-context=0',
    '--color=never',
    '--no-messages',
  ],
  flags: [
    { long: ['null'], short: 'Z', action: 'exec' },
    { long: ['null-data'], short: 'z', action: 'exec' },
    { long: ['files-with-matches'], short: 'l', action: 'exec' },
    { long: ['files-without-match'], short: 'L', action: 'exec' },
    { long: ['count'], short: 'c', action: 'exec' },
    { long: ['quiet', 'silent'], short: 'q', action: 'exec' },
    { long: ['version'], short: 'V', action: 'exec' },
    { long: ['help'], action: 'exec' },
    { long: ['only-matching'], short: 'o', action: 'exec' },
    { long: ['no-filename'], short: 'h', action: 'exec' },
    { long: ['byte-offset'], short: 'b', action: 'exec' },
    { long: ['text'], short: 'a', action: 'exec' },
    { long: ['binary'], short: 'U', action: 'exec' },
    { long: ['binary-files', 'label'], value: 'required', action: 'exec' },
    { long: ['line-buffered'], action: 'exec' },
    { long: ['invert-match'], short: 'v', action: 'exec' },
    // How matches look.
    { long: ['color', 'colour'], value: 'optional', only: ['auto', 'never'], action: 'format' },
    { long: ['line-number'], short: 'n', action: 'format' },
    { long: ['with-filename'], short: 'H', action: 'format' },
    { long: ['initial-tab'], short: 'T', action: 'format' },
    { long: ['after-context'], short: 'A', value: 'required', action: 'format' },
    { long: ['before-context'], short: 'B', value: 'required', action: 'format' },
    { long: ['context'], short: 'C', value: 'required', action: 'format' },
    { long: ['group-separator'], value: 'required', action: 'format' },
    { long: ['no-group-separator'], action: 'format' },
    { long: ['no-messages'], short: 's', action: 'format' },
    // Which lines match.
    { long: ['extended-regexp'], short: 'E', action: 'select' },
    { long: ['fixed-strings'], short: 'F', action: 'select' },
    { long: ['basic-regexp'], short: 'G', action: 'select' },
    { long: ['perl-regexp'], short: 'P', action: 'select' },
    { long: ['regexp'], short: 'e', value: 'required', holds: 'pattern', action: 'select' },
    { long: ['file'], short: 'f', value: 'required', holds: 'pattern-file', action: 'select' },
    { long: ['ignore-case'], short: 'iy', action: 'select' },
    { long: ['no-ignore-case'], action: 'select' },
    { long: ['word-regexp'], short: 'w', action: 'select' },
    { long: ['line-regexp'], short: 'x', action: 'select' },
    { long: ['max-count'], short: 'm', value: 'required', action: 'select' },
    // Which files are searched.
    { short: 'I', action: 'select' },
    { long: ['recursive'], short: 'r', recursive: [], action: 'select' },
    { long: ['dereference-recursive'], short: 'R', recursive: [], action: 'select' },
    {
      long: ['directories'],
      short: 'd',
      value: 'required',
      only: ['read', 'recurse', 'skip'],
      recursive: ['recurse'],
      action: 'select',
    },
    { long: ['devices'], short: 'D', value: 'required', only: ['skip'], action: 'select' },
    { long: ['include', 'exclude', 'exclude-dir'], value: 'required', action: 'select' },
    { long: ['exclude-from'], value: 'required', holds: 'file', action: 'select' },
  ],
};

export const FLAGS: Readonly<Record<Tool, FlagTable>> = { rg, grep };
