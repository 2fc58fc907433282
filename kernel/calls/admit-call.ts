// The last gate before dispatch: nothing runs until it is counted, its approval is consumed, and its intent is in the log.
import type {Kernel} from '../context/kernel.ts';
import {appendWithInput} from './append-records.ts';
import {admitted, grow, isRefusal, type AdmittedCall, type PermittedCall, type Refusal} from './call.ts';
import {denyOvertaken} from './deny-overtaken.ts';
import {enterCall} from './enter-call.ts';
import {intentRecord} from './intent-record.ts';
import {executionMode} from './execution-mode.ts';

export async function admitCall(kernel: Kernel, permittedCall: PermittedCall): Promise<AdmittedCall | Refusal> {
  const entered = await enterCall(kernel, permittedCall);
  if (isRefusal(entered)) return entered;
  const mode = executionMode(kernel, entered);
  const durable = mustReachDisk(kernel, entered);
  const call = await appendWithInput(kernel, entered, (intended) =>
    kernel.ports.evidence.append([intentRecord(kernel, intended, {mode, durable})], {fsync: durable}),
  );
  const {seen = []} = call;
  const denied = seen.length > 0 ? await denyOvertaken(kernel, call, seen) : undefined;
  return denied ?? grow(call, {[admitted]: true as const});
}

/** durability auto: what may change the world is on disk first; a read's record follows in its own time. */
function mustReachDisk(kernel: Kernel, call: PermittedCall): boolean {
  if (kernel.durability === 'auto') return call.tool.declaration.permission !== 'read';
  return kernel.durability === 'always';
}
