// evidence:list lists the calls of a task, by default of the call's own task.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';

interface EvidenceInput {
  readonly task_id?: string;
}

export const evidenceList: ToolDefinition<EvidenceInput> = defineTool({
  run: async (input, context) => await context.callTool('kernel:list-evidence', {task_id: context.task_id, ...input}),
});
