// Which due work becomes a job, in which order, and which jobs may start in the lanes.
import type {KernelRuntime} from '@lumenflow/kernel';
import {expect, test} from 'vitest';
import {dueJobs} from './due-jobs.ts';
import {countLanePlaces} from './lane-places.ts';
import type {DueWork} from './read-due.ts';

interface World {
  readonly tasks?: readonly {readonly task_id: string; readonly lane_id: string; readonly state: string}[];
  readonly pending?: readonly {readonly request_id: string; readonly task_id: string}[];
}

const lanes = [{id: 'narrow', wip_limit: 2}, {id: 'wide'}];

function runtimeOf({tasks = [], pending = []}: World): KernelRuntime {
  return {
    workspace: {spec: {lanes}},
    listTasks: ({state}: {state?: string} = {}) => tasks.filter((task) => state === undefined || task.state === state),
    listApprovals: () => pending.map(({request_id, task_id}) => ({request_id, subject: {task_id}})),
  } as unknown as KernelRuntime;
}

/** Ids of the jobs, followed by a colon and those that may start. */
function jobsOf(due: Partial<DueWork>, world: World = {}): string {
  const host = {runtime: runtimeOf(world), workspaceRoot: '/none'};
  const all = {sessions: [], waiting: [], over: [], nodes: [], approvals: [], ...due};
  const jobs = dueJobs(host, all, {by: 'agent', onRun: () => undefined});
  const ids = (some: typeof jobs): string => some.map(({id}) => id).join(' ');
  return `${ids(jobs)}: ${ids(jobs.filter((job) => job.mayBegin()))}`;
}

const node = (session_id: string, lane_id?: string): DueWork['nodes'][number] => ({
  session_id,
  task: 'Do it',
  reason: 'created',
  ...(lane_id !== undefined && {lane_id}),
});

test('jobs that free lanes come first, then answered approvals, continuations and new work', () => {
  const due = {
    nodes: [node('new', 'wide')],
    sessions: [{session_id: 'ready', lane_id: 'wide'}],
    waiting: [{session_id: 'answered', lane_id: 'wide', approvals: ['a']}],
    approvals: [{workflow_id: 'w', node_id: 'ask', lane_id: 'wide'}],
    over: [{session_id: 'over', lane_id: 'wide'}],
  };
  const all = 'over answered w.ask.approval ready new';
  expect(jobsOf(due)).toBe(`${all}: ${all}`);
});

test('a session that waits for approvals becomes a job only when all are answered, and nobody is asked twice', () => {
  const due = {
    waiting: [{session_id: 'open', approvals: ['a', 'b']}],
    approvals: [
      {workflow_id: 'w', node_id: 'asked'},
      {workflow_id: 'w', node_id: 'rejected'},
    ],
  };
  const tasks = [{task_id: 'w.rejected.approval', lane_id: 'wide', state: 'done'}];
  const asked = {request_id: 'c', task_id: 'w.asked.approval'};
  expect(jobsOf(due, {tasks, pending: [asked, {request_id: 'b', task_id: 'open'}]})).toBe(': ');
  expect(jobsOf(due, {tasks, pending: [asked]})).toBe('open: open');
});

test('in a full lane only jobs with a claimed task start', () => {
  const tasks = [
    {task_id: 'held', lane_id: 'narrow', state: 'active'},
    {task_id: 'stuck', lane_id: 'narrow', state: 'blocked'},
    {task_id: 'done', lane_id: 'narrow', state: 'done'},
  ];
  expect([...countLanePlaces(runtimeOf({tasks}))]).toEqual([
    ['narrow', 0],
    ['wide', Infinity],
  ]);
  const due = {sessions: [{session_id: 'held'}, {session_id: 'fresh'}], nodes: [node('other', 'wide')]};
  expect(jobsOf(due, {tasks})).toBe('held fresh other: held other');
});

test('a session that ends with its process takes no place', () => {
  const run = {run_id: 'r', session_id: 's', by: 'ann', claimed_at: '2026-01-01T00:00:00.000Z'};
  const held = {task_id: 'held', lane_id: 'narrow', state: 'active', run};
  const tasks = [held, {...held, task_id: 's', run: {...run, process_id: 'p'}}];
  expect(countLanePlaces(runtimeOf({tasks})).get('narrow')).toBe(1);
});

test('each job that starts takes a place; one in an unknown lane starts, and is reported', () => {
  const due = {nodes: [node('one'), node('two', 'narrow'), node('three'), node('lost', 'nowhere')]};
  expect(jobsOf(due)).toBe('one two three lost: one two lost');
});
