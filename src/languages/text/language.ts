/** Documents and configuration files: what they say about code. No grammar; the text is read by itself. */
import type { FileFacts, Json } from '../../facts/model.js';
import type { EdgeDraft } from '../../graph/edge.js';
import type { LinkView } from '../../graph/view.js';
import type { Language, ParsedFile } from '../language.js';
import { DIALECTS, isChronicle, isDocument, isMaterial } from './kinds.js';
import { type Mention, type MentionKind, mentionsOfConfiguration, mentionsOfDocument } from './mentions.js';
import { resolveMention } from './resolve.js';

/** Edges of one file. */
const EDGES_PER_FILE = 200;
/** Settings that name more files than this are a list that a tool keeps, and configure none of them. Manifests may. */
const LIST = 60;
const MANIFEST = /(^|\/)(package|jsr|deno|tsconfig[^/]*|composer|project)\.jsonc?$|\.(toml|cfg)$/;

const encode = (mentions: readonly Mention[]): Json => mentions.map(({ kind, text, line }) => [kind, text, line]);

function decode(value: Json | undefined): Mention[] {
  if (!Array.isArray(value)) return [];
  return (value as [MentionKind, string, number][]).map(([kind, text, line]) => ({ kind, text, line }));
}

function extract({ source, dialect }: ParsedFile): FileFacts {
  return {
    language: 'text',
    lines: source.split('\n').length,
    errors: 0,
    symbols: [],
    references: [],
    imports: [],
    entryPoints: [],
    strings: [],
    surface: { entries: {}, defines: [] },
    extra: encode(dialect === 'configuration' ? mentionsOfConfiguration(source) : mentionsOfDocument(source)),
  };
}

function link(path: string, facts: FileFacts, view: LinkView): EdgeDraft[] {
  if (isChronicle(path)) return [];
  const configures = !isDocument(path);
  const edges: EdgeDraft[] = [];
  const seen = new Set<string>();
  for (const mention of decode(facts.extra)) {
    const to = resolveMention(path, mention, configures, view);
    if (!to || to.path === path || !isMaterial(to.path)) continue;
    const key = `${to.path}\0${to.symbol ?? ''}`;
    if (seen.has(key)) continue;
    seen.add(key);
    edges.push({
      from: -1,
      to,
      type: configures ? 'configures' : 'documents',
      provenance: configures ? 'configuration' : 'documentation',
      line: mention.line,
    });
    if (edges.length >= EDGES_PER_FILE) break;
  }
  return configures && edges.length > LIST && !MANIFEST.test(path) ? [] : edges;
}

export const text: Language = {
  id: 'text',
  version: 1,
  dialects: DIALECTS,
  extract,
  link,
};
