// Has a person let a node of a workflow begin: the call that lets it begin is held by policy, in a task of its own, until
// somebody has answered. A node that was rejected has its task done and never begins.
import type {KernelRuntime} from '@lumenflow/kernel';
import {openSession} from '../sessions/open-session.ts';
import type {DueNodeApproval} from './read-due.ts';

/** The task in which it is asked. */
export function taskOfNodeApproval({workflow_id, node_id}: DueNodeApproval): string {
  return `${workflow_id}.${node_id}.approval`;
}

/** Throws SessionError. */
export async function askNodeApproval(runtime: KernelRuntime, by: string, node: DueNodeApproval): Promise<void> {
  const {workflow_id, node_id, lane_id} = node;
  const task_id = taskOfNodeApproval(node);
  const session = await openSession(runtime, {
    by,
    session_id: task_id,
    outlives_process: true,
    ...((await runtime.inspectTask(task_id)).success && {task_id}),
    ...(lane_id !== undefined && {lane: lane_id}),
    task: {title: `Let ${node_id} of ${workflow_id} begin`},
  });
  const {error} = await session.call('agent-workflow:approve-node', {workflow_id, node_id});
  if (error?.code !== 'APPROVAL_REQUIRED') await session.complete();
}
