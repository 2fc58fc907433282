// Before a task is claimed or completed, its pack may check it, for every caller and surface.
import type {ToolOutput} from '@lumenflow/schemas';
import type {Kernel} from '../context/kernel.ts';
import type {CompiledTask} from '../tasks/compiled-tasks.ts';
import type {TaskRun} from '../tasks/task-record.ts';
import {fail, type TransitionResult} from '../transition.ts';
import {declaredCheckOf, type CheckedTransition} from '../workspace/declared-check.ts';

export interface RequestedTransition {
  readonly kind: CheckedTransition;
  readonly task_id: string;
  /** Of a claim the one that there would be. */
  readonly run: TaskRun;
  /** The principal that asks. */
  readonly by: string;
}

/** Calls the tool in the task, with an empty input. */
export type TransitionCheckCall = (tool: string, asked: RequestedTransition) => Promise<ToolOutput>;

const failureCodes = {claim: 'CLAIM_CHECK_FAILED', completion: 'COMPLETION_CHECK_FAILED'} as const;

/** The check's receipt is part of the evidence that rules of on_claim and on_completion see. */
export async function runTransitionCheck(
  {workspace}: Kernel,
  {spec}: CompiledTask,
  asked: RequestedTransition,
  call: TransitionCheckCall,
): Promise<TransitionResult<never> | undefined> {
  const {kind} = asked;
  const tool = declaredCheckOf(workspace, kind, spec);
  if (tool === undefined) return undefined;
  const output = await call(tool, asked);
  if (output.success) return undefined;
  const {error, metadata} = output;
  const {code, message, details} = error;
  return fail(
    code === 'APPROVAL_REQUIRED' ? code : failureCodes[kind],
    `the check \`${tool}\` refuses the ${kind} of task \`${spec.id}\`: ${message}`,
    {...details, tool_name: tool, cause: code, ...(metadata && {receipt_id: metadata.receipt_id})},
  );
}
