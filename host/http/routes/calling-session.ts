// The session of a request that calls tools: the task that its body names, or one of its own, which ends with the request.
import type {ExecutionContext} from '@lumenflow/kernel';
import type {ToolFailure} from '@lumenflow/schemas';
import type {Session} from '../../sessions/open-session.ts';
import {activeTask} from '../../sessions/follow-claims.ts';
import {statusOfCall} from '../error-status.ts';
import {failedReply, requestOf, type Reply} from '../reply.ts';
import {hasRole, type RouteCall} from '../route.ts';
import {openHttpSession} from '../sessions/open-http-session.ts';
import {isHeldBy, notYours} from './own-task.ts';

export interface SessionFields {
  /** Lane of the request's own session. */
  readonly lane?: string;
  readonly task_id?: string;
  readonly run_id?: string;
  readonly session_id?: string;
}

const identifier = {type: 'string', maxLength: 128};

/** For the schema of a body: its properties, and how they depend on each other. */
export const sessionFields: {
  readonly properties: Readonly<Record<keyof SessionFields, {readonly type: string; readonly maxLength: number}>>;
  readonly rules: Readonly<Record<string, object>>;
} = {
  properties: {lane: identifier, task_id: identifier, run_id: identifier, session_id: identifier},
  rules: {
    dependentRequired: {run_id: ['task_id']},
    not: {required: ['lane'], anyOf: [{required: ['task_id']}, {required: ['session_id']}]},
  },
};

type Calling = RouteCall<unknown, SessionFields>;
export type CallingSession = Pick<Session, 'call' | 'tools'>;
type Work = (session: CallingSession) => Promise<object & {readonly error?: ToolFailure | undefined}>;

/** The reply has the result of the work, with the request id, and the ids of a session that was opened for it. */
export async function inCallingSession(call: Calling, work: Work): Promise<Reply> {
  const {task_id, session_id} = call.body;
  return task_id === undefined && session_id === undefined
    ? await inOwnSession(call, work)
    : // A session without a task uses the task that it claimed last.
      await inTask(call, task_id ?? activeTask(call.runtime, session_id ?? '')?.task_id ?? 'none', work);
}

async function inTask(call: Calling, task_id: string, work: Work): Promise<Reply> {
  const {runtime, caller, body, signal} = call;
  const found = await runtime.inspectTask(task_id);
  const run = found.success ? found.data.run : undefined;
  if (found.success && run && !isHeldBy(found.data, caller.name)) return notYours(task_id);
  // A call without a valid run still reaches the kernel, which rejects and records it.
  const context: ExecutionContext = {
    task_id,
    run_id: body.run_id ?? run?.run_id ?? 'none',
    session_id: body.session_id ?? run?.session_id ?? 'none',
    by: caller.name,
    person: caller.person,
    surface: 'http',
    ...asOperator(call),
    signal,
  };
  return replyOf(
    await work({
      call: (name, input, options) => runtime.executeTool(name, input, {...context, ...options}),
      tools: (among) => runtime.listGovernedTools(context, among),
    }),
  );
}

/** One task per request. It stays claimed while a call waits for approval, so that the same call can be repeated. */
async function inOwnSession(call: Calling, work: Work): Promise<Reply> {
  const {host, caller, body, signal} = call;
  const session = await openHttpSession(host, {
    by: caller.name,
    person: caller.person,
    surface: 'http',
    lane: body.lane,
  });
  if (!session.success) return failedReply(session.error);
  const result = await work({
    call: (name, input, options) => session.call(name, input, {signal, ...asOperator(call), ...options}),
    tools: session.tools,
  });
  const {task_id, run_id, session_id} = session;
  if (result.error?.code === 'APPROVAL_REQUIRED') return replyOf(result, {task_id, run_id, session_id});
  const completed = await session.complete();
  if (!completed.success) await session.release(`the call is over: ${completed.error.message}`);
  return replyOf(result, {task_id, run_id, session_id});
}

function asOperator({caller}: Calling): Pick<ExecutionContext, 'is_operator'> {
  return hasRole(caller, 'operator') ? {is_operator: true} : {};
}

function replyOf(result: Awaited<ReturnType<Work>>, ids: object = {}): Reply {
  const {error} = result;
  return {status: error ? statusOfCall(error.code) : 200, body: {...result, ...(error && requestOf(error)), ...ids}};
}
