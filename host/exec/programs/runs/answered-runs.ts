// The runs whose requests were all answered since they began to wait; expired requests count, because the run then asks again. A run
// that was killed between its request and its block is still active, with an approval that it has not used.
import type {KernelRuntime, StandingApproval} from '@lumenflow/kernel';
import {isRunId} from './run-id.ts';
import {isWaiting} from './waiting-run.ts';

export interface AnsweredRun {
  readonly run_id: string;
  /** Changes with each answer. */
  readonly answers: string;
}

export function answeredRuns(runtime: Pick<KernelRuntime, 'listTasks' | 'listApprovals'>): readonly AnsweredRun[] {
  const waiting = runtime.listTasks({state: 'blocked'}).filter(isWaiting);
  const unclaimed = runtime.listTasks({state: 'ready'}).filter(({task_id}) => isRunId(task_id));
  const active = runtime.listTasks({state: 'active'}).filter(({task_id}) => isRunId(task_id));
  return [...waiting, ...unclaimed, ...active].flatMap(({task_id: run_id, state}) => {
    const approvals = runtime.listApprovals({task_id: run_id});
    if (approvals.some((approval) => approval.state === 'pending')) return [];
    if (state === 'ready' && !approvals.some(permitsClaim)) return [];
    if (state === 'active' && !approvals.some((approval) => approval.state === 'approved')) return [];
    return [{run_id, answers: approvals.map(({request_id, state: answer}) => `${request_id} ${answer}`).join()}];
  });
}

function permitsClaim({subject, state}: StandingApproval): boolean {
  return subject.kind === 'claim' && state === 'approved';
}
