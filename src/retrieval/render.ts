/** The text of a block. States facts about the repository and nothing else; names are escaped. */
import type { PendingFile } from './edits.js';
import { safe } from './escape.js';
import type { Reason } from './reasons.js';
import type { AnchorDetail, Place, Relation, StructuralKind } from './relations.js';
import type { ShownFile } from './request.js';

export const HEADER = '[Related files from dependency graph]';

export interface ListedFile {
  readonly path: string;
  readonly score: number;
  readonly reason?: Reason;
}

/** What a block says, before it is text. */
export interface BlockContent {
  readonly details: readonly AnchorDetail[];
  readonly pending: readonly PendingFile[];
  readonly listed: readonly ListedFile[];
  /** Related files above the gate that are not named. */
  readonly more: number;
}

export interface RenderOptions {
  readonly display: (path: string) => string;
  readonly edited: (path: string) => boolean;
}

const LABELS: Readonly<Record<StructuralKind, string>> = {
  callers: 'Callers',
  callees: 'Callees',
  bases: 'Bases',
  subtypes: 'Subtypes',
  references: 'Uses',
  referencedBy: 'Used by',
  imports: 'Imports',
  importedBy: 'Imported by',
  tests: 'Tests',
  testOf: 'Tests of',
  documentedBy: 'Documented in',
  documents: 'Documents',
  configuredBy: 'Configured in',
  configures: 'Configures',
};

/** `0.95`, `1.0`: as short as it can be, at least one decimal. */
function number(confidence: number): string {
  const text = confidence.toFixed(2);
  return text.endsWith('0') ? text.slice(0, -1) : text;
}

function place({ path, symbol, line, confidence }: Place, { display }: RenderOptions): string {
  const at = symbol === undefined ? '' : `:${safe(symbol)}${line === undefined ? '' : `:${line}`}`;
  return `${safe(display(path))}${at} [${number(confidence)}]`;
}

function relation({ kind, places, more }: Relation, options: RenderOptions): string {
  const named = places.map((one) => place(one, options));
  if (more > 0) named.push(`+${more} more`);
  return `${LABELS[kind]}: ${named.join(', ')}`;
}

function detailLines({ anchor, symbols, flow }: AnchorDetail, options: RenderOptions): string[] {
  const marks: string[] = [];
  const label = anchor.sidecar.community?.label;
  if (label !== undefined) marks.push(`(cluster: ${safe(label)})`);
  if (options.edited(anchor.path)) marks.push('(edited since indexed)');
  const lines = [[safe(options.display(anchor.path)), ...marks].join(' ')];
  for (const { symbol, relations } of symbols) {
    const indent = symbol ? '    ' : '  ';
    if (symbol) lines.push(`  ${safe(symbol.name)}:${symbol.line}`);
    for (const one of relations) lines.push(`${indent}${relation(one, options)}`);
  }
  if (flow) lines.push(`  Flow: ${safe(flow.name)} (step ${flow.step}/${flow.steps})`);
  return lines;
}

function splitPath(path: string): readonly [folder: string, name: string] {
  const slash = path.lastIndexOf('/') + 1;
  return [path.slice(0, slash), path.slice(slash)];
}

function listedName(name: string, reason: Reason | undefined): string {
  if (!reason) return safe(name);
  const at = reason.place;
  const where = at?.symbol === undefined ? '' : `${safe(at.symbol)}${at.line === undefined ? '' : `:${at.line}`} `;
  return `${safe(name)} (${where}${safe(reason.text)}${at ? ` [${number(at.confidence)}]` : ''})`;
}

/** Folders in the order of their best file, files of a folder in the order of the list. */
function listLines(listed: readonly ListedFile[], more: number, { display }: RenderOptions): string[] {
  const folders = new Map<string, string[]>();
  for (const { path, reason } of listed) {
    const [folder, name] = splitPath(display(path));
    const names = folders.get(folder);
    const text = listedName(name, reason);
    if (names) names.push(text);
    else folders.set(folder, [text]);
  }
  const lines = [...folders].map(
    ([folder, names]) => `  ${folder === '' ? '' : `${safe(folder)} `}${names.join(', ')}`,
  );
  if (more > 0) lines.push(`  +${more} more`);
  return lines;
}

/** The text, ending in a newline; empty where there is nothing to say. */
export function renderBlock(content: BlockContent, options: RenderOptions): string {
  const { details, pending, listed, more } = content;
  if (details.length + pending.length + listed.length === 0) return '';
  const lines = [HEADER];
  if (pending.length > 0) {
    lines.push('Not changed yet, related to files changed in the working tree:');
    for (const { path, text } of pending) lines.push(`  ${safe(options.display(path))} (${safe(text)})`);
  }
  for (const detail of details) lines.push(...detailLines(detail, options));
  if (listed.length > 0) {
    lines.push(details.length > 0 ? 'Also related:' : 'Related:', ...listLines(listed, more, options));
  }
  return `${lines.join('\n')}\n`;
}

/** Every file that the text of `content` names, in its order, each once. */
export function shownFiles({ details, pending, listed }: BlockContent): ShownFile[] {
  const shown = new Map<string, ShownFile & { symbols: { name: string; line?: number; endLine?: number }[] }>();
  const put = (path: string, as: ShownFile['as'], score: number, at?: Omit<Place, 'path' | 'confidence'>): void => {
    const file = shown.get(path) ?? { path, symbols: [], as, score };
    shown.set(path, file);
    if (at?.symbol === undefined) return;
    file.symbols.push({
      name: at.symbol,
      ...(at.line === undefined ? {} : { line: at.line }),
      ...(at.endLine === undefined ? {} : { endLine: at.endLine }),
    });
  };
  for (const { path, score } of pending) put(path, 'related', score);
  for (const { anchor, symbols } of details) {
    for (const { symbol } of symbols) {
      put(anchor.path, 'anchor', anchor.weight, symbol ? { ...symbol, symbol: symbol.name } : { symbol: '' });
    }
  }
  for (const { symbols } of details) {
    for (const { relations } of symbols) {
      for (const { places } of relations) for (const at of places) put(at.path, 'neighbour', at.confidence, at);
    }
  }
  for (const { path, score, reason } of listed) put(path, 'related', score, reason?.place);
  return [...shown.values()];
}
