// A child call whose failure is the caller's own.
import {ToolError, type ToolContext, type ToolOutput} from '@lumenflow/pack-sdk';

const attemptsMax = 5;

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

/** Of a tool that can be called again: others who worked on the same files meanwhile are not in its way. */
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

/** Of the call of that tool. */
export function failureOf(name: string, error: ToolOutput['error']): ToolError {
  const {code, message, details} = error ?? {code: 'TOOL_EXECUTION_FAILED', message: `\`${name}\` failed`};
  return new ToolError(code, message, details);
}
