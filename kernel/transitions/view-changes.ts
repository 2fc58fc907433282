// The change set of one call, and whether it was applied, discarded or reverted.
import type {ChangeSet, RecordedChanges} from '@lumenflow/schemas';
import {recordedChanges} from '../changes/recorded-changes.ts';
import type {Kernel} from '../context/kernel.ts';
import type {Receipt} from '../ports.ts';
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
  /** Receipt of the newest call that reverted these changes. */
  readonly reverted_by?: string;
}

/** Undefined if there is no such call, or if it was not transactional. */
export async function viewChanges(kernel: Kernel, receiptId: string): Promise<ChangesView | undefined> {
  const {evidence, contents} = kernel.ports;
  const receipt = await evidence.receipt(receiptId);
  const recorded = receipt?.finished?.changes ?? (await asked(kernel, receiptId));
  if (receipt === undefined || recorded === undefined) return undefined;
  const kept = kernel.state.changes.get(receiptId);
  const text = await contents.get(recorded.ref);
  const state = kept?.state ?? recorded.state;
  const reverted_by = state === 'applied' ? await revertOf(kernel, receipt) : undefined;
  return {
    receipt_id: receiptId,
    tool_name: receipt.started.tool_name,
    state,
    recorded,
    ...(text !== undefined && {set: JSON.parse(text) as ChangeSet}),
    ...(kept && {kept}),
    ...(reverted_by !== undefined && {reverted_by}),
  };
}

const revertTool = 'kernel:revert-changes';
const revertsAtOnce = 100;

async function revertOf({ports, state}: Kernel, {receipt_id, started}: Receipt): Promise<string | undefined> {
  let before_seq: number | undefined;
  for (;;) {
    const filter = {tool_name: revertTool, since: started.timestamp, limit: revertsAtOnce, before_seq};
    const {receipts, next_before_seq} = await ports.evidence.read(filter);
    const found = receipts.find(({receipt_id: id, finished}) => {
      const {reverts, state: recorded} = finished?.changes ?? {};
      return reverts === receipt_id && (state.changes.get(id)?.state ?? recorded) === 'applied';
    });
    if (found !== undefined || next_before_seq === undefined) return found?.receipt_id;
    before_seq = next_before_seq;
  }
}

/** Of a call that was interrupted after it had asked a person: what the request binds. */
async function asked({ports, state}: Kernel, receiptId: string): Promise<RecordedChanges | undefined> {
  const {request_id = ''} = state.changes.get(receiptId) ?? {};
  const ref = state.approvals.get(request_id)?.subject.changes_ref;
  const text = ref === undefined ? undefined : await ports.contents.get(ref);
  if (ref === undefined || text === undefined) return undefined;
  return {state: 'parked', request_id, ...recordedChanges(JSON.parse(text) as ChangeSet, ref)};
}
