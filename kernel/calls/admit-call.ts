// The last gate before dispatch: nothing runs until the approval is consumed and the intent is in the log.
import type {Kernel} from '../context/kernel.ts';
import {consumeApproval} from '../transitions/consume-approval.ts';
import {admitted, grow, refuse, type AdmittedCall, type PermittedCall, type Refusal} from './call.ts';
import {denyOvertaken} from './deny-overtaken.ts';
import {intentRecord} from './intent-record.ts';
import {executionMode} from './execution-mode.ts';

export async function admitCall(kernel: Kernel, call: PermittedCall): Promise<AdmittedCall | Refusal> {
  if (call.approval_request_id !== undefined) {
    const taken = await consumeApproval(kernel, call.approval_request_id, call.receipt_id, call.run.by);
    if (!taken) {
      return refuse(
        call,
        'POLICY_DENIED',
        `approval \`${call.approval_request_id}\` was used by another call in the meantime`,
        {
          request_id: call.approval_request_id,
        },
      );
    }
  }
  const mode = executionMode(kernel, call);
  const durable = mustReachDisk(kernel, call);
  await kernel.ports.evidence.append([intentRecord(kernel, call, {mode, durable})], {fsync: durable});
  const {calls_seen} = call;
  const denied = calls_seen && (await denyOvertaken(kernel, call, calls_seen));
  return denied ?? grow(call, {[admitted]: true as const});
}

/** durability auto: what may change the world is on disk first; a read's record follows in its own time. */
function mustReachDisk(kernel: Kernel, call: PermittedCall): boolean {
  if (kernel.durability === 'auto') return call.tool.declaration.permission !== 'read';
  return kernel.durability === 'always';
}
