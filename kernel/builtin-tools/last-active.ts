// When the owner of each task last made a call in it. A pack uses this to find owners that are gone.
import type {Kernel} from '../context/kernel.ts';
import type {Receipt} from '../ports.ts';
import {isInProgress} from '../tasks/is-in-progress.ts';
import type {TaskRecord, TaskRun} from '../tasks/task-record.ts';

/** An owner with so many denied calls in a row counts as inactive; usually the newest call was not denied. */
const callsMax = 200;
const pageSize = 5;

/** ISO 8601 by task id, for claimed tasks with a call that was not denied; now, while a call runs. */
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
  const {run_id, session_id} = run;
  let before_seq: number | undefined;
  for (let looked = 0; looked < callsMax; looked += pageSize) {
    const {receipts, next_before_seq} = await ports.evidence.read({
      task_id,
      session_id,
      limit: pageSize,
      before_seq,
    });
    const last = receipts
      .filter(
        ({started, finished}) =>
          started.run_id === run_id && finished?.result !== 'denied' && finished?.result !== 'invalid',
      )
      // Times do not order calls: a clock may have been set back.
      .toSorted((a, b) => endSeq(a) - endSeq(b))
      .map(endOf)
      .at(-1);
    if (last !== undefined || next_before_seq === undefined) return last;
    before_seq = next_before_seq;
  }
  return undefined;
}

/** The time at which a process died is unknown: for a call that it left open, the start counts. */
function endOf({started, finished}: Receipt): string {
  return finished === undefined || finished.result === 'crashed' ? started.timestamp : finished.timestamp;
}

function endSeq({started, finished}: Receipt): number {
  return finished?.seq ?? started.seq;
}
