// Finds or creates the task for a call from the command line.
import type {ExecutionContext, TaskView, TransitionFailure} from '@lumenflow/kernel';
import type {Person} from '@lumenflow/schemas';
import type {ProcessRegistry} from '@lumenflow/kernel/adapters';
import {createProcessRegistry} from '@lumenflow/kernel/node';
import {randomBytes} from 'node:crypto';
import type {Host} from '../../compose.ts';
import {activeTask} from '../../sessions/follow-claims.ts';
import {CliError} from '../failures/cli-error.ts';
import {systemFixIn} from '../failures/failure-from-error.ts';
import {quoted} from '../rendering/quoted.ts';

export interface CallSessionRequest {
  readonly by: string;
  /** The identity of `by`, for a person that signed in. */
  readonly person?: Person | undefined;
  readonly lane: string | undefined;
  readonly task: string | undefined;
  /** An existing session: the call runs in its task. */
  readonly session?: string | undefined;
  /** A returning client: it continues in the task where an earlier client with its name and lane waits for approval. */
  readonly returning?: boolean;
}

export interface CallSession {
  readonly context: Pick<ExecutionContext, 'task_id' | 'run_id' | 'session_id'>;
  /** Ends a task that was created for this call: completes it, or releases it if policy does not allow completion. */
  end(): Promise<void>;
}

/** Title of tasks that are created for one call. */
const ownName = /^cli-[0-9a-f]{12}$/u;

/** Throws CliError if the task does not exist, is not active, or cannot be created. */
export async function openCallSession(host: Host, request: CallSessionRequest): Promise<CallSession> {
  const {by, person, lane, task, session: named, returning = false} = request;
  const joined = task ?? (returning ? waitingTask(host, request) : undefined);
  if (joined !== undefined) return await joinCallTask(host, joined);
  const held = named === undefined ? undefined : activeTask(host.runtime, named);
  if (held) return {context: held, end: async () => undefined};
  // Short, because it appears in commands that people repeat.
  const session_id = named ?? freshName();
  const own_task_id = named === undefined ? session_id : freshName();
  const session = await host.openSession({by, person, session_id, own_task_id, lane});
  if (!session.success) throw sessionFailure(session.error);
  const {task_id, run_id} = session;
  return {
    context: {task_id, run_id, session_id},
    // A returning client finds the answers that were given in the meantime.
    end: async () => {
      if (!returning || isOver(host, task_id)) await endOwn(host, {task_id, session_id, by, person});
    },
  };
}

export function sessionFailure({code, message, details}: TransitionFailure): CliError {
  return new CliError(code, message, {details, help: systemFixIn(message) ?? helpFor(code)});
}

/** Ends a task that was created for one call, unless a request in it is pending or approved. Leaves any other task active. */
async function joinCallTask(host: Host, taskId: string): Promise<CallSession> {
  const {context, task} = await joinTask(host, taskId);
  const {session_id} = context;
  const isOwn = ownName.test(taskId);
  return {
    context,
    end: async () => {
      if (isOwn && isOver(host, taskId))
        await endOwn(host, {task_id: taskId, session_id, by: task.run?.by ?? session_id});
    },
  };
}

/** True if no request in the task is pending or still usable. */
function isOver({runtime}: Host, taskId: string): boolean {
  return runtime.listApprovals({task_id: taskId}).every(({state}) => state !== 'pending' && state !== 'approved');
}

/**
 * Returns the task that an earlier process with this name created in the lane and left for a pending approval. Of several, it
 * returns the task with the latest request.
 */
function waitingTask({runtime}: Host, {by, lane}: CallSessionRequest): string | undefined {
  const lane_id = lane ?? runtime.workspace.spec.lanes[0].id;
  const processes = createProcessRegistry();
  const left = runtime
    .listTasks({lane_id, state: 'active'})
    .filter(({task_id, run}) => ownName.test(task_id) && run?.by === by && !isHeld(processes, run.process_id));
  const ids = new Set(left.map(({task_id}) => task_id));
  return runtime
    .listApprovals()
    .findLast(({state, subject}) => (state === 'pending' || state === 'approved') && ids.has(subject.task_id))?.subject
    .task_id;
}

function isHeld(processes: Pick<ProcessRegistry, 'isAlive'>, processId: string | undefined): boolean {
  return processId !== undefined && processes.isAlive(processId);
}

function freshName(): string {
  return `cli-${randomBytes(6).toString('hex')}`;
}

async function endOwn(
  {runtime}: Host,
  own: {
    readonly task_id: string;
    readonly session_id: string;
    readonly by: string;
    readonly person?: Person | undefined;
  },
): Promise<void> {
  const reason = `the call of ${own.by} has ended`;
  if (!(await runtime.completeTask(own)).success) await runtime.releaseTask({...own, reason});
}

/**
 * A user of the command line operates the workspace, so the call uses the task's run and session. Throws CliError if the task
 * does not exist or is not active.
 */
export async function joinTask(
  {runtime}: Host,
  taskId: string,
): Promise<{readonly context: CallSession['context']; readonly task: TaskView}> {
  const found = await runtime.inspectTask(taskId);
  if (!found.success) {
    const {code, message, details} = found.error;
    throw new CliError(code, message, {details, help: '`lumenflow task list` lists the tasks'});
  }
  const {state, run} = found.data;
  if (state !== 'active' || run === undefined) {
    const help = {
      ready: `claim it first: lumenflow task claim ${quoted(taskId)}`,
      blocked: `unblock it first: lumenflow task unblock ${quoted(taskId)}`,
      active: '',
      done: ownName.test(taskId)
        ? 'the task has made its call: repeat the command without --task'
        : 'create another task: lumenflow task create ID',
      cancelled: 'create another task: lumenflow task create ID',
    }[state];
    throw new CliError('TASK_NOT_ACTIVE', `task \`${taskId}\` is ${state}: only an active task can call tools`, {
      help,
      details: {task_id: taskId, state},
    });
  }
  return {context: {task_id: taskId, run_id: run.run_id, session_id: run.session_id}, task: found.data};
}

function helpFor(code: string): string | undefined {
  if (code === 'WIP_LIMIT_REACHED')
    return 'complete or release a task of the lane (`lumenflow task list --state active`), or call in one of them: --task ID';
  if (code === 'APPROVAL_REQUIRED' || code === 'POLICY_DENIED')
    return 'policy requires approval to claim new tasks: create and claim a task, have it approved, then call in it: --task ID';
  return undefined;
}
