// What a call is to the calls that it makes.
import type {CheckedCall, ParentCall} from './call.ts';

/** What differs between the call itself and its preview. */
type OwnParts = Pick<ParentCall, 'writes' | 'view_receipt_id' | 'carryApproval' | 'isOver'>;

export function parentCall(call: CheckedCall, own: OwnParts): ParentCall {
  const {receipt_id, tool, grant, callers, run, request} = call;
  return {
    receipt_id,
    tool,
    pack: tool.pack,
    grant,
    callers,
    run,
    depth: (request.parent?.depth ?? 0) + 1,
    ...own,
  };
}
