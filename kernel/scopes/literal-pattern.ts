// A path as a pattern. The language has no escapes, so that a character with a meaning becomes `?`: the pattern matches the path,
// and at most others that differ in such a character. So it serves to keep something away, and never to grant it.

const special = /[*?[\]{}\\!()+@,~:]/gu;

export function literalPattern(path: string): string {
  return path.replaceAll(special, '?');
}
