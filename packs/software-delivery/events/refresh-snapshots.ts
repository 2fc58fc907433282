// Writes slices' snapshots as of now, without waiting for the log to grow: what was forgotten is to stand in none.
import type {ToolContext} from '@lumenflow/pack-sdk';
import {foldLog} from './fold-log.ts';
import type {Slice} from './slice.ts';
import {snapshotName, writeSnapshot} from './snapshot.ts';

export async function refreshSnapshots(
  {state}: Pick<ToolContext, 'state'>,
  slices: readonly Slice<unknown, never>[],
): Promise<void> {
  for (const slice of slices) {
    const document = state(snapshotName(slice.name));
    await writeSnapshot(document, slice, await foldLog(state('events'), document, slice));
  }
}
