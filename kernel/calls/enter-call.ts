// Counts a call towards limits, consumes its approval and spreads taint, all or nothing. The log's lock gives all calls of all processes one order, and
// limits are checked again in it: of calls that were decided at the same moment, no more are admitted than a limit allows.
import type {CountedUse} from '@lumenflow/schemas';
import type {Kernel} from '../context/kernel.ts';
import {evaluatePolicy, instantOf} from '../policy/index.ts';
import {approvalUsedEvent} from '../transitions/consume-approval.ts';
import type {NewEvent} from '../ports.ts';
import {refuse, type PermittedCall, type Refusal} from './call.ts';
import {callerOf} from './caller-of.ts';
import {decidingRule, denyByPolicy} from './deny-by-policy.ts';
import {missingTaint} from '../taint/taint.ts';
import {toolQuestion} from './policy-question.ts';
import {taintFlow} from './taint-of-call.ts';

/** The call as it was counted, or the refusal of a call that a concurrent one has overtaken. */
export async function enterCall(kernel: Kernel, call: PermittedCall): Promise<PermittedCall | Refusal> {
  const {counted, approval_request_id: request_id} = call;
  const spreads = missingTaint(kernel.state.taint, taintFlow(call)).length > 0;
  if (counted === undefined && request_id === undefined && !spreads) return call;
  const entry = await recordEntry(kernel, call, counted ?? []);
  if (typeof entry === 'object') return {...call, counted_at: entry.counted_at};
  if (entry === 'approval_used') {
    const message = `approval \`${request_id ?? ''}\` was used by another call in the meantime`;
    return refuse(call, 'POLICY_DENIED', message, {request_id});
  }
  const result = evaluatePolicy(await toolQuestion(kernel, call));
  const decided = {...call, policy_decisions: result.decisions, counted: result.counted, observed: result.observed};
  if (result.decision === 'deny') return denyByPolicy(decided, result);
  // What a person has approved, or another rule already requires an approval of, does not ask again.
  if (result.decision === 'allow' || call.asks !== undefined) return await enterCall(kernel, decided);
  const message = `\`${call.tool.name}\` needs an approval since another call was counted at the same moment: call it again to ask for one`;
  return refuse(decided, 'POLICY_DENIED', message, decidingRule(result));
}

type Entry = {readonly counted_at: string | undefined} | 'approval_used' | 'overtaken';

/** An object if the call is entered; `overtaken`: a limit that was free at the decision is used up now. */
async function recordEntry(kernel: Kernel, call: PermittedCall, counted: readonly CountedUse[]): Promise<Entry> {
  const {ports, state} = kernel;
  // The time of the decision, so that deciding again sees the same counts.
  const atMs = instantOf(call.timestamp) ?? 0;
  return await ports.events.transact<Entry>(() => {
    const isOvertaken = counted.some(({key, used, amount, at_most: max, per_ms: perMs}) => {
      const wasFree = used + amount <= max;
      return wasFree && state.usage.used(key, atMs, perMs) + amount > max;
    });
    if (isOvertaken) return {events: [], result: 'overtaken'};
    const {approval_request_id: id, receipt_id, run} = call;
    const used = id === undefined ? undefined : approvalUsedEvent(kernel, id, receipt_id, run.by);
    if (id !== undefined && used === undefined) return {events: [], result: 'approval_used'};
    const count = counted.length === 0 ? undefined : countEvent(kernel, call, counted);
    const events = [count, used, taintEvent(kernel, call)];
    return {
      events: events.filter((event) => event !== undefined),
      result: {counted_at: count && state.usage.countsFrom(count.timestamp)},
    };
  });
}

/** Before the call runs: what it returns counts however it ends. */
function taintEvent({ports, state}: Kernel, call: PermittedCall): NewEvent | undefined {
  const taints = missingTaint(state.taint, taintFlow(call));
  const [first, ...others] = taints;
  if (first === undefined) return undefined;
  const {receipt_id} = call;
  return {
    type: 'taint_added',
    timestamp: ports.clock.timestamp(),
    actor: callerOf(call),
    receipt_id,
    taints: [first, ...others],
  };
}

function countEvent({ports}: Kernel, call: PermittedCall, counted: readonly CountedUse[]): NewEvent {
  const counts = counted.map(({key, amount, per_ms}) => ({key, amount, ...(per_ms !== undefined && {per_ms})}));
  return {
    type: 'call_counted',
    timestamp: ports.clock.timestamp(),
    actor: callerOf(call),
    receipt_id: call.receipt_id,
    counts,
  };
}
