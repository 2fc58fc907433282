// The trigger on_evidence_added: fires after a call's outcome is recorded. Its decision is raised as an event
// when it is not plain allow; it cannot undo what happened.
import type {Kernel} from '../kernel.ts';
import {evaluatePolicy, hasRulesFor} from '../policy/index.ts';
import type {AdmittedCall} from './call.ts';
import {policyQuestion} from './decide-call.ts';

export async function decideOnEvidence(kernel: Kernel, call: AdmittedCall): Promise<void> {
  const question = policyQuestion(kernel, call, 'on_evidence_added');
  if (!hasRulesFor(question.layers, 'on_evidence_added')) return;
  const {decision, decisions} = evaluatePolicy(question);
  if (decision === 'allow') return;
  const event = {
    type: 'evidence_policy_decided' as const,
    timestamp: kernel.ports.clock.timestamp(),
    actor: call.run.by,
    receipt_id: call.receipt_id,
    task_id: call.task.spec.id,
    policy_decisions: [...decisions],
  };
  await kernel.ports.events.transact(() => ({events: [event], result: undefined}));
}
