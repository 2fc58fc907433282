// Tools: list and call.
import type {ExecutionContext, GovernedTool, RegisteredTool} from '@lumenflow/kernel';
import type {ToolOutput} from '@lumenflow/schemas';
import {callStatuses, statusOfCall} from '../error-status.ts';
import {failedReply, okReply, refuse, requestOf, type Reply} from '../reply.ts';
import {hasRole, type Route, type RouteCall, type RouteOf} from '../route.ts';
import {askedLane} from './asked-lane.ts';
import {isHeldBy, notYours, visibleTask} from './own-task.ts';
import {activeTask} from '../../sessions/follow-claims.ts';
import {openHttpSession} from '../sessions/open-http-session.ts';
import {sessionRefusals} from './sessions.ts';

const identifier = {type: 'string', maxLength: 128};

const listTools: RouteOf<{readonly task_id?: string; readonly lane?: string}, unknown> = {
  method: 'GET',
  path: '/v1/tools',
  summary: 'Lists tools with the policy decision for each in a task or lane',
  role: 'agent',
  query: {
    type: 'object',
    properties: {task_id: identifier, lane: identifier},
    not: {required: ['lane', 'task_id']},
    additionalProperties: false,
  },
  answers: {200: 'http_tool_list'},
  refuses: ['LANE_NOT_FOUND', 'TASK_NOT_FOUND', 'TASK_SPEC_CHANGED', 'SESSION_DENIED', 'EVIDENCE_UNAVAILABLE'],
  async handle(call) {
    const {task_id, lane} = call.query;
    const from = {surface: 'http', is_operator: hasRole(call.caller, 'operator')} as const;
    if (lane !== undefined) {
      const asked = askedLane(call, lane);
      if (!asked.ok) return asked.problem;
      return okReply({tools: (await call.runtime.listGovernedTools({...asked.value, ...from})).map(governed)});
    }
    if (task_id !== undefined) {
      const found = await visibleTask(call, task_id);
      if (!found.ok) return found.problem;
      const {run} = found.value;
      return okReply({
        tools: run ? (await call.runtime.listGovernedTools({task_id, ...run, ...from})).map(governed) : [],
      });
    }
    if (!hasRole(call.caller, 'operator')) {
      return refuse(
        'ROLE_DENIED',
        'the list of all tools requires a token with role operator: name one of your tasks in `task_id`, or a `lane`',
      );
    }
    return okReply({tools: [...call.runtime.workspace.tools.values()].toSorted(byName).map(described)});
  },
};

function byName(left: RegisteredTool, right: RegisteredTool): number {
  return left.name < right.name ? -1 : 1;
}

function described(tool: RegisteredTool): object {
  const {name, description, permission, input_schema, output_schema, required_scopes, idempotent, internal_only} =
    tool.declaration;
  const {id: pack_id, version: pack_version} = tool.pack.manifest;
  return {
    name,
    pack_id,
    pack_version,
    description,
    permission,
    input_schema,
    output_schema,
    required_scopes,
    idempotent,
    internal_only,
  };
}

function governed({tool, decision, granted_scopes, policy_decisions}: GovernedTool): object {
  return {...described(tool), decision, granted_scopes, policy_decisions};
}

interface CallBody {
  readonly input?: unknown;
  /** Lane of the call's own session. */
  readonly lane?: string;
  readonly task_id?: string;
  readonly run_id?: string;
  readonly session_id?: string;
  readonly execution_metadata?: Readonly<Record<string, unknown>>;
  /** Returns the change set in `metadata.changes` and applies nothing. */
  readonly dry_run?: boolean;
}

const callTool: RouteOf<unknown, CallBody> = {
  method: 'POST',
  path: '/v1/tools/:name',
  summary: 'Calls a tool',
  role: 'agent',
  body: {
    type: 'object',
    properties: {
      input: {},
      lane: identifier,
      task_id: identifier,
      run_id: identifier,
      session_id: identifier,
      execution_metadata: {type: 'object'},
      dry_run: {type: 'boolean'},
    },
    dependentRequired: {run_id: ['task_id']},
    not: {required: ['lane'], anyOf: [{required: ['task_id']}, {required: ['session_id']}]},
    additionalProperties: false,
  },
  answers: Object.fromEntries(callStatuses.map((status) => [status, 'http_call'])),
  refuses: [...sessionRefusals, 'SESSION_DENIED'],
  callsTool: true,
  handle: async (call) =>
    isInOwnSession(call.body) ? await callInOwnSession(call) : await callInTask(call, taskOf(call)),
};

function isInOwnSession({task_id, session_id}: CallBody): boolean {
  return task_id === undefined && session_id === undefined;
}

/** A session without a task uses the task that it claimed last. */
function taskOf({runtime, body}: RouteCall<unknown, CallBody>): string {
  return body.task_id ?? activeTask(runtime, body.session_id ?? '')?.task_id ?? 'none';
}

/** A missing input is an empty object. */
function inputOf(body: CallBody): unknown {
  return 'input' in body ? body.input : {};
}

function optionsOf({execution_metadata, dry_run}: CallBody): Pick<ExecutionContext, 'execution_metadata' | 'dry_run'> {
  return {...(execution_metadata && {execution_metadata}), ...(dry_run !== undefined && {dry_run})};
}

async function callInTask(call: RouteCall<unknown, CallBody>, task_id: string): Promise<Reply> {
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
    surface: 'http',
    ...(hasRole(caller, 'operator') && {is_operator: true}),
    signal,
    ...optionsOf(body),
  };
  return reported(await runtime.executeTool(call.param('name'), inputOf(body), context));
}

/** One task per call. It stays claimed while its call waits for approval, so that the same call can be repeated. */
async function callInOwnSession(call: RouteCall<unknown, CallBody>): Promise<Reply> {
  const {host, caller, body, signal} = call;
  const session = await openHttpSession(host, {
    by: caller.name,
    surface: 'http',
    lane: body.lane,
  });
  if (!session.success) return failedReply(session.error);
  const output = await session.call(call.param('name'), inputOf(body), {
    signal,
    ...(hasRole(caller, 'operator') && {is_operator: true}),
    ...optionsOf(body),
  });
  const {task_id, run_id, session_id} = session;
  if (output.error?.code === 'APPROVAL_REQUIRED') return reported(output, {task_id, run_id, session_id});
  const completed = await session.complete();
  if (!completed.success) await session.release(`the call is over: ${completed.error.message}`);
  return reported(output, {task_id, run_id, session_id});
}

/** The output, with the request id and the ids of a session that was created for the call. */
function reported(output: ToolOutput, ids: object = {}): Reply {
  const {error} = output;
  return {status: error ? statusOfCall(error.code) : 200, body: {...output, ...(error && requestOf(error)), ...ids}};
}

export const toolRoutes: readonly Route[] = [listTools, callTool];
