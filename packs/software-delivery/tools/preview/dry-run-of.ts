// Creates a preview from a tool: the output of its dry run.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';

export function dryRunOf<Input extends {readonly dry_run?: boolean}, Output, Config>(
  tool: ToolDefinition<Input, Output, Config>,
): ToolDefinition<Input, Output, Config> {
  return defineTool({run: async (input, context) => await tool.run({...input, dry_run: true}, context)});
}
