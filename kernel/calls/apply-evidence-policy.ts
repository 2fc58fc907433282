// The trigger on_evidence_added: fires after a call's outcome, or its refusal, is recorded. Its decision is raised as an event
// when it is not plain allow; it cannot undo what happened.
import type {Kernel} from '../context/kernel.ts';
import {evaluatePolicy, hasRulesFor} from '../policy/index.ts';
import type {FoundCall} from './call.ts';
import {governingLayers} from './governing-layers.ts';
import {policyQuestion} from './policy-question.ts';

/** Undefined when there is nothing to raise. */
export function applyEvidencePolicy(kernel: Kernel, call: FoundCall): Promise<void> | undefined {
  if (!hasRulesFor(governingLayers(kernel, call), 'on_evidence_added')) return undefined;
  const {decision, decisions} = evaluatePolicy(policyQuestion(kernel, call, 'on_evidence_added'));
  if (decision === 'allow') return undefined;
  const event = {
    type: 'evidence_policy_decided' as const,
    timestamp: kernel.ports.clock.timestamp(),
    actor: call.run.by,
    receipt_id: call.receipt_id,
    task_id: call.task.spec.id,
    policy_decisions: [...decisions],
  };
  return kernel.ports.events.transact(() => ({events: [event], result: undefined}));
}
