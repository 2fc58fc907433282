// agent-workflow:start records a valid workflow. The scheduler runs it.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import type {PackConfig} from '../pack-config.ts';
import {checkBrief} from '../sessions/session-brief.ts';
import {starterOf} from '../sessions/require-say.ts';
import {checkDefinition} from '../workflows/check-definition.ts';
import type {WorkflowView} from '../workflows/view-workflow.ts';
import {createWorkflow, viewRecordedWorkflow} from '../workflows/workflow-log.ts';
import type {WorkflowDefinition} from '../workflows/workflow.ts';

export const workflowStart: ToolDefinition<
  WorkflowDefinition & {readonly workflow_id: string},
  WorkflowView,
  PackConfig
> = defineTool({
  async run({workflow_id, ...definition}, context) {
    checkDefinition(definition);
    for (const node of definition.nodes) checkBrief(node, context.config);
    await createWorkflow(context, workflow_id, {
      type: 'created',
      at: new Date().toISOString(),
      definition,
      by: starterOf(context),
    });
    return await viewRecordedWorkflow(context, workflow_id);
  },
});
