// Keeps the texts of changed files beside the evidence, so that a difference can be shown later. Small files first come,
// first kept: a call that changes much is shown by its paths, sizes and hashes.
import type {ChangeEntry, ChangeSet, EntryState} from '@lumenflow/schemas';
import type {ContentStore} from '../ports.ts';
import type {FinishedChanges} from '../dispatch/finished-changes.ts';

/** Of one file, on each side. */
const fileBytesMax = 256 * 1024;
/** Of one call. */
const totalBytesMax = 4 * 1024 * 1024;
const filesMax = 200;

/** The same change set, with `content_ref` where the content was kept. */
export async function keepContents(contents: ContentStore, held: FinishedChanges): Promise<ChangeSet> {
  const {changes} = held;
  const budget = {bytes: totalBytesMax, files: filesMax};
  const keep = async (
    path: string,
    side: 'before' | 'after',
    state: EntryState | undefined,
  ): Promise<EntryState | undefined> => {
    const {kind, bytes = 0, sha256} = state ?? {};
    if (state === undefined || kind !== 'file' || sha256 === undefined) return state;
    if (bytes > fileBytesMax || bytes > budget.bytes || budget.files === 0) return state;
    const text = await held.text(path, side, fileBytesMax);
    if (text === undefined) return state;
    budget.bytes -= bytes;
    budget.files -= 1;
    const {hash, ref} = await contents.put(text);
    return hash === sha256 ? {...state, content_ref: ref} : state;
  };
  const entries: ChangeEntry[] = [];
  for (const entry of changes.entries) {
    if (entry.op === 'chmod') {
      entries.push(entry);
      continue;
    }
    const before = await keep(entry.from ?? entry.path, 'before', entry.before);
    const after = entry.op === 'rename' ? before : await keep(entry.path, 'after', entry.after);
    entries.push({...entry, ...(before && {before}), ...(after && {after})});
  }
  return {...changes, entries};
}
