// Agent sessions on a host. Each has its own task for all its calls, and a journal in the pack that provides `agent-session:*`.
// One process at a time runs a session.
import {cutText} from '@lumenflow/kernel';
import type {KernelRuntime} from '@lumenflow/kernel';
import type {ToolFailure, ToolOutput} from '@lumenflow/schemas';
import {randomBytes} from 'node:crypto';
import {join} from 'node:path';
import {openSession, type Session, type SessionRequest} from '../sessions/open-session.ts';
import {runExclusively} from '../sessions/run-exclusively.ts';
import type {AgentLoopResult} from './agent-event.ts';
import {AgentSessionError} from './agent-session-error.ts';
import type {AgentLoopRequest} from './agent-loop-request.ts';
import {runGovernedAgentLoop} from './run-governed-agent-loop.ts';
import type {CallDecision, ContinuationReason, SessionBrief, SessionView} from '@lumenflow/schemas/agent-session';

export interface AgentHost {
  readonly runtime: KernelRuntime;
  readonly workspaceRoot: string;
}

export interface StartRequest extends SessionBrief {
  /** The agent's identity: not the person who approves its requests. */
  readonly by: string;
  /** The person or program that starts it; default the agent itself. */
  readonly person?: string;
  /** Default a new id. */
  readonly session_id?: string;
  readonly reason?: ContinuationReason;
}

export interface ContinueRequest {
  readonly by: string;
  /** The person or program that resumes it and writes the message; default the agent itself. */
  readonly person?: string;
  /** Whether the host resumes it by itself, or an operator does. */
  readonly is_operator?: boolean;
  readonly session_id: string;
  readonly reason?: ContinuationReason;
  /** A person's next message. */
  readonly message?: string;
  readonly decisions?: readonly CallDecision[];
}

/** A session that another process recorded, and whose task may not exist yet. */
export interface CarryOutRequest {
  readonly by: string;
  readonly session_id: string;
  readonly lane_id?: string | undefined;
}

export type AgentRunOptions = Pick<AgentLoopRequest, 'signal' | 'onEvent' | 'askApproval'>;

export interface AgentRun extends AgentLoopResult {
  readonly session_id: string;
}

/** Records the session and runs it. Throws AgentSessionError. */
export async function startAgentSession(
  host: AgentHost,
  request: StartRequest,
  options: AgentRunOptions = {},
): Promise<AgentRun> {
  const {by, person = by, session_id = `agent-${randomBytes(6).toString('hex')}`, reason, ...brief} = request;
  return await exclusively(host, session_id, async () => {
    const task = await openTask(host.runtime, {by, session_id, ...brief});
    const input = {session_id, ...brief, ...(reason !== undefined && {reason})};
    const output = await task.call('agent-session:start', input, {by: person});
    if (!output.success) {
      await task.release(`the session was not started: ${output.error?.message ?? ''}`);
      throw new AgentSessionError(failureOf(output));
    }
    return await carryOut(host, task, output.data as SessionView, options);
  });
}

/** Resumes an existing session. Throws AgentSessionError. */
export async function resumeAgentSession(
  host: AgentHost,
  request: ContinueRequest,
  options: AgentRunOptions = {},
): Promise<AgentRun> {
  const {by, person = by, is_operator = false, ...input} = request;
  const {session_id} = request;
  return await exclusively(host, session_id, async () => {
    const task = await joinTask(host.runtime, {by, session_id});
    const status = await viewOf(task, session_id);
    // A ready session was interrupted: it needs no new message.
    const isReady = status.status === 'ready' && input.message === undefined && input.decisions === undefined;
    const view = isReady ? status : must(await task.call('agent-session:resume', input, {by: person, is_operator}));
    return await carryOut(host, task, view, options);
  });
}

/** Runs a recorded session from its current state. Throws AgentSessionError. */
export async function carryOutAgentSession(
  host: AgentHost,
  request: CarryOutRequest,
  options: AgentRunOptions = {},
): Promise<AgentRun> {
  const {session_id} = request;
  return await exclusively(host, session_id, async () => {
    const task = await openTask(host.runtime, request);
    const view = await viewOf(task, session_id);
    if (view.status === 'ready') return await carryOut(host, task, view, options);
    if (view.status !== 'waiting') await task.release('somebody else carried it out');
    const message = `the session \`${session_id}\` has run in the meantime`;
    throw new AgentSessionError({code: 'SESSION_NOT_READY', message, details: {session_id}});
  });
}

