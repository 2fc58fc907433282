// The check that a pack wants made before a task of its types is completed: a call of one of its tools, in the task,
// that the kernel makes itself.
import type {ToolOutput} from '@lumenflow/schemas';
import type {Kernel} from '../kernel.ts';
import type {CheckCompletion} from '../transitions/complete-task.ts';
import type {CallRequest, ParentCall} from './call.ts';

type CallTool = (kernel: Kernel, request: CallRequest) => Promise<ToolOutput>;

/** `parent`: the call that completes, when a handler does. */
export function checkCompletion(kernel: Kernel, callTool: CallTool, parent?: ParentCall): CheckCompletion {
  return async (tool, {task_id, run, by}) => {
    const {run_id, session_id} = run;
    const execution_metadata = {completion_of: task_id, completed_by: by};
    return await callTool(kernel, {
      name: tool,
      input: {},
      context: {task_id, run_id, session_id, execution_metadata},
      byKernel: true,
      ...(parent && {parent}),
    });
  };
}
