// What a receipt says of a change set.
import type {ChangeSet, RecordedChanges} from '@lumenflow/schemas';

/** Entries that a receipt lists. */
const listedMax = 200;

/** `ref`: where the whole set is kept. */
export function recordedChanges(
  {base, digest, entries}: ChangeSet,
  ref: string,
): Pick<RecordedChanges, 'base' | 'digest' | 'count' | 'bytes' | 'ref' | 'list'> {
  const bytes = entries.reduce((sum, {op, after}) => sum + (op === 'chmod' ? 0 : (after?.bytes ?? 0)), 0);
  return {digest, base, count: entries.length, bytes, ref, list: entries.slice(0, listedMax)};
}
