/**
 * A sidecar that parses what is asked for. A search looks at a hundred sidecars and wants the role of most of them:
 * to parse and check each in full would take longer than the search.
 *
 * Canonical JSON (sorted keys, no blanks) puts the symbols, most of the text, last. The keys before them can be told
 * from anything in a value, since inside a string every quote is escaped. A file of another form is parsed in full.
 */
import { innermost, type SymbolLookup } from '../retrieval/symbols.js';
import type { Flow, Neighbours, Sidecar, SidecarSymbol } from '../sidecars/sidecar.generated.js';
import { Ends, type Numbered, unpackHead, unpackSymbols } from '../sidecars/stored.js';
import { isCommunity, isFlow, isHeadOf, isNeighbours, isSymbol, manyOf } from './validation.js';

const SYMBOLS = ',"schemaVersion":1,"symbols":[';
const ROLE = /,"role":"([a-z]+)"$/;

/** More than any builder writes. */
const MOST_SYMBOLS = 50_000;
const MOST_FLOWS = 1000;

type Head = Omit<Sidecar, 'symbols'>;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The head of a sidecar, with what does not have the shape of the schema left out. */
function headOf(parsed: unknown, path: string): Head | undefined {
  if (!isHeadOf(parsed, path)) return undefined;
  const { community, neighbours, flows, ...rest } = parsed;
  return {
    ...rest,
    ...(isCommunity(community) ? { community } : {}),
    neighbours: isNeighbours(neighbours) ? neighbours : {},
    flows: manyOf(flows, isFlow, MOST_FLOWS) ?? [],
  };
}

/** A symbol whose neighbours are unpacked and checked when they are asked for: few symbols of a file are. */
class LazySymbol implements SidecarSymbol {
  readonly name: string;
  readonly kind: SidecarSymbol['kind'];
  readonly line: number;
  readonly endLine: number;
  readonly signature: string;
  private unpacked: Neighbours | undefined;

  constructor(
    own: SidecarSymbol,
    private readonly stored: unknown,
    private readonly numbered: () => Numbered,
  ) {
    this.name = own.name;
    this.kind = own.kind;
    this.line = own.line;
    this.endLine = own.endLine;
    this.signature = own.signature;
  }

  get neighbours(): Neighbours {
    if (!this.unpacked) {
      const [plain] = unpackSymbols([this.stored], this.numbered()) ?? [];
      this.unpacked = isNeighbours(plain?.neighbours) ? plain.neighbours : {};
    }
    return this.unpacked;
  }
}

function symbolsOf(parsed: unknown, numbered: () => Numbered): SidecarSymbol[] {
  return (manyOf(parsed, isSymbol, MOST_SYMBOLS) ?? []).map((own) => new LazySymbol(own, own, numbered));
}

/** How each symbol starts in canonical JSON. Inside a string its quotes would be escaped. */
const SYMBOL = '{"endLine":';
const LINE = ',"line":';

/** The symbols of a file in the text of their list, each parsed when it is asked for: few are. */
class SymbolsText {
  private readonly spans: { readonly line: number; readonly endLine: number }[] = [];
  private readonly starts: number[] = [];
  private readonly parsed = new Map<number, SidecarSymbol | undefined>();

  constructor(
    private readonly text: string,
    private readonly numbered: () => Numbered,
  ) {
    for (let at = text.indexOf(SYMBOL); at >= 0; at = text.indexOf(SYMBOL, at + SYMBOL.length)) {
      const line = text.indexOf(LINE, at);
      this.starts.push(at);
      this.spans.push({
        endLine: Number.parseInt(text.slice(at + SYMBOL.length, at + SYMBOL.length + 10), 10),
        line: Number.parseInt(text.slice(line + LINE.length, line + LINE.length + 10), 10),
      });
    }
    if (this.starts.length > MOST_SYMBOLS) this.starts.length = this.spans.length = 0;
  }

  private symbol(index: number): SidecarSymbol | undefined {
    if (this.parsed.has(index)) return this.parsed.get(index);
    // What follows a symbol is a comma, or the end of the list.
    const end = (this.starts[index + 1] ?? this.text.length) - 1;
    const own = parse(this.text.slice(this.starts[index], end));
    const symbol = isSymbol(own) ? new LazySymbol(own, own, this.numbered) : undefined;
    this.parsed.set(index, symbol);
    return symbol;
  }

