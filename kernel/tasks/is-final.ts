// Whether a task has ended for good.
import type {TaskRecord} from './task-record.ts';

export function isFinal({state}: Pick<TaskRecord, 'state'>): boolean {
  return state === 'done' || state === 'cancelled';
}
