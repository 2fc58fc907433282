// Tasks: create, claim, block and complete.
import type {TaskView} from '@lumenflow/kernel';
import type {Person, TaskSpec} from '@lumenflow/schemas';
import {randomUUID} from 'node:crypto';
import type {ErrorCode} from '../error-status.ts';
import {answer, failedReply, refuse, type Reply} from '../reply.ts';
import {hasRole, type Route, type RouteCall, type RouteOf} from '../route.ts';
import {isHeldBy, notYours} from './own-task.ts';

const identifier = {type: 'string', minLength: 1, maxLength: 128};
/** Does not check the claim: the kernel rejects an unclaimed task with a reason. */
const noSession = 'none';
const reason = {type: 'string', minLength: 1, maxLength: 4096};

const inspectRefusals: readonly ErrorCode[] = ['TASK_NOT_FOUND', 'TASK_SPEC_CHANGED', 'EVIDENCE_UNAVAILABLE'];
/** Refusals of transitions that policy decides on. */
const ruledRefusals: readonly ErrorCode[] = [...inspectRefusals, 'POLICY_DENIED', 'APPROVAL_REQUIRED', 'SPEC_TAMPERED'];
const pauseRefusals: readonly ErrorCode[] = [...inspectRefusals, 'SESSION_DENIED', 'TASK_NOT_ACTIVE'];

const createTask: RouteOf<unknown, TaskSpec> = {
  method: 'POST',
  path: '/v1/tasks',
  summary: 'Creates a task from its spec',
  role: 'agent',
  // The kernel validates the spec with its own schema.
  body: {type: 'object', properties: {}, additionalProperties: true},
  bodyShape: 'task.schema.json#/$defs/task_spec',
  answers: {201: 'http_task'},
  refuses: ['LANE_NOT_FOUND', 'TASK_EXISTS', 'SPEC_TAMPERED', 'EVIDENCE_UNAVAILABLE'],
  async handle({runtime, caller, body}) {
    if (body.policies !== undefined && !hasRole(caller, 'operator')) {
      return refuse('ROLE_DENIED', 'a task with `policies` requires a token with role operator');
    }
    // The run of a program was checked, and names who started it.
    if (body.program !== undefined)
      return refuse('INVALID_INPUT', '`program` cannot be set: start the program with POST /v1/programs');
    return answer(
      await runtime.createTask(body, {
        by: caller.name,
        person: caller.person,
        inherits: !hasRole(caller, 'operator'),
      }),
      201,
      (task) => task,
    );
  },
};

const showTask: RouteOf<unknown, unknown> = {
  method: 'GET',
  path: '/v1/tasks/:id',
  summary: 'Returns a task and its spec',
  role: 'agent',
  answers: {200: 'http_task'},
  refuses: inspectRefusals,
  handle: async ({runtime, param}) => answer(await runtime.inspectTask(param('id')), 200, (task) => task),
};

interface SessionBody {
  readonly session_id?: string;
}

const sessionSchema: Route['body'] = {
  type: 'object',
  properties: {session_id: identifier},
  additionalProperties: false,
};

const claimTask: RouteOf<unknown, SessionBody> = {
  method: 'POST',
  path: '/v1/tasks/:id/claim',
  summary: 'Claims a ready task',
  role: 'agent',
  body: sessionSchema,
  answers: {200: 'http_run'},
  refuses: [...ruledRefusals, 'SESSION_DENIED', 'TASK_NOT_CLAIMABLE', 'WIP_LIMIT_REACHED', 'LANE_NOT_FOUND'],
  async handle({runtime, caller, param, body}) {
    const task_id = param('id');
    const {session_id = `session-${randomUUID()}`} = body;
    if (runtime.listTasks().some(({run}) => run?.session_id === session_id && run.by !== caller.name)) {
      return refuse('SESSION_DENIED', `session \`${session_id}\` belongs to another principal`, {session_id});
    }
    const claimed = await runtime.claimTask({task_id, by: caller.name, person: caller.person, session_id});
    return answer(claimed, 200, (run) => ({task_id, ...run}));
  },
};

