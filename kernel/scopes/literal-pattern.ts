// A path as a pattern. The language has no escapes, so a special character becomes `?`. The pattern matches the path, and at most others
// that differ in such a character. Use it to deny access, never to grant it.

const special = /[*?[\]{}\\!()+@,~:]/gu;

export function literalPattern(path: string): string {
  return path.replaceAll(special, '?');
}
