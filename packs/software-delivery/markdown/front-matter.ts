// YAML between two lines `---` at the head of a Markdown file.
export interface SplitMarkdown {
  /** Without the lines `---`; its first line is the file's second. */
  readonly yaml: string;
  readonly body: string;
  /** Lines before the body. */
  readonly bodyStart: number;
  /** As the front matter ends its lines. */
  readonly eol: '\n' | '\r\n';
}

/** Undefined when the file begins with none. */
export function splitFrontMatter(text: string): SplitMarkdown | undefined {
  const [whole, yaml] = /^---[ \t]*\r?\n([\s\S]*?)^---[ \t]*(?:\r?\n|$)/mu.exec(text) ?? [];
  if (whole === undefined || yaml === undefined || !text.startsWith(whole)) return undefined;
  return {
    yaml,
    body: text.slice(whole.length),
    bodyStart: whole.split('\n').length - 1,
    eol: whole.includes('\r\n') ? '\r\n' : '\n',
  };
}
