import {expect, test, vi} from 'vitest';
import {RecordTable} from '../records/record-table.ts';
import {isFinal} from '../tasks/is-final.ts';
import type {TaskRecord} from '../tasks/task-record.ts';
import {listTasks} from './list-tasks.ts';

const states: readonly TaskRecord['state'][] = ['ready', 'active', 'blocked', 'done', 'cancelled'];

/** As a restart leaves it, 20 tasks of each state. */
function restored(): RecordTable<TaskRecord> {
  const isOpen = (task: TaskRecord): boolean => !isFinal(task);
  const table = new RecordTable<TaskRecord>(isOpen);
  for (let at = 0; at < 100; at += 1) {
    const task_id = `t${String(at).padStart(3, '0')}`;
    const state = states[at % states.length] ?? 'ready';
    table.set(task_id, {task_id, lane_id: at < 50 ? 'a' : 'b', spec_hash: '', state, created_at: ''});
  }
  return new RecordTable(isOpen, table.state(), table.closedLines());
}

test.each(states)('%s tasks are listed in order, of all lanes or of one', (state) => {
  const ids = (lane?: string): readonly string[] =>
    listTasks(restored(), {state, ...(lane !== undefined && {lane_id: lane})}).map(({task_id}) => task_id);
  expect(ids()).toHaveLength(20);
  expect(ids()).toEqual(ids().toSorted());
  expect(ids('a')).toEqual(ids().slice(0, 10));
});

test('all are listed without a filter, and those that are over are parsed only when they are asked for', () => {
  const tasks = restored();
  const parse = vi.spyOn(JSON, 'parse');
  try {
    for (const state of ['ready', 'active', 'blocked'] as const) expect(listTasks(tasks, {state})).toHaveLength(20);
    expect(parse).not.toHaveBeenCalled();
    expect(listTasks(tasks)).toHaveLength(100);
    expect(parse).toHaveBeenCalled();
  } finally {
    parse.mockRestore();
  }
});
