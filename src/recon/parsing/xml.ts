/** XML with lines: elements, attributes and text, namespaces left as written. */
import { SaxesParser } from 'saxes';
import { problemText } from './tree.js';

export interface Element {
  readonly name: string;
  readonly line: number;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Element[];
  readonly text: string;
}

export interface ParsedXml {
  readonly root?: Element;
  readonly problem?: { readonly message: string; readonly line: number };
}

interface Open {
  readonly name: string;
  readonly line: number;
  readonly attributes: Record<string, string>;
  readonly children: Element[];
  text: string;
}

/** Never throws: what was read before the error is kept. */
export function parseXml(text: string): ParsedXml {
  const stack: Open[] = [];
  let root: Open | undefined;
  let problem: ParsedXml['problem'];
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    problem ??= { message: problemText(error.message.replace(/^\d+:\d+:\s*/, '')), line: parser.line };
  });
  parser.on('opentag', (tag) => {
    const element: Open = {
      name: tag.name,
      line: parser.line,
      attributes: { ...tag.attributes },
      children: [],
      text: '',
    };
    const parent = stack.at(-1);
    if (parent) parent.children.push(element);
    else root ??= element;
    stack.push(element);
  });
  parser.on('text', (value) => {
    const element = stack.at(-1);
    if (element) element.text = (element.text + value).trim();
  });
  parser.on('closetag', () => {
    stack.pop();
  });
  try {
    parser.write(text).close();
  } catch (error) {
    problem ??= { message: problemText((error as Error).message), line: 1 };
  }
  return { ...(root ? { root } : {}), ...(problem ? { problem } : {}) };
}

/** The first child of that name. */
export function child(element: Element | undefined, name: string): Element | undefined {
  return element?.children.find((candidate) => candidate.name === name);
}

/** All children of that name. */
export function childrenOf(element: Element | undefined, name: string): readonly Element[] {
  return element?.children.filter((candidate) => candidate.name === name) ?? [];
}
