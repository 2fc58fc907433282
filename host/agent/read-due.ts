// Calls `agent-schedule:due` in a task that lasts for this call only.
import type {KernelRuntime} from '@lumenflow/kernel';
import type {ToolOutput} from '@lumenflow/schemas';
import {openSession} from '../sessions/open-session.ts';
import {AgentSessionError} from './agent-session-error.ts';
import type {ContinuationReason, SessionBrief} from '@lumenflow/schemas/agent-session';

interface DuePlace {
  readonly session_id: string;
  readonly lane_id?: string;
  readonly approvals?: readonly string[];
}

export interface DueNodeApproval {
  readonly workflow_id: string;
  readonly node_id: string;
  readonly lane_id?: string;
}

/** Data of `agent-schedule:due`. */
export interface DueWork {
  /** Sessions that can continue. */
  readonly sessions: readonly DuePlace[];
  /** Sessions that wait for approvals. */
  readonly waiting: readonly DuePlace[];
  /** Sessions that will not continue although their tasks are claimed. */
  readonly over: readonly DuePlace[];
  /** Nodes of workflows whose sessions are to be started. */
  readonly nodes: readonly (SessionBrief & {readonly session_id: string; readonly reason: ContinuationReason})[];
  /** Nodes that need a person's approval to start. */
  readonly approvals: readonly DueNodeApproval[];
  readonly next_wake_at?: string;
}

const tool = 'agent-schedule:due';

/** Throws AgentSessionError. */
export async function readDue(runtime: KernelRuntime, signal: AbortSignal): Promise<DueWork> {
  const output = await ask(runtime, signal);
  if (output.success) return output.data as DueWork;
  throw new AgentSessionError(
    output.error ?? {code: 'TOOL_EXECUTION_FAILED', message: 'the tool failed without an error'},
  );
}

async function ask(runtime: KernelRuntime, signal: AbortSignal): Promise<ToolOutput> {
  const held = runtime.listTasks({state: 'active'}).filter(({task_type: type}) => type === 'agent-session');
  const session = await openSession(runtime, {by: 'agent-scheduler', task: {title: 'What is due?'}});
  if (!session.success) throw new AgentSessionError(session.error);
  try {
    return await session.call(tool, {held: held.map(({task_id}) => task_id)}, {signal});
  } finally {
    if (!(await session.complete()).success) await session.release('asked');
  }
}
