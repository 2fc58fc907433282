import type {ChangeEntry} from '@lumenflow/schemas';

/** With what a rename does to both of its paths, since each is compared, staged and applied by itself. */
export function splitRenames(entries: readonly ChangeEntry[]): readonly ChangeEntry[] {
  return entries.flatMap((entry): readonly ChangeEntry[] => {
    const {path, op, from, before, after} = entry;
    if (op !== 'rename' || from === undefined) return [entry];
    return [
      {path: from, op: 'delete', ...(before && {before})},
      {path, op: 'create', ...(after && {after})},
    ];
  });
}
