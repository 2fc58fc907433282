// agent-workflow:status returns the state of a workflow and its nodes.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import type {WorkflowView} from '../workflows/view-workflow.ts';
import {viewRecordedWorkflow} from '../workflows/workflow-log.ts';

export const workflowStatus: ToolDefinition<{readonly workflow_id: string}, WorkflowView> = defineTool({
  run: async ({workflow_id}, context) => await viewRecordedWorkflow(context, workflow_id),
});
