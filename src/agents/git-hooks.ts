/**
 * The text of git hooks that align in the background. In a shell script our lines go below the first line, before
 * anything that may exit or replace the shell, so that `$0` and the folder stay what the script expects; any other
 * program moves beside and is called. Taking our lines out gives the script back to the byte. Pure.
 */
import { shellQuoted } from '../shim/environment.js';

export type GitHook = 'post-checkout' | 'post-commit' | 'post-merge' | 'post-rewrite';

export interface HookCommand {
  readonly node: string;
  readonly main: string;
  /** Name that a program in the hook's place moves to. */
  readonly beside: string;
}

const BEGIN = '# >>> sidecar githooks';
const END = '# <<< sidecar githooks';
const OURS = '#!/bin/sh\n# Written by `sidecar githooks install`.\n';

/** In the middle of these git runs hooks for every step: only the last one counts. */
const UNFINISHED = ['rebase-merge', 'rebase-apply', 'sequencer'];

function lines(hook: GitHook, { node, main }: HookCommand): string {
  const command = `${shellQuoted(node)} ${shellQuoted(main)} align --background --quiet`;
  const conditions = [`[ -x ${shellQuoted(node)} ]`, `[ -f ${shellQuoted(main)} ]`];
  const unfinished = hook === 'post-rewrite' ? [] : UNFINISHED.map((name) => `[ ! -e "$sidecar_git/${name}" ]`);
  return [
    BEGIN,
    `sidecar_git=\${GIT_DIR:-.git}`,
    `if ${[...conditions, ...unfinished].join(' && ')}; then`,
    `  (${command} </dev/null >/dev/null 2>&1 &) || :`,
    'fi',
    END,
    '',
  ].join('\n');
}

const isShellScript = (text: string): boolean => /^#![ \t]*\S*(?:\/|env[ \t]+)(?:ba|da|z|k|a)?sh\b[^\n]*\n/.test(text);

/** What is in a hook's place. Bytes, since it may be any program. */
export interface PresentHook {
  readonly content: Buffer;
  /** Git runs it: it is executable. */
  readonly runs: boolean;
}

/** The hook with our lines in it. */
export function withAlign(
  hook: GitHook,
  before: PresentHook | undefined,
  command: HookCommand,
):
  | { readonly kind: 'present' }
  /** `beside`: what was there has to move to the name given. */
  | { readonly kind: 'whole' | 'beside'; readonly text: Buffer } {
  const own = OURS + lines(hook, command);
  if (!before) return { kind: 'whole', text: Buffer.from(own) };
  // One character for each byte: whatever is in the script stays as it is.
  const script = before.content.toString('latin1');
  const mine = Buffer.from(lines(hook, command)).toString('latin1');
  if (script.includes(mine)) return { kind: 'present' };
  const rest = cut(script);
  if (rest !== undefined) return { kind: 'whole', text: Buffer.from(inserted(rest, mine), 'latin1') };
  if (before.runs && isShellScript(script)) {
    return { kind: 'whole', text: Buffer.from(inserted(script, mine), 'latin1') };
  }
  // A hook that was switched off by its mode stays off.
  const call = before.runs ? `exec "$(dirname "$0")/${command.beside}" "$@"\n` : '';
  return { kind: 'beside', text: Buffer.from(own + call) };
}

/** Below the first line, and below our own second one. */
function inserted(script: string, mine: string): string {
  const at = script.startsWith(OURS) ? OURS.length : script.indexOf('\n') + 1;
  return script.slice(0, at) + mine + script.slice(at);
}

function cut(script: string): string | undefined {
  const start = script.indexOf(BEGIN);
  const end = script.indexOf(`${END}\n`, start);
  return start < 0 || end < 0 ? undefined : script.slice(0, start) + script.slice(end + END.length + 1);
}

/** The hook without our lines; `ours` where the whole file is ours; undefined where nothing of ours is in it. */
export function withoutAlign(now: Buffer): Buffer | 'ours' | undefined {
  const rest = cut(now.toString('latin1'));
  if (rest === undefined) return undefined;
  return rest.startsWith(OURS) ? 'ours' : Buffer.from(rest, 'latin1');
}
