/**
 * Adds our entry to an agent's JSON settings (comments allowed) and takes it out again. Adding is one insertion:
 * every byte that was there stays, so cutting it out gives the file as it was. Pure.
 */
import { applyEdits, findNodeAtLocation, modify, type Node, type ParseError, parse, parseTree } from 'jsonc-parser';
import { SidecarError } from '../errors.js';
import type { HookSettings } from './agent.js';

export interface Insertion {
  readonly text: string;
  readonly inserted: string;
}

const PARSING = { allowTrailingComma: true, disallowComments: false, allowEmptyContent: true } as const;

/** Whether a hook's command is one that we have written for the agent, whatever installation it came from. */
const isOurs = (command: unknown, agent: string): boolean =>
  typeof command === 'string' && /sidecar|cli\/main\.js/.test(command) && command.includes(` hook ${agent}`);

interface HookGroup {
  readonly hooks?: readonly { readonly command?: unknown }[];
}

/** Position of our group among the event's, and its command. */
export function installedHook(
  text: string,
  settings: HookSettings,
  agent: string,
): { readonly index: number; readonly command: string } | undefined {
  const whole = parse(text.replace(/^\uFEFF/, ''), [], PARSING) as
    | { hooks?: Record<string, readonly HookGroup[] | undefined> }
    | undefined;
  const groups = whole?.hooks?.[settings.event];
  if (!Array.isArray(groups)) return undefined;
  for (const [index, group] of (groups as readonly HookGroup[]).entries()) {
    const hook = Array.isArray(group?.hooks) ? group.hooks.find(({ command }) => isOurs(command, agent)) : undefined;
    if (hook) return { index, command: String(hook.command) };
  }
  return undefined;
}

/** One step of indentation, as the file has it. */
function indentation(text: string): string {
  return /^(?:\t| {1,8})(?=["'/\]}[{])/m.exec(text)?.[0] ?? '  ';
}

const json = (value: unknown, step: string, depth: number, newline: string): string =>
  JSON.stringify(value, null, step).replaceAll('\n', `${newline}${step.repeat(depth)}`);

/** Puts a property or an item at the end of an object or array. */
function append(text: string, container: Node, piece: string, step: string, depth: number, newline: string): Insertion {
  const last = container.children?.at(-1);
  const lead = `${newline}${step.repeat(depth + 1)}`;
  const at = last ? last.offset + last.length : container.offset + 1;
  const closing = text[at];
  const inserted = last
    ? `,${lead}${piece}${closing === ']' || closing === '}' ? newline + step.repeat(depth) : ''}`
    : `${lead}${piece}${/^[ \t\r]*\n/.test(text.slice(at)) ? '' : newline + step.repeat(depth)}`;
  return { text: text.slice(0, at) + inserted + text.slice(at), inserted };
}

/**
 * The file with our entry for `command`.
 * @param text undefined: there is no file yet
 * @param file its name, for the error where it is not JSON or holds something else where hooks belong
 */
export function withHook(text: string | undefined, settings: HookSettings, command: string, file: string): Insertion {
  const group = { matcher: settings.matcher, hooks: [{ type: 'command', command, ...settings.entry }] };
  const whole = { hooks: { [settings.event]: [group] } };
  const empty = text === undefined || text.replace(/^\uFEFF/, '').trim() === '';
  if (empty) {
    const inserted = `${JSON.stringify(whole, null, 2)}\n`;
    return { text: (text ?? '') + inserted, inserted };
  }
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const body = text.slice(mark.length);
  const errors: ParseError[] = [];
  const root = parseTree(body, errors, PARSING);
  const unusable = (why: string): SidecarError =>
    new SidecarError(`cannot add a hook to ${file}`, why, 'correct the file, then try again');
  if (errors.length > 0 || !root) throw unusable('it is not valid JSON');
  if (root.type !== 'object') throw unusable('it does not hold an object');
  const step = indentation(body);
  const newline = body.includes('\r\n') ? '\r\n' : '\n';
  const property = (key: string, value: unknown, depth: number): string =>
    `${JSON.stringify(key)}: ${json(value, step, depth + 1, newline)}`;
  const hooks = findNodeAtLocation(root, ['hooks']);
  const event = findNodeAtLocation(root, ['hooks', settings.event]);
  let added: Insertion;
  if (!hooks) added = append(body, root, property('hooks', whole.hooks, 0), step, 0, newline);
  else if (hooks.type !== 'object') throw unusable('its "hooks" is not an object');
  else if (!event) added = append(body, hooks, property(settings.event, [group], 1), step, 1, newline);
  else if (event.type !== 'array') throw unusable(`its "hooks.${settings.event}" is not a list`);
  else added = append(body, event, json(group, step, 3, newline), step, 2, newline);
  return { text: mark + added.text, inserted: added.inserted };
}

/**
 * The file without our entry. Where what was inserted is still there as it was, it is cut out, which leaves every
 * other byte; else the entry is removed, and what it leaves empty.
 */
export function withoutHook(text: string, settings: HookSettings, agent: string, inserted?: string): string {
  if (inserted !== undefined && inserted !== '') {
    const at = text.indexOf(inserted);
    if (at >= 0 && text.indexOf(inserted, at + 1) < 0) {
      const cut = text.slice(0, at) + text.slice(at + inserted.length);
      const errors: ParseError[] = [];
      parse(cut.replace(/^\uFEFF/, ''), errors, PARSING);
      if (errors.length === 0) return cut;
    }
  }
  const found = installedHook(text, settings, agent);
  if (!found) return text;
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const remove = (from: string, path: (string | number)[]): string =>
    applyEdits(from, modify(from, path, undefined, { getInsertionIndex: () => 0 }));
  const { event } = settings;
  let body = text.slice(mark.length);
  const group = findNodeAtLocation(parseTree(body, [], PARSING) as Node, ['hooks', event, found.index, 'hooks']);
  const mine = (group?.children ?? []).findIndex((node) => {
    const command = findNodeAtLocation(node, ['command']);
    return isOurs(command?.value, agent);
  });
  body =
    (group?.children?.length ?? 0) > 1
      ? remove(body, ['hooks', event, found.index, 'hooks', mine])
      : remove(body, ['hooks', event, found.index]);
  const left = (path: string[]): number | undefined =>
    findNodeAtLocation(parseTree(body, [], PARSING) as Node, path)?.children?.length;
  if (left(['hooks', event]) === 0) body = remove(body, ['hooks', event]);
  if (left(['hooks']) === 0) body = remove(body, ['hooks']);
  return mark + body;
}
