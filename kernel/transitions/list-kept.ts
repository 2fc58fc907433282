// All changes that were not applied when their call ended. Events record those with a request for approval. Only the receipts and the
// kept files record those of calls that ended in a conflict.
import type {KeptChanges} from '../changes/kept-changes.ts';
import type {Kernel} from '../context/kernel.ts';

/** In the order in which they were kept, as far as events record it; then the others. */
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
