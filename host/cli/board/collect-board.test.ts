import type {CompiledWorkspace, KernelRuntime, LoadedPack, TaskRecord} from '@lumenflow/kernel';
import {expect, test} from 'vitest';
import {collectBoard} from './collect-board.ts';

const record = (task_id: string, more: Partial<TaskRecord> = {}): TaskRecord => ({
  task_id,
  lane_id: 'core',
  task_type: 'unit',
  spec_hash: '',
  state: 'ready',
  created_at: '2026-01-01T00:00:00.000Z',
  ...more,
});
const run = (session_id: string) => ({run_id: 'r', session_id, by: 'ann', claimed_at: '2026-01-02T00:00:00.000Z'});

function runtimeOf(tasks: readonly TaskRecord[]): Parameters<typeof collectBoard>[0] {
  const pack = {manifest: {state_aliases: {active: 'in_progress'}}} as unknown as LoadedPack;
  const lanes = [
    {id: 'core', wip_limit: 3, allowed_scopes: []},
    {id: 'docs', title: 'Docs', allowed_scopes: []},
  ];
  const workspace = {spec: {lanes}, packOfTaskType: new Map([['unit', pack]])} as unknown as CompiledWorkspace;
  const inspectTask: KernelRuntime['inspectTask'] = async (id) =>
    id === 'changed'
      ? {success: false, error: {code: 'TASK_SPEC_CHANGED', message: ''}}
      : {success: true, data: {...record(id), spec: {id, lane_id: 'core', title: `Title of ${id}`}}};
  return {workspace, inspectTask, listTasks: (filter) => tasks.filter(({lane_id}) => lane_id === filter?.lane_id)};
}

test('blocked, active, then the oldest that are ready; the rest is counted', async () => {
  const tasks = [
    record('a'),
    record('b', {state: 'active', run: run('s')}),
    record('c', {state: 'blocked', run: run('s'), blocked_reason: 'rain'}),
    record('d'),
    record('changed'),
    record('e', {state: 'done', completed_at: '2026-01-03T00:00:00.000Z'}),
    record('f', {lane_id: 'gone'}),
  ];
  const [core, docs] = await collectBoard(runtimeOf(tasks), {readyMax: 2});
  expect(core).toMatchObject({lane_id: 'core', wip_limit: 3, in_progress: 2, more_ready: 1, done: 1});
  expect(core?.tasks).toEqual([
    {task_id: 'c', title: 'Title of c', state: 'blocked', by: 'ann', since: run('').claimed_at, blocked_reason: 'rain'},
    {
      task_id: 'b',
      title: 'Title of b',
      state: 'active',
      state_alias: 'in_progress',
      by: 'ann',
      since: run('').claimed_at,
    },
    {task_id: 'a', title: 'Title of a', state: 'ready', since: record('').created_at},
    {task_id: 'd', title: 'Title of d', state: 'ready', since: record('').created_at},
  ]);
  expect(docs).toEqual({
    lane_id: 'docs',
    title: 'Docs',
    in_progress: 0,
    sessions: 0,
    tasks: [],
    more_ready: 0,
    done: 0,
  });
  const all = await collectBoard(runtimeOf(tasks), {lane: 'core', readyMax: 9});
  expect(all.map(({tasks: shown}) => shown.map(({title}) => title).at(-1))).toEqual(['']);
});

test('a task of a lasting session was not planned, but counts towards the limit', async () => {
  const {task_type: _, ...chore} = record('chore');
  const active = {...chore, state: 'active'} as const;
  const tasks = [
    {...active, task_id: 's-1', run: run('s-1')},
    {...active, task_id: 'cli-0123456789ab', run: run('other')},
    {...active, task_id: 's-2', run: {...run('s-2'), process_id: 'p'}},
    chore,
  ];
  const [core] = await collectBoard(runtimeOf(tasks), {lane: 'core', readyMax: 5});
  expect(core).toMatchObject({in_progress: 2, sessions: 2, tasks: [{task_id: 'chore'}]});
});
