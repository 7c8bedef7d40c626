/** `sidecar show`: one sidecar, readable. */
import { readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { SidecarError } from '../errors.js';
import { safe } from '../retrieval/escape.js';
import { sidecarPath } from '../sidecars/layout.js';
import type { Neighbours, Sidecar } from '../sidecars/sidecar.generated.js';
import { parseSidecar } from '../sidecars/stored.js';
import { type CommonOptions, type ExitCode, locate, type Streams } from './context.js';

/** The repository path of a file as the user names it: relative to the current directory. */
export function repositoryPath(streams: Streams, root: string, name: string): string {
  const path = relative(root, resolve(streams.cwd, name));
  if (path === '' || path.startsWith('..')) {
    throw new SidecarError(`cannot show ${name}`, 'it is not a file of this repository', 'name a file below its root');
  }
  return path;
}

function listed(kind: string, neighbours: Neighbours): string[] {
  const list = neighbours[kind as keyof Neighbours];
  if (!list) return [];
  const lines = list.items.map((item) => {
    const symbol = 'symbol' in item && item.symbol !== undefined ? `:${item.symbol}` : '';
    const line = 'line' in item && item.line !== undefined ? ` (used at line ${item.line})` : '';
    const why =
      'confidence' in item
        ? `[${item.confidence}] ${item.provenance}${line}`
        : 'commits' in item
          ? `[${item.score}] ${item.commits} commits`
          : `[${item.score}] ${item.words.join(', ')}`;
    return `${item.path}${symbol} ${why}`;
  });
  const more = list.total - list.items.length;
  return [`${kind} (${list.total})`, ...lines.map((line) => `  ${line}`), ...(more > 0 ? [`  +${more} more`] : [])];
}

/** A sidecar for people: one block per symbol, then the file's own neighbours. */
export function renderSidecar(sidecar: Sidecar): string {
  const { path, language, role, lines, errors, community, symbols, neighbours, flows } = sidecar;
  const facts = [
    role,
    language,
    `${lines} lines`,
    errors === undefined ? undefined : 'has syntax errors',
    community && `cluster ${community.label} (cohesion ${community.cohesion})`,
  ];
  const out = [path, `  ${facts.filter((fact) => fact !== undefined).join(', ')}`];
  for (const kind of Object.keys(neighbours)) out.push(...listed(kind, neighbours).map((line) => `  ${line}`));
  for (const { name, step, steps, symbol } of flows) {
    out.push(`  flow ${name}: step ${step} of ${steps}${symbol === undefined ? '' : ` (${symbol})`}`);
  }
  for (const symbol of symbols) {
    out.push('', `${symbol.line}-${symbol.endLine} ${symbol.kind} ${symbol.name}`, `  ${symbol.signature}`);
    for (const kind of Object.keys(symbol.neighbours ?? {})) {
      out.push(...listed(kind, symbol.neighbours ?? {}).map((line) => `  ${line}`));
    }
  }
  return `${out.map(safe).join('\n')}\n`;
}

export async function runShow(file: string, options: CommonOptions, streams: Streams): Promise<ExitCode> {
  const { target, folder } = await locate(streams, options);
  const path = repositoryPath(streams, target.root, file);
  let text: string;
  try {
    text = readFileSync(join(folder, sidecarPath(path)), 'utf8');
  } catch {
    throw new SidecarError(
      `no sidecar for ${path}`,
      'it is not in the index',
      'run: sidecar align (or sidecar status to see why)',
    );
  }
  const sidecar = parseSidecar(text);
  if (!sidecar) throw new SidecarError(`cannot read the sidecar of ${path}`, 'it is damaged', 'run: sidecar build');
  streams.out(options.json ? `${JSON.stringify(sidecar)}\n` : renderSidecar(sidecar));
  return 0;
}
