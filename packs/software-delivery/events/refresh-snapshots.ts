// Writes current snapshots immediately, so that deleted content disappears from them.
import type {ToolContext} from '@lumenflow/pack-sdk';
import {foldTogether, openLogTexts} from './fold-log.ts';
import type {Slice} from './slice.ts';
import {writeSnapshot} from './snapshot.ts';

export async function refreshSnapshots(
  {state}: Pick<ToolContext, 'state'>,
  slices: readonly Slice<unknown, never>[],
): Promise<void> {
  const texts = openLogTexts(state);
  for (const [at, folded] of (await foldTogether(texts, slices)).entries()) {
    const slice = slices[at];
    if (slice !== undefined) await writeSnapshot(texts.snapshot(slice.name), slice, folded);
  }
}
