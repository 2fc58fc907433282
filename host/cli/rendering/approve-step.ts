// The step that approves a request: a command, or the dashboard if the approval must be signed with a passkey.
import {requiresPasskey, type KernelRuntime} from '@lumenflow/kernel';
import type {FailureAdvice} from './render-failure.ts';
import {commandLine, someoneElse} from './command-line.ts';

type Step = NonNullable<FailureAdvice['next']>[number];

interface ApproveStep {
  readonly to: string;
  readonly request: string;
  /** Of the failure that waits for it; `passkey` is true if it must be signed. */
  readonly details: Readonly<Record<string, unknown>> | undefined;
  readonly workspace: string | undefined;
}

/** Of a request that a run or a session waits for: the details that its failure had. */
export function detailsOf(runtime: Pick<KernelRuntime, 'listApprovals'>, request: string): ApproveStep['details'] {
  const approval = runtime.listApprovals().find(({request_id}) => request_id === request);
  return approval && {passkey: requiresPasskey(approval)};
}

export function approveStep({to, request, details, workspace}: ApproveStep): Step {
  if (details?.['passkey'] !== true) {
    return {to, command: commandLine(['approvals', 'approve', request], {as: someoneElse, workspace})};
  }
  const serve = commandLine(['serve'], {workspace});
  return {to: 'approve it with a passkey, in the dashboard', command: `${serve}, then open #/approvals/${request}`};
}
