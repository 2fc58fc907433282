// Asks a person to approve the start of a workflow node. Policy parks the call that starts it, in a separate task, until
// somebody answers. If the node is rejected, its task is completed and it never starts.
import type {KernelRuntime} from '@lumenflow/kernel';
import {openSession} from '../sessions/open-session.ts';
import {AgentSessionError} from './agent-session-error.ts';
import type {DueNodeApproval} from './read-due.ts';

/** The task of the request. */
export function taskOfNodeApproval({workflow_id, node_id}: DueNodeApproval): string {
  return `${workflow_id}.${node_id}.approval`;
}

/** Throws AgentSessionError. */
export async function askNodeApproval(runtime: KernelRuntime, by: string, node: DueNodeApproval): Promise<void> {
  const {workflow_id, node_id, lane_id} = node;
  const task_id = taskOfNodeApproval(node);
  const session = await openSession(runtime, {
    by,
    session_id: task_id,
    outlives_process: true,
    task_id: (await runtime.inspectTask(task_id)).success ? task_id : undefined,
    lane: lane_id,
    task: {title: `Let ${node_id} of ${workflow_id} begin`},
  });
  if (!session.success) throw new AgentSessionError(session.error);
  const {error} = await session.call('agent-workflow:approve-node', {workflow_id, node_id});
  if (error?.code !== 'APPROVAL_REQUIRED') await session.complete();
}
