// Calls a tool; its failure becomes the caller's own failure.
import {ToolError, type ToolContext, type ToolOutput} from '@lumenflow/pack-sdk';

const attemptsMax = 5;

/** The output's data. Throws ToolError with the code of the failed call. */
export async function callOrThrow(
  {callTool}: Pick<ToolContext, 'callTool'>,
  name: string,
  input: unknown,
): Promise<unknown> {
  const {success, data, error} = await callTool(name, input);
  if (success) return data;
  throw failureOf(name, error);
}

/** For a tool that can be called again: retries after conflicts with concurrent changes of the same files. */
export async function callUntilApplied(
  context: Pick<ToolContext, 'callTool'>,
  name: string,
  input: unknown,
): Promise<unknown> {
  for (let attempt = 1; attempt < attemptsMax; attempt += 1) {
    const {success, data, error} = await context.callTool(name, input);
    if (success) return data;
    if (error?.code !== 'WRITE_CONFLICT') throw failureOf(name, error);
  }
  return await callOrThrow(context, name, input);
}

/** The ToolError for a failed call of that tool. */
export function failureOf(name: string, error: ToolOutput['error']): ToolError {
  const {code, message, details} = error ?? {code: 'TOOL_EXECUTION_FAILED', message: `\`${name}\` failed`};
  return new ToolError(code, message, details);
}
