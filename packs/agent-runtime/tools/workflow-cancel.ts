// agent-workflow:cancel prevents further nodes from starting. Running sessions must be cancelled one by one.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {requireSayInWorkflow} from '../sessions/require-say.ts';
import type {WorkflowView} from '../workflows/view-workflow.ts';
import {appendToWorkflow, findWorkflow, viewRecordedWorkflow} from '../workflows/workflow-log.ts';

export const workflowCancel: ToolDefinition<{readonly workflow_id: string; readonly reason?: string}, WorkflowView> =
  defineTool({
    async run({workflow_id, reason = 'no reason given'}, context) {
      const workflow = await findWorkflow(context, workflow_id);
      requireSayInWorkflow(context, workflow);
      const event = {type: 'cancelled', at: new Date().toISOString(), reason} as const;
      if (workflow.cancelled === undefined) await appendToWorkflow(context, workflow_id, event);
      return await viewRecordedWorkflow(context, workflow_id);
    },
  });
