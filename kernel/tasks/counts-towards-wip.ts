// Whether a task occupies a place in its lane.
import {isInProgress} from './is-in-progress.ts';
import type {TaskRecord} from './task-record.ts';

/** A session that ends with its process is not work in progress, so it cannot fill a lane. */
export function countsTowardsWip(task: Pick<TaskRecord, 'state' | 'run'>): boolean {
  return isInProgress(task) && task.run?.process_id === undefined;
}
