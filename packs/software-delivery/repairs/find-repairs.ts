// Finds disagreements between the log, the kernel and the files about a work unit. The kernel is right about holders and
// completion, the log about which units exist, and the file about the content.
import type {KernelTask} from '../work-units/kernel-tasks.ts';
import type {WorkUnit} from '../work-units/work-unit.ts';

export type Repair =
  | 'cancel-task'
  | 'write-spec'
  | 'record-spec'
  | 'create-task'
  | 'complete'
  | 'release'
  | 'release-task';

export interface RepairNeed {
  readonly id: string;
  readonly repair: Repair;
  readonly problem: string;
}

/** `specHash` of the existing file; undefined if there is none. `now` in milliseconds since the epoch. */
export interface Seen {
  readonly task: KernelTask | undefined;
  readonly specHash: string | undefined;
}

export function findRepairs(unit: WorkUnit, seen: Seen): readonly RepairNeed[] {
  return [...specRepairs(unit, seen), ...taskRepairs(unit, seen)];
}

function specRepairs(
  {spec: {id}, spec_hash: recorded, status}: WorkUnit,
  {specHash: found}: Seen,
): readonly RepairNeed[] {
  // Git brings the spec of merged work.
  if (found === undefined && status === 'done') return [];
  if (found === undefined) return [{id, repair: 'write-spec', problem: 'its spec is not in the working tree'}];
  if (found === recorded || status !== 'ready') return [];
  return [{id, repair: 'record-spec', problem: 'its spec differs from the record'}];
}

function taskRepairs({spec: {id}, status, lease}: WorkUnit, {task}: Seen): readonly RepairNeed[] {
  const need = (repair: Repair, problem: string): readonly RepairNeed[] => [{id, repair, problem}];
  // The kernel's task here stays ready if another clone completed the work unit.
  if (status === 'done') return task?.state === 'ready' ? need('cancel-task', 'it was completed in another clone') : [];
  if (task === undefined) return need('create-task', 'it has no task in the kernel');
  if (task.state === 'done') return need('complete', `its task is done, but it is ${status}`);
  if (task.holder === (lease?.origin === undefined ? lease?.session_id : undefined)) return [];
  const holder = task.holder === undefined ? 'no session' : `session \`${task.holder}\``;
  const problem = `it is ${status}, but its task is claimed by ${holder}`;
  // The other clone decides about its claim; only the task here can be wrong.
  return need(lease === undefined || lease.origin !== undefined ? 'release-task' : 'release', problem);
}
