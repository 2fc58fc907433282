/** Without its directory; some file systems ignore case. */
export function programName(word: string): string {
  return word.slice(word.lastIndexOf('/') + 1).toLowerCase();
}
