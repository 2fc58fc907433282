// The tools that run code of their callers.
import type {RegisteredTool} from '@lumenflow/kernel';

/** A workspace cannot pin a pack of this id. */
export const codePackId = 'code';

/** In QuickJS, in this process. */
export const codeTool: string = `${codePackId}:run`;

/** In the sandbox of the workspace. */
export const sandboxedCodeTool: string = `${codePackId}:run-sandboxed`;

export function isCodeTool({name, runs_caller_code}: RegisteredTool): boolean {
  return runs_caller_code === true && (name === codeTool || name === sandboxedCodeTool);
}
