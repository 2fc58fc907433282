// YAML between two `---` lines at the start of a Markdown file.
export interface SplitMarkdown {
  /** Without the `---` lines. Its first line is the second line of the file. */
  readonly yaml: string;
  readonly body: string;
  /** Number of lines before the body. */
  readonly bodyStart: number;
  /** The line ending of the front matter. */
  readonly eol: '\n' | '\r\n';
}

/** Undefined if the file has no front matter. */
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
