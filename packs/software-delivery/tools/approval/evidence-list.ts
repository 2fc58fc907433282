// evidence:list lists the recorded calls of a work unit's task, by default of all work units.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';

interface EvidenceInput {
  readonly task_id?: string;
}

export const evidenceList: ToolDefinition<EvidenceInput> = defineTool({
  run: async (input, context) => await context.callTool('kernel:list-evidence', input),
});
