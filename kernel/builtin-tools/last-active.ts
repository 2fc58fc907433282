// When the holders of tasks last had a call in them: by this a pack tells a holder that works from one that is gone.
import type {Kernel} from '../kernel.ts';
import type {Receipt} from '../ports.ts';
import {isInProgress} from '../tasks/decide-task.ts';
import type {TaskRecord, TaskRun} from '../tasks/task-record.ts';

/** A holder whose calls were all refused for so long does not work; mostly the newest was let in. */
const callsMax = 200;
const pageSize = 5;

/** ISO 8601 by task id, of tasks that are held and in which a call was let in; now, while one runs. */
export async function lastActive(kernel: Kernel, tasks: readonly TaskRecord[]): Promise<ReadonlyMap<string, string>> {
  const {clock, evidence, processes} = kernel.ports;
  const held = tasks.flatMap((task) => (isInProgress(task) && task.run ? [{...task, run: task.run}] : []));
  if (held.length === 0) return new Map();
  const open = (await evidence.openCalls()).filter(({started}) => processes.isAlive(started.process_id));
  const busy = new Set(open.map(({started}) => started.run_id));
  const found = await Promise.all(
    held.map(async ({task_id, run}): Promise<readonly (readonly [string, string])[]> => {
      const at = busy.has(run.run_id) ? clock.timestamp() : await lastCallAt(kernel, task_id, run);
      return at === undefined ? [] : [[task_id, at]];
    }),
  );
  return new Map(found.flat());
}

async function lastCallAt({ports}: Kernel, task_id: string, run: TaskRun): Promise<string | undefined> {
  const {run_id, session_id, claimed_at: since} = run;
  let below: {readonly before_seq?: number} = {};
  for (let looked = 0; looked < callsMax; looked += pageSize) {
    const {receipts, next_before_seq} = await ports.evidence.read({
      task_id,
      session_id,
      since,
      limit: pageSize,
      ...below,
    });
    const last = receipts
      .filter(
        ({started, finished}) =>
          started.run_id === run_id && finished?.result !== 'denied' && finished?.result !== 'invalid',
      )
      .map(endOf)
      .toSorted()
      .at(-1);
    if (last !== undefined || next_before_seq === undefined) return last;
    below = {before_seq: next_before_seq};
  }
  return undefined;
}

/** When a process died nobody knows: of a call that it left open the beginning counts. */
function endOf({started, finished}: Receipt): string {
  return finished === undefined || finished.result === 'crashed' ? started.timestamp : finished.timestamp;
}