/**
 * Releases the task of a session that will not continue because it or its workflow ended or was cancelled, and no process runs
 * it. Throws AgentSessionError.
 */
export async function leaveAgentSession(
  host: AgentHost,
  request: Pick<ContinueRequest, 'by' | 'session_id'>,
): Promise<void> {
  const {session_id} = request;
  await exclusively(host, session_id, async () => {
    const task = await joinTask(host.runtime, request);
    const {status, outcome} = await viewOf(task, session_id);
    if (status === 'ended') await endTask(task, {status, outcome});
    else if (status !== 'cancelled' || !(await task.complete()).success)
      await task.release('its session does not continue');
  });
}

/** Throws AgentSessionError. */
async function viewOf(task: Pick<Session, 'call'>, session_id: string): Promise<SessionView> {
  return must(await task.call('agent-session:status', {session_id}));
}

async function carryOut(
  {runtime}: AgentHost,
  task: Session,
  view: SessionView,
  options: AgentRunOptions,
): Promise<AgentRun> {
  const {session_id} = view;
  const {task_id, run_id} = task;
  const session = {context: {task_id, run_id, session_id: task.session_id}, view};
  const result = await runGovernedAgentLoop({runtime, session, ...options});
  if (result.status === 'interrupted') return {session_id, ...result};
  const {ambiguous_call: _shown, ...settled} = result;
  must(await task.call('agent-session:settle', {session_id, ...settled}));
  await endTask(task, result);
  return {session_id, ...result};
}

interface EndedSession {
  readonly status: AgentLoopResult['status'];
  readonly outcome?: AgentLoopResult['outcome'] | undefined;
}

/**
 * Completes the task of an ended session, and releases one that a person can resume. A waiting session keeps its run, which its
 * approvals name.
 */
async function endTask(task: Session, {status, outcome}: EndedSession): Promise<void> {
  if (status === 'waiting') return;
  const isOver = outcome === 'complete' || outcome === 'limit';
  if (isOver && (await task.complete()).success) return;
  await task.release(`the agent's session ended: ${outcome ?? 'unknown'}`);
}

interface TaskRequest {
  readonly by: string;
  readonly session_id: string;
  readonly task?: string | undefined;
  readonly lane_id?: string | undefined;
}

/** The session's own task: created, claimed again, or joined if another process claimed it. */
async function openTask(runtime: KernelRuntime, request: TaskRequest): Promise<Session> {
  const {by, session_id, task, lane_id} = request;
  if ((await runtime.inspectTask(session_id)).success) return await joinTask(runtime, request);
  const [title = session_id] = (task ?? `Session ${session_id}`).split('\n', 1);
  return await openOrThrow(runtime, {
    by,
    session_id,
    outlives_process: true,
    lane: lane_id,
    task: {type: 'agent-session', title: cutText(title, 120)},
  });
}

async function joinTask(runtime: KernelRuntime, {by, session_id}: TaskRequest): Promise<Session> {
  const standing = await runtime.inspectTask(session_id);
  const refused = (code: string, message: string): AgentSessionError =>
    new AgentSessionError({code, message, details: {session_id}});
  if (!standing.success) throw refused('SESSION_NOT_FOUND', `there is no session \`${session_id}\``);
  if (standing.data.state === 'done')
    throw refused('SESSION_OVER', `the session \`${session_id}\` is over: start another one`);
  return await openOrThrow(runtime, {by, session_id, task_id: session_id});
}

async function openOrThrow(runtime: KernelRuntime, request: SessionRequest): Promise<Session> {
  const session = await openSession(runtime, request);
  if (!session.success) throw new AgentSessionError(session.error);
  return session;
}

async function exclusively<T>({workspaceRoot}: AgentHost, session_id: string, work: () => Promise<T>): Promise<T> {
  return await runExclusively<T>({
    folder: join(workspaceRoot, '.lumenflow', 'agents', session_id),
    timeoutMs: 2_000,
    run: work,
    busy() {
      const message = `another process is running the session \`${session_id}\``;
      throw new AgentSessionError({code: 'SESSION_BUSY', message, details: {session_id}});
    },
  });
}

function must(output: ToolOutput): SessionView {
  if (output.success) return output.data as SessionView;
  throw new AgentSessionError(failureOf(output));
}

function failureOf({error}: ToolOutput): ToolFailure {
  return error ?? {code: 'TOOL_EXECUTION_FAILED', message: 'the tool failed without an error'};
}
