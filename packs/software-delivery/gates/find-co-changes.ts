// Files that often changed together in the history. If one of them changes, the others may have been forgotten.
export interface CoChange {
  readonly path: string;
  /** Commits that changed this file and one of the given paths. */
  readonly commits: number;
  /** Share of the commits that changed one of the given paths: 0 to 1. */
  readonly share: number;
}

export interface CoChanges {
  /** Commits that changed one of the given paths. */
  readonly commits: number;
  /** Most frequent first. */
  readonly together: readonly CoChange[];
}

/** A commit with more paths is a sweep, which does not relate any two files. */
const pathsMax = 50;

/** `history` contains the paths of each commit. */
export function findCoChanges(history: readonly (readonly string[])[], paths: readonly string[]): CoChanges {
  const given = new Set(paths);
  const telling = history.filter((changed) => changed.length <= pathsMax && changed.some((path) => given.has(path)));
  const counts = new Map<string, number>();
  for (const path of telling.flat()) if (!given.has(path)) counts.set(path, (counts.get(path) ?? 0) + 1);
  const together = [...counts].map(([path, commits]) => ({path, commits, share: commits / telling.length}));
  return {
    commits: telling.length,
    together: together.toSorted((a, b) => b.commits - a.commits || (a.path < b.path ? -1 : 1)),
  };
}
