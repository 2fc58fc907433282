// Whether a task is claimed.
import type {TaskRecord} from './task-record.ts';

export function isInProgress({state}: Pick<TaskRecord, 'state'>): boolean {
  return state === 'active' || state === 'blocked';
}
