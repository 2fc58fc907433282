// The tasks of a workspace, in the order in which they were created.
import type {Records} from '../records/record-table.ts';
import {isFinal} from '../tasks/is-final.ts';
import type {TaskRecord} from '../tasks/task-record.ts';

export interface TaskFilter {
  readonly lane_id?: string;
  readonly state?: TaskRecord['state'];
}

export function listTasks(tasks: Records<TaskRecord>, filter: TaskFilter = {}): readonly TaskRecord[] {
  const {lane_id, state: wanted} = filter;
  // Tasks that are over stay unparsed: every start asks for the ready ones.
  const includesOver = wanted === undefined || isFinal({state: wanted});
  return [...(includesOver ? tasks.values() : tasks.open())].filter(
    (task) => (lane_id === undefined || task.lane_id === lane_id) && (wanted === undefined || task.state === wanted),
  );
}
