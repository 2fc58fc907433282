// Releases the tasks of kernels that closed or died, so that they do not count under a lane's WIP limit. It releases only claims that end
// with their process; the others may be continued. A task with an open request keeps waiting, because another process can make the
// same call again.
import type {ApprovalRecord} from '../approvals/approval-record.ts';
import type {Kernel} from '../context/kernel.ts';
import type {TaskRecord} from '../tasks/task-record.ts';
import {withdrawalsOf} from './withdraw-approvals.ts';

/** Of processes that are dead. Another process may work on after an approval, so a used one counts until it expires. */
export async function releaseAbandoned(kernel: Kernel): Promise<void> {
  await releaseRuns(kernel, {
    isOver: (processId) => !kernel.ports.processes.isAlive(processId),
    keptBy: ['pending', 'approved', 'used'],
  });
}

/** Of this kernel, which is about to close. */
export async function releaseOwn(kernel: Kernel): Promise<void> {
  await releaseRuns(kernel, {
    isOver: (processId) => processId === kernel.ports.processes.processId,
    keptBy: ['pending', 'approved'],
  });
}

interface Ending {
  isOver(processId: string): boolean;
  /** States of a request that keep its task. */
  readonly keptBy: readonly ApprovalRecord['state'][];
}

async function releaseRuns(kernel: Kernel, ending: Ending): Promise<void> {
  const {clock, events} = kernel.ports;
  // Checked first without the lock, because usually there is nothing to do.
  if (endedTasks(kernel, ending).length === 0) return;
  const by = {actor: 'kernel.reconciliation', reason: 'the process that owned it ended'};
  await events.transact(() => ({
    events: endedTasks(kernel, ending).flatMap((task) => [
      {type: 'task_released' as const, timestamp: clock.timestamp(), ...by, task_id: task.task_id},
      ...withdrawalsOf(kernel, task, {
        ...by,
        reason: `the process that owned task \`${task.task_id}\` ended`,
      }),
    ]),
    result: undefined,
  }));
}

function endedTasks({state, lifetimes}: Kernel, {isOver, keptBy}: Ending): readonly TaskRecord[] {
  const ended = [...state.tasks.open()].filter(
    ({state: stands, run}) =>
      (stands === 'active' || stands === 'blocked') && run?.process_id !== undefined && isOver(run.process_id),
  );
  if (ended.length === 0) return ended;
  const kept = new Set(
    [...state.approvals.values()]
      .filter(
        (approval) =>
          approval.subject.kind !== 'changes' &&
          keptBy.includes(approval.state) &&
          approval.expires_at > lifetimes.timestampFor(approval.request_id),
      )
      .map(({subject}) => subject.task_id),
  );
  return ended.filter(({task_id}) => !kept.has(task_id));
}
