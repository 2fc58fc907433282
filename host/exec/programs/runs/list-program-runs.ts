// The runs of programs in a workspace, from their tasks: newest first.
import type {KernelRuntime} from '@lumenflow/kernel';
import type {ProgramRunSummary} from '@lumenflow/schemas';
import {findRun} from './run-program.ts';
import {isRunId} from './run-id.ts';

export async function listProgramRuns(runtime: KernelRuntime, limit = 100): Promise<readonly ProgramRunSummary[]> {
  const tasks = runtime
    .listTasks()
    .filter(({task_id}) => isRunId(task_id))
    .toSorted((one, other) => other.created_at.localeCompare(one.created_at))
    .slice(0, limit);
  const found = await Promise.all(
    tasks.map(async ({task_id, state, created_at, lane_id}) => {
      const run = await findRun(runtime, task_id);
      const name = run.ok ? run.value.document.program.name : '';
      return run.ok ? [{run_id: task_id, name, task_state: state, lane_id, created_at}] : [];
    }),
  );
  return found.flat();
}
