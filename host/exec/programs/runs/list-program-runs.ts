// The runs of programs in a workspace, from their tasks: newest first.
import type {KernelRuntime} from '@lumenflow/kernel';
import type {ProgramRunSummary} from '@lumenflow/schemas';
import {findRun} from './find-run.ts';
import {isRunId} from './run-id.ts';

const shownMax = 100;
/** Their specs are read. */
const readMax = 1_000;

/** With `by`, only the runs that this person or program started. */
export async function listProgramRuns(runtime: KernelRuntime, by?: string): Promise<readonly ProgramRunSummary[]> {
  const tasks = runtime
    .listTasks()
    .filter(({task_id}) => isRunId(task_id))
    .toSorted((one, other) => other.created_at.localeCompare(one.created_at))
    .slice(0, by === undefined ? shownMax : readMax);
  const found = await Promise.all(
    tasks.map(async ({task_id, state, created_at, lane_id}) => {
      const run = await findRun(runtime, task_id);
      if (!run.ok || (by ?? run.value.source.by) !== run.value.source.by) return [];
      const {document, source} = run.value;
      return [{run_id: task_id, name: document.program.name, by: source.by, task_state: state, lane_id, created_at}];
    }),
  );
  return found.flat().slice(0, shownMax);
}
