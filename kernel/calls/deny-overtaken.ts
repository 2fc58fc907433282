// Limits across concurrent calls. Calls that are decided at the same moment do not see each other, but their intents are in
// one order. A call whose decision depended on its task's calls is decided again on all that precede its own intent.
import type {TaskEvidence} from '@lumenflow/schemas';
import type {Kernel} from '../context/kernel.ts';
import {evaluatePolicy} from '../policy/index.ts';
import {refuse, type CheckedCall, type Refusal} from './call.ts';
import {decidingRule, denyByPolicy} from './deny-by-policy.ts';
import {toolQuestion} from './policy-question.ts';

/** Returns the refusal of a call that exceeds a limit together with a concurrent one, otherwise undefined. */
export async function denyOvertaken(
  kernel: Kernel,
  call: CheckedCall,
  seen: readonly TaskEvidence[],
): Promise<Refusal | undefined> {
  const {receipt_id} = call;
  const {receipts} = await kernel.ports.evidence.read({task_id: call.task.spec.id, limit: 2});
  const [newest, previous] = receipts.map((receipt) => receipt.receipt_id);
  if (newest === receipt_id && previous === seen.at(-1)?.receipt_id) return undefined;
  const result = evaluatePolicy(await toolQuestion(kernel, call, receipt_id));
  const decided = {...call, policy_decisions: result.decisions};
  if (result.decision === 'deny') return {...denyByPolicy(decided, result), intended: true};
  if (result.decision === 'allow' || call.approval_request_id !== undefined) return undefined;
  // The intent is recorded, so this call cannot ask any more.
  const message = `\`${call.tool.name}\` needs an approval since its task made another call at the same moment: call it again to ask for one`;
  return {...refuse(decided, 'POLICY_DENIED', message, decidingRule(result)), intended: true};
}
