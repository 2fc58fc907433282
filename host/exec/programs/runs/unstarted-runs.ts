// The runs that are recorded, and that nobody has claimed. Those whose claim waits for a person are among the answered runs.
import type {KernelRuntime} from '@lumenflow/kernel';
import type {AnsweredRun} from './answered-runs.ts';
import {isRunId} from './run-id.ts';

export function unstartedRuns(runtime: Pick<KernelRuntime, 'listTasks' | 'listApprovals'>): readonly AnsweredRun[] {
  return runtime
    .listTasks({state: 'ready'})
    .filter(({task_id}) => isRunId(task_id) && runtime.listApprovals({task_id}).length === 0)
    .map(({task_id: run_id}) => ({run_id, answers: ''}));
}
