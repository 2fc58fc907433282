// One client's conversation with the runtime. It works in a task of its own, or in one that stands already,
// so that a newcomer can call tools at once: still scoped, decided and recorded.
import type {Explanation, GovernedTool, KernelRuntime, TransitionFailure, TransitionResult} from '@lumenflow/kernel';
import type {TaskSpec, ToolOutput} from '@lumenflow/schemas';
import {randomUUID} from 'node:crypto';

export interface SessionRequest {
  /** Who speaks: a person, a program or an agent. */
  readonly by: string;
  /** Lane of the session's own task; default the workspace's first. */
  readonly lane?: string;
  /** A task to work in instead: a ready one is claimed, an active one of this session is joined. */
  readonly task_id?: string;
  /** Default a fresh one. */
  readonly session_id?: string;
  /** The session's own task outlives this process: whoever knows its ids goes on in it. Default: it is released. */
  readonly outlives_process?: boolean;
  /** More about the session's own task, for example its type, declared_scopes or title. */
  readonly task?: Omit<Partial<TaskSpec>, 'id' | 'lane_id'>;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly execution_metadata?: Readonly<Record<string, unknown>>;
  onProgress?(payload: unknown): void;
}

export interface Session {
  readonly task_id: string;
  readonly run_id: string;
  readonly session_id: string;
  readonly by: string;
  call(tool: string, input: unknown, options?: CallOptions): Promise<ToolOutput>;
  tools(): Promise<readonly GovernedTool[]>;
  explain(tool: string, input: unknown): Promise<Explanation>;
  /** Completes the task, as far as policy allows. */
  complete(): Promise<TransitionResult<unknown>>;
  /** Gives the task back. */
  release(reason: string): Promise<TransitionResult<unknown>>;
}

/** The session could not be opened: no such lane, the lane is full, policy denies the claim, … */
export class SessionError extends Error {
  readonly failure: TransitionFailure;

  constructor(failure: TransitionFailure) {
    super(failure.message);
    this.name = 'SessionError';
    this.failure = failure;
  }
}

export async function openSession(runtime: KernelRuntime, request: SessionRequest): Promise<Session> {
  const {by} = request;
  const session_id = request.session_id ?? `session-${randomUUID()}`;
  const task_id = request.task_id ?? (await createOwnTask(runtime, request, session_id));
  const ends_with_process = request.task_id === undefined && request.outlives_process !== true;
  const run_id = await joinOrClaim(runtime, {task_id, session_id, by, ends_with_process});
  const context = {task_id, run_id, session_id};
  return {
    ...context,
    by,
    call: (tool, input, options) => runtime.executeTool(tool, input, {...context, ...options}),
    tools: () => runtime.listGovernedTools(context),
    explain: (tool, input) => runtime.explainTool(tool, input, context),
    complete: () => runtime.completeTask({task_id, by, session_id}),
    release: (reason) => runtime.releaseTask({task_id, session_id, reason}),
  };
}

async function createOwnTask(runtime: KernelRuntime, request: SessionRequest, sessionId: string): Promise<string> {
  const lane_id = request.lane ?? runtime.workspace.spec.lanes[0].id;
  const spec = {title: `Session of ${request.by}`, ...request.task, id: sessionId, lane_id};
  return must(await runtime.createTask(spec, {by: request.by})).task_id;
}

async function joinOrClaim(runtime: KernelRuntime, claim: Parameters<KernelRuntime['claimTask']>[0]): Promise<string> {
  const [standing] = runtime.listTasks({state: 'active'}).filter((task) => task.task_id === claim.task_id);
  if (standing?.run?.session_id === claim.session_id) return standing.run.run_id;
  return must(await runtime.claimTask(claim)).run_id;
}

function must<T>(result: TransitionResult<T>): T {
  if (!result.success) throw new SessionError(result.error);
  return result.data;
}
