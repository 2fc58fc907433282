import type {TaskRecord} from '@lumenflow/kernel';
import {expect, test} from 'vitest';
import {activeTask, followClaims} from './follow-claims.ts';

const task = (task_id: string, state: TaskRecord['state'] = 'active'): TaskRecord => ({
  task_id,
  state,
  lane_id: 'core',
  spec_hash: '',
  created_at: '',
  run: {run_id: `run-${task_id}`, session_id: 's', by: 'ann', claimed_at: ''},
});
const own = {task_id: 'own', run_id: 'run-own', session_id: 's'};

function holding(...held: readonly TaskRecord[]) {
  const runtime = {held, listHeldTasks: (session: string) => (session === 's' ? runtime.held : [])};
  return runtime;
}

test('follows the newest active claim, and returns to its own task when there is none', () => {
  const runtime = holding(task('own'));
  const current = followClaims(runtime, own, false);
  expect(current()).toBe(own);
  runtime.held = [task('own'), task('one')];
  expect(current()).toEqual({task_id: 'one', run_id: 'run-one', session_id: 's'});
  runtime.held = [task('own'), task('one'), task('two')];
  expect(current().task_id).toBe('two');
  runtime.held = [task('own'), task('one'), task('two', 'blocked')];
  expect(current().task_id).toBe('one');
  runtime.held = [task('own')];
  expect(current()).toBe(own);
});

test('stays in a named task until the session claims another one', () => {
  const runtime = holding(task('own'), task('one'));
  const current = followClaims(runtime, own, true);
  expect(current()).toBe(own);
  runtime.held = [task('own'), task('one'), task('two')];
  expect(current().task_id).toBe('two');
});

test('a session without claims is in no task', () => {
  expect(activeTask(holding(task('one', 'blocked')), 's')).toBeUndefined();
  expect(activeTask(holding(task('one')), 'other')).toBeUndefined();
});
