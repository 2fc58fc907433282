// A server's list, sorted by key. Of entries with the same key only the first one counts, because a request could not distinguish them.
export interface Distinct<T> {
  readonly entries: readonly T[];
  /** Invalid ones, repeated ones, and those beyond the limit. */
  readonly omitted: number;
}

const entriesMax = 1_000;

/** Undefined is an invalid entry. */
export function distinctBy<T>(found: readonly (T | undefined)[], keyOf: (entry: T) => string): Distinct<T> {
  const byKey = new Map<string, T>();
  for (const entry of found) if (entry !== undefined && !byKey.has(keyOf(entry))) byKey.set(keyOf(entry), entry);
  const sorted = [...byKey].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, entry]) => entry);
  const entries = sorted.slice(0, entriesMax);
  return {entries, omitted: found.length - entries.length};
}