  at(line: number): SidecarSymbol | undefined {
    const index = innermost(this.spans, line);
    return index === undefined ? undefined : this.symbol(index);
  }

  named(name: string): SidecarSymbol | undefined {
    const found = this.text.indexOf(`,"name":${JSON.stringify(name)},`);
    if (found < 0) return undefined;
    const symbol = this.symbol(this.starts.indexOf(this.text.lastIndexOf(SYMBOL, found)));
    return symbol?.name === name ? symbol : undefined;
  }
}

class LazySidecar implements Sidecar, SymbolLookup {
  readonly schemaVersion = 1;
  private unpacked: { readonly head: Head; readonly numbered: Numbered } | undefined;
  private parsedSymbols: SidecarSymbol[] | undefined;
  private symbolsInText: SymbolsText | undefined;

  constructor(
    readonly path: string,
    readonly role: Sidecar['role'],
    private readonly headText: string,
    private readonly symbolsText: string,
  ) {}

  /** The head, and what the numbers in the symbols stand for. */
  private readonly unpack = (): { readonly head: Head; readonly numbered: Numbered } => {
    if (this.unpacked) return this.unpacked;
    const { head, numbered } = unpackHead(parse(this.headText)) ?? {};
    this.unpacked = {
      numbered: numbered ?? { ends: new Ends([]), evidence: [] },
      head: headOf(head, this.path) ?? {
        schemaVersion: 1,
        path: this.path,
        content: '',
        role: this.role,
        lines: 0,
        neighbours: {},
        flows: [],
      },
    };
    return this.unpacked;
  };

  private readonly numbered = (): Numbered => this.unpack().numbered;

  private get head(): Head {
    return this.unpack().head;
  }

  get content(): string {
    return this.head.content;
  }

  get lines(): number {
    return this.head.lines;
  }

  get neighbours(): Neighbours {
    return this.head.neighbours;
  }

  get flows(): Flow[] {
    return this.head.flows;
  }

  get symbols(): SidecarSymbol[] {
    this.parsedSymbols ??= symbolsOf(parse(this.symbolsText), this.numbered);
    return this.parsedSymbols;
  }

  private get lookup(): SymbolsText {
    this.symbolsInText ??= new SymbolsText(this.symbolsText, this.numbered);
    return this.symbolsInText;
  }

  symbolAt(line: number): SidecarSymbol | undefined {
    return this.lookup.at(line);
  }

  symbolNamed(name: string): SidecarSymbol | undefined {
    return this.lookup.named(name);
  }

  // Optional in the schema, so an absent one is an absent property to a reader of it: undefined.
  get community(): NonNullable<Sidecar['community']> {
    return this.head.community as NonNullable<Sidecar['community']>;
  }

  get language(): string {
    return this.head.language as string;
  }
}

/**
 * The sidecar of `path` in the content of its file. Undefined where the text is cut short, is of another file or
 * another version of the schema; lists that do not have the form of the schema count as empty.
 */
export function sidecarFrom(content: string, path: string): Sidecar | undefined {
  const text = content.endsWith('\n') ? content.slice(0, -1) : content;
  const split = text.lastIndexOf(SYMBOLS);
  const role = ROLE.exec(text.slice(Math.max(0, split - 40), Math.max(0, split)))?.[1];
  if (split > 0 && role !== undefined && text.endsWith(']}') && text.startsWith('{')) {
    const named = `,"path":${JSON.stringify(path)},"role":"${role}"`;
    if (text.endsWith(named, split)) {
      const headText = `${text.slice(0, split)},"schemaVersion":1}`;
      const symbolsText = text.slice(split + SYMBOLS.length - 1, -1);
      return new LazySidecar(path, role as Sidecar['role'], headText, symbolsText);
    }
  }
  const parsed = parse(text);
  const unpacked = unpackHead(parsed);
  const head = unpacked && headOf(unpacked.head, path);
  return head && { ...head, symbols: symbolsOf((parsed as { symbols?: unknown }).symbols, () => unpacked.numbered) };
}
