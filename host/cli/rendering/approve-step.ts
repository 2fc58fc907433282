// The step that approves a request: a command, or the dashboard if the approval must be signed with a passkey.
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

export function approveStep({to, request, details, workspace}: ApproveStep): Step {
  if (details?.['passkey'] !== true) {
    return {to, command: commandLine(['approvals', 'approve', request], {as: someoneElse, workspace})};
  }
  const serve = commandLine(['serve'], {workspace});
  return {to: 'approve it with a passkey, in the dashboard', command: `${serve}, then open #/approvals/${request}`};
}
