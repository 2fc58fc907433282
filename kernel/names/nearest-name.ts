// Finds what a misspelt name was probably meant to be, for "did you mean" in messages.

/** The candidate nearest to `name`, when it is near enough to be a slip: at most a third of its characters differ. */
export function nearestName(name: string, candidates: Iterable<string>): string | undefined {
  let nearest: string | undefined;
  if (name.length > 200) return undefined;
  let nearestDistance = Math.max(1, Math.floor(name.length / 3)) + 1;
  for (const candidate of candidates) {
    if (candidate === name || Math.abs(candidate.length - name.length) >= nearestDistance) continue;
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (distance < nearestDistance && distance < Math.min(name.length, candidate.length)) {
      nearest = candidate;
      nearestDistance = distance;
    }
  }
  return nearest;
}

/** Insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({length: b.length + 1}, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let cost = Math.min(replaced, (last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, (beforeLast[j - 2] ?? 0) + 1);
      }
      row.push(cost);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length] ?? 0;
}
