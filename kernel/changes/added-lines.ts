/** The lines of `after` that occur more often than in `before`, in order, as one text. */
export function addedLines(before: string, after: string): string {
  const left = new Map<string, number>();
  for (const line of before.split('\n')) left.set(line, (left.get(line) ?? 0) + 1);
  const added = after.split('\n').filter((line) => {
    const count = left.get(line) ?? 0;
    if (count > 0) left.set(line, count - 1);
    return count === 0;
  });
  return added.join('\n');
}
