// The outcome that a claim or a completion would have, and why, without changes and without a request for approval.
import type {Kernel} from '../context/kernel.ts';
import {explainPolicy, type PolicyExplanation} from '../policy/index.ts';
import {decideClaim, decideClaimed} from '../tasks/decide-task.ts';
import {succeed, type TransitionFailure, type TransitionResult} from '../transition.ts';
import {declaredCheckOf, type CheckedTransition} from '../workspace/declared-check.ts';
import {checkIds} from './check-ids.ts';
import {loadTask} from './claim-task.ts';
import {transitionQuestion} from './transition-policy.ts';

export interface SupposedTransition {
  readonly kind: CheckedTransition;
  readonly task_id: string;
  /** Its actor; default the claimant of the task. */
  readonly by?: string | undefined;
  /** When it would be made: UTC, ISO 8601 with milliseconds; default now. */
  readonly at?: string | undefined;
}

export interface TransitionExplanation extends Pick<SupposedTransition, 'kind' | 'task_id'> {
  readonly decision: PolicyExplanation['decision'];
  /** Obstacles besides policy: the task's state, its dependencies, a full lane. */
  readonly failure?: TransitionFailure;
  readonly policy: PolicyExplanation;
  /** The check that would be called first. It was not called, so a rule that reads its output can decide otherwise. */
  readonly check?: string;
}

/** Of a run that does not exist yet: no rule can know it. */
const nobody = 'none';

export async function explainTransition(
  kernel: Kernel,
  {kind, task_id, by, at = kernel.ports.clock.timestamp()}: SupposedTransition,
): Promise<TransitionResult<TransitionExplanation>> {
  const invalid = checkIds({task_id});
  if (invalid) return invalid;
  const loaded = await loadTask(kernel, task_id);
  if (!loaded.success) return loaded;
  const {task, lane} = loaded.data;
  const {tasks} = kernel.state;
  const possible =
    kind === 'claim'
      ? decideClaim(tasks, {spec: task.spec, wip_limit: lane.spec.wip_limit})
      : decideClaimed(tasks, {task_id, session_id: undefined, verb: 'complete'}, ['active']);
  const run = tasks.get(task_id)?.run;
  const check = declaredCheckOf(kernel.workspace, kind, task.spec);
  const policy = explainPolicy(
    await transitionQuestion(kernel, {
      kind,
      task,
      lane,
      run_id: run?.run_id ?? nobody,
      by: by ?? run?.by ?? nobody,
      at,
    }),
  );
  return succeed({
    kind,
    task_id,
    decision: policy.decision,
    ...(!possible.success && {failure: possible.error}),
    policy,
    ...(check !== undefined && {check}),
  });
}
