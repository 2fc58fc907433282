// Maps items in order, with at most `limit` at the same time.

export async function mapBounded<Item, Result>(
  items: readonly Item[],
  limit: number,
  map: (item: Item, index: number) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  const entries = items.entries();
  const work = async (): Promise<void> => {
    for (const [index, item] of entries) results[index] = await map(item, index);
  };
  await Promise.all(Array.from({length: Math.min(limit, items.length)}, work));
  return results;
}
