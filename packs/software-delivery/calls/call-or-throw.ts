// A child call whose failure is the caller's own.
import {ToolError, type ToolContext, type ToolOutput} from '@lumenflow/pack-sdk';

/** The output's data. Throws ToolError with the code that the call ended with. */
export async function callOrThrow(
  {callTool}: Pick<ToolContext, 'callTool'>,
  name: string,
  input: unknown,
): Promise<unknown> {
  const {success, data, error} = await callTool(name, input);
  if (success) return data;
  throw failureOf(name, error);
}

/** Of the call of that tool. */
export function failureOf(name: string, error: ToolOutput['error']): ToolError {
  const {code, message, details} = error ?? {code: 'TOOL_EXECUTION_FAILED', message: `\`${name}\` failed`};
  return new ToolError(code, message, details);
}
