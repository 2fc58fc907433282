// The invariants of tasks: acknowledged transitions remain, one of several claims wins, and the kernel's state is the fold of
// its events.
import type {KernelRuntime} from '@lumenflow/kernel';
import type {Expected} from './expected.ts';
import type {LogLine} from './read-log.ts';

const stateBefore = {created: undefined, claimed: 'ready', done: 'active'} as const;

interface FoldedTask {
  readonly state: string;
  readonly run_id?: string;
}

export function checkTasks(
  runtime: KernelRuntime,
  events: readonly LogLine[],
  expected: Expected,
  problems: string[],
): void {
  const ofTasks = events
    .filter(({type}) => !['state_snapshot', 'evidence_archived', 'evidence_expired'].includes(type))
    // Only a loss of power takes what was written.
    .filter(({type}) => !(expected.powerLost === true && type === 'evidence_lost'));
  const tasks = foldTasks(ofTasks, problems);
  checkReported(tasks, expected, problems);
  const listed = runtime.listTasks();
  if (listed.length !== tasks.size) problems.push(`${listed.length} tasks are listed of ${tasks.size}`);
  for (const {task_id, state} of listed) {
    const folded = tasks.get(task_id)?.state;
    if (state !== folded) problems.push(`task ${task_id} is listed as ${state}, its events say ${String(folded)}`);
  }
}

type Tasks = ReadonlyMap<string, FoldedTask>;

function checkReported(tasks: Tasks, {reported, refused = []}: Expected, problems: string[]): void {
  const done = new Set(reported.flatMap((one) => (one.kind === 'done' ? [one.task_id] : [])));
  for (const one of reported) {
    if (one.kind === 'call') continue;
    const task = tasks.get(one.task_id);
    if (task === undefined) problems.push(`task ${one.task_id} was acknowledged as ${one.kind} and is not there`);
    if (one.kind === 'claimed' && task?.run_id !== one.run_id) {
      problems.push(`task ${one.task_id} was claimed as ${one.run_id}, recorded is ${String(task?.run_id)}`);
    }
    if (done.has(one.task_id) && task?.state !== 'done') problems.push(`task ${one.task_id} was done and is not`);
  }
  for (const {kind, task_id} of refused) {
    const state = tasks.get(task_id)?.state;
    if (state !== stateBefore[kind]) problems.push(`task ${task_id} was refused to be ${kind} and is ${String(state)}`);
  }
}

/** The load creates, amends, claims and completes, so that is all there can be. */
function foldTasks(events: readonly LogLine[], problems: string[]): Tasks {
  const tasks = new Map<string, FoldedTask>();
  for (const {type, seq, ...event} of events) {
    const task_id = String(event['task_id']);
    const task = tasks.get(task_id);
    if (type === 'task_created' && task === undefined) {
      tasks.set(task_id, {state: 'ready'});
    } else if (type === 'task_amended' && task?.state === 'ready') {
      continue;
    } else if (type === 'task_claimed' && task?.state === 'ready') {
      tasks.set(task_id, {state: 'active', run_id: String(event['run_id'])});
    } else if (type === 'task_completed' && task?.state === 'active') {
      tasks.set(task_id, {...task, state: 'done'});
    } else {
      problems.push(`event ${seq}, ${type}, does not go with task ${task_id}, which is ${String(task?.state)}`);
    }
  }
  return tasks;
}
