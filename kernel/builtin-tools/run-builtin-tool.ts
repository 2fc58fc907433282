// Answers a call of one of the kernel's own tools, once it was admitted like any other.
import type {ToolOutput} from '@lumenflow/schemas';
import {kernelPackId} from '../builtin-pack/create-builtin-pack.ts';
import type {KernelVerb} from '../builtin-pack/declarations.ts';
import type {Kernel} from '../context/kernel.ts';
import type {RegisteredTool} from '../packs/loaded-pack.ts';
import type {TransitionResult} from '../transition.ts';
import type {TransitionCheckCall} from '../transitions/run-transition-check.ts';
import type {Caller} from './caller.ts';
import {
  amendOwnTask,
  cancelOwnTask,
  claimOwnTask,
  completeOwnTask,
  createOwnTask,
  changeOwnRun,
} from './change-tasks.ts';
import {showOwnRequest, withdrawOwnRequest} from './own-requests.ts';
import {listOwnApprovals, listOwnEvidence, listOwnTasks, showOwnTask, showWorkspace} from './read-tasks.ts';

export interface KernelCall {
  readonly caller: Caller;
  /** Fits the tool's schema: the pipeline has checked it. */
  readonly input: unknown;
  readonly transitionCheckCall: TransitionCheckCall;
}

type Answer = (
  kernel: Kernel,
  call: {readonly caller: Caller; readonly input: never; readonly transitionCheckCall: TransitionCheckCall},
) => TransitionResult<unknown> | Promise<TransitionResult<unknown>>;

/** Reverting goes through the dispatcher: see `calls/revert-changes.ts`. */
type AnsweredVerb = Exclude<KernelVerb, 'revert-changes'>;

const answers: Readonly<Record<AnsweredVerb, Answer>> = {
  'create-task': (kernel, {caller, input}) => createOwnTask(kernel, caller, input),
  'amend-task': (kernel, {caller, input}) => amendOwnTask(kernel, caller, input),
  'claim-task': (kernel, {caller, input, transitionCheckCall}) =>
    claimOwnTask(kernel, caller, input, transitionCheckCall),
  'block-task': (kernel, {caller, input}) => changeOwnRun(kernel, caller, 'block', input),
  'unblock-task': (kernel, {caller, input}) => changeOwnRun(kernel, caller, 'unblock', input),
  'release-task': (kernel, {caller, input}) => changeOwnRun(kernel, caller, 'release', input),
  'complete-task': (kernel, {caller, input, transitionCheckCall}) =>
    completeOwnTask(kernel, caller, input, transitionCheckCall),
  'cancel-task': (kernel, {caller, input}) => cancelOwnTask(kernel, caller, input),
  'show-task': (kernel, {caller, input}) => showOwnTask(kernel, caller, input),
  'list-tasks': (kernel, {caller, input}) => listOwnTasks(kernel, caller, input),
  'list-approvals': (kernel, {caller, input}) => listOwnApprovals(kernel, caller, input),
  'list-evidence': (kernel, {caller, input}) => listOwnEvidence(kernel, caller, input),
  'show-workspace': (kernel, {caller}) => showWorkspace(kernel, caller),
  'show-request': (kernel, {caller, input}) => showOwnRequest(kernel, caller, input),
  'withdraw-request': (kernel, {caller, input}) => withdrawOwnRequest(kernel, caller, input),
};

export function isBuiltinTool({pack}: RegisteredTool): boolean {
  return pack.manifest.id === kernelPackId;
}

/** Those of which the kernel itself has the answer. */
export function isRunByKernel(tool: RegisteredTool): boolean {
  return isBuiltinTool(tool) && !isRevert(tool);
}

export function isRevert({name}: RegisteredTool): boolean {
  return name === `${kernelPackId}:revert-changes`;
}

export async function runBuiltinTool(kernel: Kernel, tool: RegisteredTool, call: KernelCall): Promise<ToolOutput> {
  const verb = tool.name.slice(kernelPackId.length + 1) as AnsweredVerb;
  const result = await answers[verb](kernel, call as KernelCall & {readonly input: never});
  return result.success ? {success: true, data: result.data} : result;
}
