// agent-workflow:resume continues a cancelled workflow. Its unfinished nodes continue where they stopped.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {requireSayInWorkflow} from '../sessions/require-say.ts';
import type {WorkflowView} from '../workflows/view-workflow.ts';
import {appendToWorkflow, findWorkflow, viewRecordedWorkflow} from '../workflows/workflow-log.ts';

export const workflowResume: ToolDefinition<{readonly workflow_id: string}, WorkflowView> = defineTool({
  async run({workflow_id}, context) {
    const workflow = await findWorkflow(context, workflow_id);
    requireSayInWorkflow(context, workflow);
    if (workflow.cancelled !== undefined)
      await appendToWorkflow(context, workflow_id, {type: 'resumed', at: new Date().toISOString()});
    return await viewRecordedWorkflow(context, workflow_id);
  },
});
