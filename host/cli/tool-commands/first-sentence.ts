// Returns the first sentence of a description, for a single line.

export function firstSentence(text: string): string {
  return /^.*?[.:](?=\s)/u.exec(text)?.[0].replace(/[.:]$/u, '') ?? text.replace(/\.$/u, '');
}
