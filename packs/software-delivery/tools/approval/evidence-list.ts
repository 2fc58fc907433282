// evidence:list: the calls of a task, by default of the one that the call is in.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';

interface EvidenceInput {
  readonly task_id?: string;
}

export const evidenceList: ToolDefinition<EvidenceInput> = defineTool({
  run: async (input, context) => await context.callTool('kernel:list-evidence', {task_id: context.task_id, ...input}),
});
