// What became of the files that one call wrote, with the change set itself.
import type {ChangeSet, RecordedChanges} from '@lumenflow/schemas';
import type {Kernel} from '../kernel.ts';
import type {KeptChanges} from '../changes/kept-changes.ts';

export interface ChangesView {
  readonly receipt_id: string;
  readonly tool_name: string;
  /** Now. `recorded.state` is what it was when the call ended. */
  readonly state: RecordedChanges['state'] | KeptChanges['state'];
  readonly recorded: RecordedChanges;
  /** Absent when it was redacted. */
  readonly set?: ChangeSet;
  /** What happened since the call ended. */
  readonly kept?: KeptChanges;
}

/** Undefined when there is no such call, or it was not transactional. */
export async function viewChanges(kernel: Kernel, receiptId: string): Promise<ChangesView | undefined> {
  const {evidence} = kernel.ports;
  const receipt = await evidence.receipt(receiptId);
  const recorded = receipt?.finished?.changes;
  if (receipt === undefined || recorded === undefined) return undefined;
  const kept = kernel.state.changes.get(receiptId);
  const text = await evidence.getBlob(recorded.ref);
  return {
    receipt_id: receiptId,
    tool_name: receipt.started.tool_name,
    state: kept?.state ?? recorded.state,
    recorded,
    ...(text !== undefined && {set: JSON.parse(text) as ChangeSet}),
    ...(kept && {kept}),
  };
}
