/**
 * Reads the shell command of a tool call as far as it takes to find the searches in it: simple commands, the pipes
 * between them, and where their output goes. Not a shell: what it does not understand ends the reading. Pure.
 */

export interface SimpleCommand {
  readonly words: readonly string[];
  /** Its stdout goes to a file: nobody sees it. */
  readonly redirected: boolean;
}

export interface Pipeline {
  readonly stages: readonly SimpleCommand[];
  /** Folders that `cd` was given before it, in order. */
  readonly folders: readonly string[];
}

type Token =
  | { readonly kind: 'word'; readonly text: string }
  | { readonly kind: 'operator'; readonly text: string }
  | { readonly kind: 'redirection'; readonly text: string };

const OPERATOR = /^(?:\|&|\|\||&&|;;|[|;&\n()])/;
const REDIRECTION = /^(?:\d*|&)(?:>>|>\||>&|<&|<>|>|<)/;

/** End of a `$(`, `${` or backquote that starts at `start`, or -1. */
function endOfSubstitution(text: string, start: number): number {
  if (text[start] === '`') return text.indexOf('`', start + 1);
  const [open, close] = text[start + 1] === '{' ? ['{', '}'] : ['(', ')'];
  let depth = 0;
  for (let i = start + 1; i < text.length; i += 1) {
    const char = text[i];
    if (char === '\\') i += 1;
    else if (char === "'") {
      i = text.indexOf("'", i + 1);
      if (i < 0) return -1;
    } else if (char === open) depth += 1;
    else if (char === close) {
      depth -= 1;
      if (depth === 0) return i;
    }
  }
  return -1;
}

const isSubstitution = (text: string, i: number): boolean =>
  text[i] === '`' || (text[i] === '$' && (text[i + 1] === '(' || text[i + 1] === '{'));

/** One word from `start`: its text without quotes, and where it ends; undefined where a quote is left open. */
function readWord(text: string, start: number): { word: string; end: number } | undefined {
  let word = '';
  let i = start;
  while (i < text.length) {
    const char = text[i] ?? '';
    if (/[\s;|&()<>]/.test(char)) break;
    if (char === "'") {
      const end = text.indexOf("'", i + 1);
      if (end < 0) return undefined;
      word += text.slice(i + 1, end);
      i = end + 1;
    } else if (char === '"') {
      i += 1;
      while (i < text.length && text[i] !== '"') {
        if (text[i] === '\\' && /["\\$`\n]/.test(text[i + 1] ?? '')) {
          if (text[i + 1] !== '\n') word += text[i + 1];
          i += 2;
        } else if (isSubstitution(text, i)) {
          const end = endOfSubstitution(text, i);
          if (end < 0) return undefined;
          word += text.slice(i, end + 1);
          i = end + 1;
        } else {
          word += text[i];
          i += 1;
        }
      }
      if (i >= text.length) return undefined;
      i += 1;
    } else if (char === '\\') {
      if (text[i + 1] !== '\n') word += text[i + 1] ?? '';
      i += 2;
    } else if (isSubstitution(text, i)) {
      const end = endOfSubstitution(text, i);
      if (end < 0) return undefined;
      word += text.slice(i, end + 1);
      i = end + 1;
    } else {
      word += char;
      i += 1;
    }
  }
  return { word, end: i };
}

/** Tokens up to the first thing that is not understood, such as a here-document. */
function tokens(text: string): Token[] {
  const found: Token[] = [];
  let i = 0;
  while (i < text.length) {
    const rest = text.slice(i);
    const blank = /^(?:[ \t\r]|\\\n)+/.exec(rest);
    const redirection = REDIRECTION.exec(rest);
    const operator = OPERATOR.exec(rest);
    if (blank) i += blank[0].length;
    else if (rest.startsWith('#')) i += /^[^\n]*/.exec(rest)?.[0].length ?? 0;
    else if (redirection) {
      if (rest.startsWith('<<', redirection[0].length - 1)) return found;
      found.push({ kind: 'redirection', text: redirection[0] });
      i += redirection[0].length;
    } else if (operator) {
      found.push({ kind: 'operator', text: operator[0] });
      i += operator[0].length;
    } else {
      const read = readWord(text, i);
      if (!read || read.end === i) return found;
      found.push({ kind: 'word', text: read.word });
      i = read.end;
    }
  }
  return found;
}

/** Words that stand before a command without being part of it. */
const LEADING = new Set(['!', '{', 'then', 'do', 'else', 'if', 'elif', 'while', 'until', 'time']);

function simpleCommand(parts: readonly Token[]): SimpleCommand {
  const words: string[] = [];
  let redirected = false;
  for (let i = 0; i < parts.length; i += 1) {
    const part = parts[i] as Token;
    if (part.kind === 'redirection') {
      const target = parts[i + 1]?.text ?? '';
      i += 1;
      const ofOutput = /^(?:1?|&)>/.test(part.text);
      if (ofOutput && !(part.text.endsWith('>&') && /^[12]$/.test(target))) redirected = true;
    } else if (words.length > 0 || !(LEADING.has(part.text) || /^[A-Za-z_]\w*\+?=/.test(part.text))) {
      words.push(part.text);
    }
  }
  return { words, redirected };
}

/** The pipelines of a command line, in order. */
export function readPipelines(command: string): readonly Pipeline[] {
  const pipelines: Pipeline[] = [];
  let stages: SimpleCommand[] = [];
  let parts: Token[] = [];
  let folders: readonly string[] = [];
  const outer: (readonly string[])[] = [];
  const endStage = (): void => {
    if (parts.length > 0) stages.push(simpleCommand(parts));
    parts = [];
  };
  const endPipeline = (): void => {
    endStage();
    const [only] = stages;
    if (stages.length === 1 && only?.words[0] === 'cd' && only.words[1] !== undefined) {
      folders = [...folders, only.words[1]];
    } else if (stages.length > 0) pipelines.push({ stages, folders });
    stages = [];
  };
  for (const token of tokens(command)) {
    if (token.kind !== 'operator') parts.push(token);
    else if (token.text === '|' || token.text === '|&') endStage();
    else {
      endPipeline();
      if (token.text === '(') outer.push(folders);
      else if (token.text === ')') folders = outer.pop() ?? folders;
    }
  }
  endPipeline();
  return pipelines;
}
