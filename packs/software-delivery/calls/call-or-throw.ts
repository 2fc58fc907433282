// A child call whose failure is the caller's own.
import {ToolError, type ToolContext} from '@lumenflow/pack-sdk';

/** The output's data. Throws ToolError with the code that the call ended with. */
export async function callOrThrow(
  {callTool}: Pick<ToolContext, 'callTool'>,
  name: string,
  input: unknown,
): Promise<unknown> {
  const {success, data, error} = await callTool(name, input);
  if (success) return data;
  const {code, message, details} = error ?? {code: 'TOOL_EXECUTION_FAILED', message: `\`${name}\` failed`};
  throw new ToolError(code, message, details);
}
