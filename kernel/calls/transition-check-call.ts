// The check that a pack requires before a task of its types is claimed or completed. The kernel itself calls one of the
// pack's tools in the task.
import type {ToolOutput} from '@lumenflow/schemas';
import type {Kernel} from '../context/kernel.ts';
import type {TransitionCheckCall} from '../transitions/run-transition-check.ts';
import type {CallRequest, ParentCall} from './call.ts';

type CallTool = (kernel: Kernel, request: CallRequest) => Promise<ToolOutput>;

/** `parent`: the call that claims or completes, when a handler does. */
export function transitionCheckCall(kernel: Kernel, callTool: CallTool, parent?: ParentCall): TransitionCheckCall {
  return async (tool, asked) => {
    const {kind, task_id, run, by} = asked;
    const {run_id, session_id} = run;
    const execution_metadata =
      kind === 'claim' ? {claim_of: task_id, claimed_by: by} : {completion_of: task_id, completed_by: by};
    return await callTool(kernel, {
      name: tool,
      input: {},
      context: {task_id, run_id, session_id, execution_metadata},
      checks: asked,
      parent,
    });
  };
}
