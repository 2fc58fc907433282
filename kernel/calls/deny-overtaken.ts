// Limits across concurrent calls. Calls that are decided at the same moment do not see each other, but their intents are in
// one order. A call whose decision depended on its task's calls is decided again on all that precede its own intent.
import type {Kernel} from '../context/kernel.ts';
import {evaluatePolicy} from '../policy/index.ts';
import {refuse, type CheckedCall, type Refusal, type SeenCalls} from './call.ts';
import {decidingRule, denyByPolicy} from './deny-by-policy.ts';
import {toolQuestion} from './policy-question.ts';

/** Returns the refusal of a call that exceeds a limit together with a concurrent one, otherwise undefined. */
export async function denyOvertaken(
  kernel: Kernel,
  call: CheckedCall,
  seen: readonly SeenCalls[],
): Promise<Refusal | undefined> {
  const {receipt_id} = call;
  const overtaken = await Promise.all(seen.map((calls) => isOvertaken(kernel, call, calls)));
  if (!overtaken.includes(true)) return undefined;
  const result = evaluatePolicy(await toolQuestion(kernel, call, receipt_id));
  const decided = {...call, policy_decisions: result.decisions};
  if (result.decision === 'deny') return {...denyByPolicy(decided, result), intended: true};
  if (result.decision === 'allow' || call.approval_request_id !== undefined) return undefined;
  // The intent is recorded, so this call cannot ask any more.
  const message = `\`${call.tool.name}\` needs an approval since another call was made at the same moment: call it again to ask for one`;
  return {...refuse(decided, 'POLICY_DENIED', message, decidingRule(result)), intended: true};
}

async function isOvertaken({ports}: Kernel, {receipt_id}: CheckedCall, {of, newest}: SeenCalls): Promise<boolean> {
  const {receipts} = await ports.evidence.read({...of, limit: 2});
  const [own, previous] = receipts.map((receipt) => receipt.receipt_id);
  return own !== receipt_id || previous !== newest;
}