interface PauseBody extends SessionBody {
  readonly reason: string;
}

const pauseSchema: Route['body'] = {
  type: 'object',
  properties: {session_id: identifier, reason},
  required: ['reason'],
  additionalProperties: false,
};

const blockTask: RouteOf<unknown, PauseBody> = {
  method: 'POST',
  path: '/v1/tasks/:id/block',
  summary: 'Blocks a task',
  role: 'agent',
  body: pauseSchema,
  answers: {200: 'http_task'},
  refuses: pauseRefusals,
  handle: (call) =>
    asHolder(call, async (holder) =>
      answer(await call.runtime.blockTask({...holder, reason: call.body.reason}), 200, (task) => task),
    ),
};

const releaseTask: RouteOf<unknown, PauseBody> = {
  method: 'POST',
  path: '/v1/tasks/:id/release',
  summary: 'Releases a claimed task',
  role: 'agent',
  body: pauseSchema,
  answers: {200: 'http_task'},
  refuses: pauseRefusals,
  handle: (call) =>
    asHolder(call, async (holder) =>
      answer(await call.runtime.releaseTask({...holder, reason: call.body.reason}), 200, (task) => task),
    ),
};

const unblockTask: RouteOf<unknown, SessionBody> = {
  method: 'POST',
  path: '/v1/tasks/:id/unblock',
  summary: 'Unblocks a task',
  role: 'agent',
  body: sessionSchema,
  answers: {200: 'http_task'},
  refuses: pauseRefusals,
  handle: (call) =>
    asHolder(call, async (holder) => answer(await call.runtime.unblockTask(holder), 200, (task) => task)),
};

interface CompleteBody {
  readonly session_id?: string;
  readonly evidence_refs?: readonly string[];
}

const completeTask: RouteOf<unknown, CompleteBody> = {
  method: 'POST',
  path: '/v1/tasks/:id/complete',
  summary: 'Completes a task',
  role: 'agent',
  body: {
    type: 'object',
    properties: {session_id: identifier, evidence_refs: {type: 'array', items: identifier, maxItems: 1000}},
    additionalProperties: false,
  },
  answers: {200: 'http_task'},
  refuses: [...ruledRefusals, 'SESSION_DENIED', 'TASK_NOT_ACTIVE'],
  async handle({runtime, caller, param, body}) {
    const found = await runtime.inspectTask(param('id'));
    if (!found.success) return failedReply(found.error);
    const {task_id, run} = found.data;
    if (run && !isHeldBy(found.data, caller.name)) return notYours(task_id);
    const session_id = body.session_id ?? run?.session_id ?? noSession;
    const {name: by, person} = caller;
    return answer(await runtime.completeTask({...body, task_id, session_id, by, person}), 200, (task) => task);
  },
};

interface Holder {
  readonly task_id: string;
  readonly by: string;
  readonly person?: Person | undefined;
  readonly session_id?: string;
}

/** The claimant acts with its session. An operator can act on any task, like the host. */
async function asHolder(
  {runtime, caller, param, body}: RouteCall<unknown, SessionBody>,
  act: (holder: Holder) => Promise<Reply>,
): Promise<Reply> {
  const task_id = param('id');
  const base = {
    task_id,
    by: caller.name,
    person: caller.person,
    ...(body.session_id !== undefined && {session_id: body.session_id}),
  };
  if (hasRole(caller, 'operator')) return await act(base);
  const found = await runtime.inspectTask(task_id);
  if (!found.success) return failedReply(found.error);
  return (
    cannotPause(found.data, caller.name) ?? (await act({session_id: found.data.run?.session_id ?? noSession, ...base}))
  );
}

function cannotPause(task: TaskView, name: string): Reply | undefined {
  return task.run === undefined || isHeldBy(task, name) ? undefined : notYours(task.task_id);
}

export const taskRoutes: readonly Route[] = [
  createTask,
  showTask,
  claimTask,
  blockTask,
  unblockTask,
  releaseTask,
  completeTask,
];
