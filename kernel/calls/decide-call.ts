// Policy decides: allow, deny, or ask a person. The person is asked once the input is known to be valid.
import type {Kernel} from '../context/kernel.ts';
import {isPromise, type MaybePromise} from '../maybe-promise.ts';
import {evaluatePolicy, type PolicyQuestion} from '../policy/index.ts';
import {grow, type DecidedCall, type PersistedCall, type PreviewedCall, type Refusal, type SeenCalls} from './call.ts';
import {denyByPolicy} from './deny-by-policy.ts';
import {toolQuestion} from './policy-question.ts';

export function decideCall(kernel: Kernel, call: PersistedCall): MaybePromise<DecidedCall | Refusal> {
  const {previews} = call.request;
  if (previews) return decidePreview(call, previews);
  const question = toolQuestion(kernel, call);
  if (isPromise(question)) return question.then((asked) => decideQuestion(call, asked));
  return decideQuestion(call, question);
}

/**
 * A preview has the decisions of the call that it shows, because its output goes to the person who decides about that call.
 * A decision about the preview itself could wait for the same person.
 */
function decidePreview(call: PersistedCall, {policy_decisions}: PreviewedCall): DecidedCall {
  return grow(call, {policy_decisions});
}

function decideQuestion(call: PersistedCall, question: PolicyQuestion): DecidedCall | Refusal {
  const result = evaluatePolicy(question);
  const tainted_by = question.request.tainted?.().map(({tool_name, receipt_id}) => ({tool_name, receipt_id}));
  const decided = grow(call, {
    policy_decisions: result.decisions,
    observed: result.observed,
    counted: result.counted,
    seen: seenCalls(call, question),
    tainted_by: tainted_by?.length ? tainted_by : undefined,
  });
  if (result.decision === 'allow') return decided;
  if (result.decision === 'deny') return denyByPolicy(decided, result);
  return grow(decided, {asks: result});
}

function seenCalls({task, run}: PersistedCall, {request: {context, history}}: PolicyQuestion): readonly SeenCalls[] {
  const {evidence} = context;
  const ofTask = {task_id: task.spec.id};
  return [
    ...(evidence ? [{of: ofTask, newest: evidence.at(-1)?.receipt_id}] : []),
    ...(history
      ? [
          {of: ofTask, newest: history.task.calls[0]?.receipt_id},
          {of: {session_id: run.session_id}, newest: history.session.calls[0]?.receipt_id},
        ]
      : []),
  ];
}
