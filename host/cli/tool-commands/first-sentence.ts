// What a description says first, where there is one line for it.

export function firstSentence(text: string): string {
  return /^.*?[.:](?=\s)/u.exec(text)?.[0].replace(/[.:]$/u, '') ?? text.replace(/\.$/u, '');
}
