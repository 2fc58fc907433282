// The fold of a task's events. Order is the log's order; timestamps are never compared.
import type {KernelEvent} from '@lumenflow/schemas';
import type {TaskRecord} from './task-record.ts';

export type TaskEvent = Extract<KernelEvent, {type: `task_${string}`}>;

export function isTaskEvent(event: KernelEvent): event is TaskEvent {
  return event.type.startsWith('task_');
}

export function evolveTask(task: TaskRecord | undefined, event: TaskEvent): TaskRecord | undefined {
  if (event.type === 'task_created') {
    const {task_id, lane_id, task_type, spec_hash, timestamp} = event;
    const type = task_type !== undefined && {task_type};
    return task ?? {task_id, lane_id, ...type, spec_hash, state: 'ready', created_at: timestamp};
  }
  if (task === undefined) return undefined;
  const {run, blocked_reason: _, ...unclaimed} = task;
  const claimed = run === undefined ? unclaimed : {...unclaimed, run};
  switch (event.type) {
    case 'task_amended':
      return {...task, spec_hash: event.spec_hash, amended_at: event.timestamp};
    case 'task_claimed': {
      const {run_id, session_id, actor, timestamp, process_id} = event;
      const claim = {
        run_id,
        session_id,
        by: actor,
        claimed_at: timestamp,
        ...(process_id !== undefined && {process_id}),
      };
      return {...unclaimed, state: 'active', run: claim};
    }
    case 'task_blocked':
      return {...claimed, state: 'blocked', blocked_reason: event.reason};
    case 'task_unblocked':
      return {...claimed, state: 'active'};
    case 'task_released':
      return {...unclaimed, state: 'ready'};
    case 'task_cancelled':
      return {...unclaimed, state: 'cancelled', cancelled_reason: event.reason};
    case 'task_completed':
      return {...claimed, state: 'done', completed_at: event.timestamp, evidence_refs: event.evidence_refs ?? []};
    default:
      return event satisfies never;
  }
}
