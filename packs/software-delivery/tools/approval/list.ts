// approval:list returns the kernel's approval requests in tasks of work units.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';

/** Input and output are the kernel's. */
export const approvalList: ToolDefinition = defineTool({
  run: async (input, context) => await context.callTool('kernel:list-approvals', input),
});
