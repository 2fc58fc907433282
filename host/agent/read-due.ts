// What `agent-schedule:due` answers, asked in a task that lives as long as the question.
import type {KernelRuntime} from '@lumenflow/kernel';
import {openSession} from '../sessions/open-session.ts';
import {AgentSessionError} from './agent-session-error.ts';
import type {ContinuationReason, SessionBrief} from './session-contract.ts';

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
  /** Sessions that can go on. */
  readonly sessions: readonly DuePlace[];
  /** Sessions that wait for approvals. */
  readonly waiting: readonly DuePlace[];
  /** Nodes of workflows whose sessions are to be started. */
  readonly nodes: readonly (SessionBrief & {readonly session_id: string; readonly reason: ContinuationReason})[];
  /** Nodes that a person has to let begin. */
  readonly approvals: readonly DueNodeApproval[];
  readonly next_wake_at?: string;
}

/** Throws AgentSessionError and SessionError. */
export async function readDue(runtime: KernelRuntime): Promise<DueWork> {
  const session = await openSession(runtime, {by: 'agent-scheduler', task: {title: 'What is due?'}});
  try {
    const output = await session.call('agent-schedule:due', {});
    if (output.success) return output.data as DueWork;
    throw new AgentSessionError(output.error ?? {code: 'TOOL_EXECUTION_FAILED', message: 'the tool gave no error'});
  } finally {
    if (!(await session.complete()).success) await session.release('asked');
  }
}
