// agent-workflow:approve-node starts a waiting node. A rule of the manifest requires approval of this call, so the person's
// answer is a kernel approval like any other.
import {defineTool, ToolError, type ToolDefinition} from '@lumenflow/pack-sdk';
import type {WorkflowView} from '../workflows/view-workflow.ts';
import {appendToWorkflow, findWorkflow, viewRecordedWorkflow} from '../workflows/workflow-log.ts';

export const workflowApproveNode: ToolDefinition<
  {readonly workflow_id: string; readonly node_id: string},
  WorkflowView
> = defineTool({
  async run({workflow_id, node_id}, context) {
    const {nodes} = await findWorkflow(context, workflow_id);
    if (!nodes.some((node) => node.node_id === node_id)) {
      throw new ToolError('NODE_NOT_FOUND', `the workflow \`${workflow_id}\` has no node \`${node_id}\``, {node_id});
    }
    await appendToWorkflow(context, workflow_id, {type: 'node_approved', at: new Date().toISOString(), node_id});
    return await viewRecordedWorkflow(context, workflow_id);
  },
});
