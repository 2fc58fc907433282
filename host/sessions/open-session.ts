// One client's conversation with the runtime. It works in its own task, or in an existing one, so a new client can call tools
// immediately. Its calls are still scoped, decided and recorded.
import type {
  ExecutionContext,
  Explanation,
  GovernedTool,
  KernelRuntime,
  Surface,
  TransitionFailure,
  TransitionResult,
} from '@lumenflow/kernel';
import type {Person, TaskSpec, ToolOutput} from '@lumenflow/schemas';
import {randomUUID} from 'node:crypto';
import {followClaims, type SessionTask} from './follow-claims.ts';

export interface SessionRequest {
  /** The caller's identity: a person, a program or an agent. */
  readonly by: string;
  /** The identity of `by`, for a person that signed in. */
  readonly person?: Person | undefined;
  /** Where its calls come in, which decides what they can do; default `api`. */
  readonly surface?: Surface | undefined;
  /** Lane of the session's own task; default the workspace's first. */
  readonly lane?: string | undefined;
  /** A task to use instead: a ready one is claimed, an active one of this session is joined. */
  readonly task_id?: string | undefined;
  /** Default a new id. */
  readonly session_id?: string | undefined;
  /** The id of the session's own task; default the session's id. */
  readonly own_task_id?: string | undefined;
  /** The session's own task outlives this process and can be resumed by its ids. Default: it is released. */
  readonly outlives_process?: boolean | undefined;
  /** Further fields of the session's own task, for example its type, declared_scopes or title. */
  readonly task?: Omit<Partial<TaskSpec>, 'id' | 'lane_id'>;
}

export interface CallOptions extends Pick<
  ExecutionContext,
  'by' | 'execution_metadata' | 'dry_run' | 'is_operator' | 'onProgress' | 'onLog' | 'surface'
> {
  readonly signal?: AbortSignal;
}

/** The task and run of the next call: the task claimed last through a tool while that is active, otherwise the session's own. */
export interface Session extends SessionTask {
  readonly success: true;
  readonly by: string;
  readonly person?: Person | undefined;
  readonly surface: Surface;
  call(tool: string, input: unknown, options?: CallOptions): Promise<ToolOutput>;
  /** The tools that it may call; with `among`, only those of these names, in their order. */
  tools(among?: readonly string[]): Promise<readonly GovernedTool[]>;
  explain(tool: string, input: unknown): Promise<Explanation>;
  /** Completes the session's own task, if policy allows it. */
  complete(): Promise<TransitionResult<unknown>>;
  /** Releases the session's own task. */
  release(reason: string): Promise<TransitionResult<unknown>>;
}

/** `success` discriminates. No session is opened if the lane does not exist or is full, or policy denies the claim, for example. */
export type SessionResult = Session | {readonly success: false; readonly error: TransitionFailure};

/** Without a request, or without a valid `by`, it fails with INVALID_INPUT. */
export async function openSession(runtime: KernelRuntime, request: SessionRequest = {by: ''}): Promise<SessionResult> {
  const {by, person, surface} = request;
  const from = {...(surface !== undefined && {surface}), ...(person && {person})};
  const session_id = request.session_id ?? `session-${randomUUID()}`;
  const task = await sessionTask(runtime, request, session_id);
  if (!task.success) return task;
  const {task_id} = task.data;
  const ends_with_process = request.task_id === undefined && request.outlives_process !== true;
  const run = await joinOrClaim(runtime, {task_id, session_id, by, person, ends_with_process});
  if (!run.success) return run;
  const {run_id} = run.data;
  const current = followClaims(runtime, {task_id, run_id, session_id}, request.task_id !== undefined);
  return {
    success: true,
    get task_id() {
      return current().task_id;
    },
    get run_id() {
      return current().run_id;
    },
    session_id,
    by,
    ...(person && {person}),
    surface: surface ?? 'api',
    call: (tool, input, options) => runtime.executeTool(tool, input, {by, ...from, ...current(), ...options}),
    tools: (among) => runtime.listGovernedTools({by, ...current(), surface: surface ?? 'agent'}, among),
    explain: (tool, input) => runtime.explainTool(tool, input, {by, ...from, ...current()}),
    complete: () => runtime.completeTask({task_id, by, person, session_id}),
    release: (reason) => runtime.releaseTask({task_id, session_id, person, reason}),
  };
}

async function sessionTask(
  runtime: KernelRuntime,
  request: SessionRequest,
  sessionId: string,
): Promise<TransitionResult<{readonly task_id: string}>> {
  const {task_id, by, person} = request;
  if (task_id !== undefined) return {success: true, data: {task_id}};
  const lane_id = request.lane ?? runtime.workspace.spec.lanes[0].id;
  const id = request.own_task_id ?? sessionId;
  return await runtime.createTask({title: `Session of ${by}`, ...request.task, id, lane_id}, {by, person});
}

async function joinOrClaim(
  runtime: KernelRuntime,
  claim: Parameters<KernelRuntime['claimTask']>[0],
): Promise<TransitionResult<{readonly run_id: string}>> {
  const [standing] = runtime.listTasks({state: 'active'}).filter((task) => task.task_id === claim.task_id);
  if (standing?.run?.session_id === claim.session_id) return {success: true, data: standing.run};
  return await runtime.claimTask(claim);
}
