// All changes that were not applied when their call ended: those that a person was asked about, as the events record them,
// and those of calls that ended in a conflict, of which only the receipts and the kept files say so.
import type {KeptChanges} from '../changes/kept-changes.ts';
import type {Kernel} from '../kernel.ts';

/** In order of the time when they first had to be kept, as far as the events record it; then those that nobody has touched since. */
export async function listKept({ports, state}: Kernel): Promise<readonly KeptChanges[]> {
  const recorded = [...state.changes.values()];
  const ids = (await ports.dispatcher.parked?.list().catch(() => [])) ?? [];
  const others: {readonly kept: KeptChanges; readonly since: string}[] = [];
  for (const receipt_id of ids) {
    if (state.changes.has(receipt_id)) continue;
    const receipt = await ports.evidence.receipt(receipt_id);
    if (receipt?.finished?.changes?.state !== 'conflict') continue;
    others.push({kept: {receipt_id, state: 'conflict'}, since: receipt.finished.timestamp});
  }
  const sorted = others.toSorted((one, other) => (one.since < other.since ? -1 : 1));
  return [...recorded, ...sorted.map(({kept}) => kept)];
}
