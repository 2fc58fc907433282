// Returns the first sentence of a description, for a single line.

export function firstSentence(text: string): string {
  // A colon in parentheses does not end it: `the workspace (default: the nearest)`.
  return /^(?:\([^)]*\)|[^(])*?[.:](?=\s)/u.exec(text)?.[0].replace(/[.:]$/u, '') ?? text.replace(/\.$/u, '');
}
