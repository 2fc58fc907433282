// The filter of lists: every word must be a part of one of the names, in any case. It imports nothing, because the dashboard's pages
// use it too.

export function matchesWords(words: string, names: readonly (string | undefined)[]): boolean {
  const known = names.flatMap((name) => (name === undefined ? [] : [name.toLowerCase()]));
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return wanted.every((word) => known.some((name) => name.includes(word)));
}
