// What a call returned replaces the amount that limits assumed of it. Without a number in its output, the amount that was assumed counts, because
// the call may have used as much.
import type {ToolOutput} from '@lumenflow/schemas';
import type {Kernel} from '../context/kernel.ts';
import {parseJsonPointer, valueAt} from '../policy/json-pointer.ts';
import type {AdmittedCall} from './call.ts';
import {callerOf} from './caller-of.ts';

/** Undefined if there is nothing to correct. */
export function countOutput(
  {ports}: Kernel,
  call: AdmittedCall,
  {success, data}: ToolOutput,
): Promise<unknown> | undefined {
  const {counted_at: since} = call;
  if (!success || call.counted === undefined || since === undefined) return undefined;
  const counts = call.counted.flatMap(({key, amount, per_ms, output}) => {
    const path = output === undefined ? undefined : parseJsonPointer(output);
    const value = path && valueAt(data, path);
    if (typeof value !== 'number' || value < 0 || value === amount) return [];
    return [{key, amount: value - amount, since, ...(per_ms !== undefined && {per_ms})}];
  });
  if (counts.length === 0) return undefined;
  const {receipt_id} = call;
  const timestamp = ports.clock.timestamp();
  const event = {type: 'call_counted' as const, timestamp, actor: callerOf(call), receipt_id, counts};
  return ports.events.transact(() => ({events: [event], result: undefined}));
}
