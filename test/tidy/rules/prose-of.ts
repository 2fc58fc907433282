// What a file says to a person: pages, comments, messages and descriptions, each with the line where it begins.
import type {Nodes} from 'mdast';
import {fromMarkdown} from 'mdast-util-from-markdown';
import {parseSync, Visitor} from 'oxc-parser';
import {isSource, isTestCode, lineAt, type SourceFile} from './source-file.ts';

export interface Prose {
  readonly path: string;
  /** Counted from 1. */
  readonly line: number;
  readonly kind: 'page' | 'comment' | 'message' | 'description' | 'test title';
  /** One paragraph on one line. Code is `x`, so that it counts as a word and matches no turn of phrase. */
  readonly text: string;
}

/** Paragraphs, list items, headings and table cells of a page; blocks of code are left out. */
function ofPage({path, text}: SourceFile): readonly Prose[] {
  const found: Prose[] = [];
  const add = (line: number, paragraph: string): void =>
    void found.push({path, line, kind: 'page', text: oneLine(paragraph)});
  const walk = (node: Nodes): void => {
    const line = node.position?.start.line ?? 1;
    if (node.type === 'paragraph' || node.type === 'heading') {
      const paragraph = words(node);
      if (paragraph.startsWith('|'))
        paragraph.split('\n').forEach((row, index) => row.split('|').forEach((cell) => add(line + index, cell)));
      else add(line, paragraph);
    } else if ('children' in node) node.children.forEach(walk);
  };
  walk(fromMarkdown(text));
  return found.filter((prose) => /[a-z]{2}/i.test(prose.text));
}

function words(node: Nodes): string {
  if (node.type === 'inlineCode') return '`x`';
  if (node.type === 'html') return ' ';
  if (node.type === 'break') return ' ';
  return 'children' in node ? node.children.map(words).join('') : 'value' in node ? node.value : '';
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

const withoutCode = (text: string): string =>
  oneLine(text.replace(/`[^`]*`/g, '`x`').replace(/\{@\w+ [^}]*\}/g, '`x`'));

/** At least three words of letters, separated by spaces: neither code, nor a path, nor a list of names. */
function isProse(text: string): boolean {
  return (text.match(/(?:^|\s)[a-z]{2,}(?=[\s.,:;?!]|$)/gi) ?? []).length >= 3 && !/[{}<>]|=>|\w\(/.test(text);
}

/** Comments whose lines follow each other are one. */
function commentsOf(
  {path, text}: SourceFile,
  comments: readonly {start: number; end: number; value: string}[],
): readonly Prose[] {
  const blocks: {start: number; end: number; value: string}[] = [];
  for (const comment of comments) {
    const before = blocks.at(-1);
    const isNext = before !== undefined && /^\n[ \t]*$/.test(text.slice(before.end, comment.start));
    if (isNext) Object.assign(before, {end: comment.end, value: `${before.value} ${comment.value}`});
    else blocks.push({...comment});
  }
  return blocks.map(({start, value}) => ({
    path,
    line: lineAt(text, start),
    kind: 'comment' as const,
    text: withoutCode(value.replace(/^\s*\*+ ?/gm, '').replace(/@(\w+)/g, '')),
  }));
}

/** Comments, and the strings that are sentences; `${…}` in them is `x`. */
function ofSource(file: SourceFile): readonly Prose[] {
  const {program, comments} = parseSync(file.path, file.text);
  const found: Prose[] = [];
  const kind = isTestCode(file.path) ? ('test title' as const) : ('message' as const);
  const add = (start: number, text: string): void => {
    const prose = withoutCode(text);
    if (isProse(prose)) found.push({path: file.path, line: lineAt(file.text, start), kind, text: prose});
  };
  const isTitle = (start: number): boolean =>
    /\b(?:test|describe|it)(?:\.\w+)*(?:\([^()]*\))?\(\s*$/.test(file.text.slice(Math.max(0, start - 200), start));
  new Visitor({
    Literal(node) {
      if (typeof node.value === 'string' && (kind === 'message' || isTitle(node.start))) add(node.start, node.value);
    },
    TemplateLiteral(node) {
      if (kind === 'message') add(node.start, node.quasis.map(({value}) => value.cooked ?? '').join('`x`'));
    },
    JSXText(node) {
      add(node.start, node.value);
    },
  }).visit(program);
  return [...commentsOf(file, comments), ...found];
}

const describes =
  /^\s*(?:- )?"?(?:description|title|reason|message|help|label)"?: *(?:"((?:[^"\\]|\\.)*)"|'((?:[^']|'')*)'|([^"'|>\s[{].*?)),?$/;

/** Descriptions in schemas, manifests and workspaces, and comments of YAML. */
function ofData({path, text}: SourceFile): readonly Prose[] {
  return text.split('\n').flatMap((row, index): readonly Prose[] => {
    const described = describes.exec(row);
    const comment = path.endsWith('.json') ? undefined : /(?:^|\s)# ?(.*)$/.exec(row)?.[1];
    const value = described?.slice(1).find((part) => part !== undefined) ?? comment;
    const prose = value === undefined ? '' : withoutCode(value);
    return isProse(prose) ? [{path, line: index + 1, kind: described ? 'description' : 'comment', text: prose}] : [];
  });
}

/** Everything in a file that a person reads as sentences. */
export function proseOf(file: SourceFile): readonly Prose[] {
  if (file.path.endsWith('.md')) return ofPage(file);
  if (isSource(file.path)) return ofSource(file);
  if (/\.(?:json|ya?ml)$/.test(file.path)) return ofData(file);
  return [];
}
