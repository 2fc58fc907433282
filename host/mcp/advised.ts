// Adds to a failure what the model can do about it. A model cannot change the workspace, so the remedy names the person to ask.
import type {Conversation} from './conversation.ts';
import {failureContent, type FailureContent, type GovernedFailure} from './failure-content.ts';
import {approvalUri} from './resource-uri.ts';
import {toMcpName} from './tool-name.ts';
import {mentionableTools} from './mentionable-tools.ts';

export interface FailedCall extends GovernedFailure {
  readonly tool: string;
  readonly input: unknown;
}

export async function advised(conversation: Conversation, call: FailedCall): Promise<FailureContent> {
  const isRejected = call.error.details?.['rejected_by'] !== undefined;
  const failure = isRejected ? rejected(conversation, call) : {...call, remedy: await remedyOf(conversation, call)};
  return failureContent(failure, mentionableTools(conversation));
}

/** A person who answers in the client has the client's name in the record. */
function rejected({session}: Conversation, {error, output}: FailedCall): GovernedFailure {
  const isInClient = error.details?.['rejected_by'] === session.by;
  const message = isInClient ? error.message.replace(`\`${session.by}\``, 'the user') : error.message;
  return {error: {...error, message}, output, remedy: 'do not repeat this call: ask the user what to do instead'};
}

/** Only policy can say what would change its decision; other failures contain their own remedy. */
async function remedyOf(
  {session, dashboard}: Conversation,
  {tool, input, error}: FailedCall,
): Promise<string | undefined> {
  const {code, details} = error;
  if (code === 'APPROVAL_REQUIRED' || code === 'CHANGES_PARKED')
    return waitFor(code, {
      requestId: String(details?.['request_id']),
      dashboard,
      isSigned: details?.['passkey'] === true,
    });
  if (code === 'POLICY_DENIED') return forOperator((await session.explain(tool, input)).policy?.would_change[0]);
  return forOperator(details?.['remedy']);
}

interface Waiting {
  readonly requestId: string;
  readonly dashboard: string | undefined;
  /** Its approval must be signed with a passkey. */
  readonly isSigned: boolean;
}

/** Also names a tool for a resource, because some clients offer a model only tools. */
function waitFor(code: string, {requestId, dashboard, isSigned}: Waiting): string {
  const page = dashboard === undefined ? 'the dashboard of `lumenflow serve`' : `${dashboard}/#/approvals`;
  const command = `lumenflow approvals approve ${requestId} --as NAME`;
  const person = isSigned
    ? `ask the user to open ${page} and to approve \`${requestId}\` there with a passkey`
    : `ask the user to run \`${command}\` under their own name, or to open ${page}`;
  const outcome = `\`${toMcpName('kernel:show-request')}\` or \`${approvalUri(requestId)}\` shows`;
  return code === 'CHANGES_PARKED'
    ? `do not repeat the call: ${person}; ${outcome} whether the changes were applied`
    : `${person}; once it is approved, repeat the call with the same arguments: ${outcome} when`;
}

/** The kernel's remedies are changes of workspace.yaml or of a manifest, if they begin like this. */
const operatorsVerb = /^(?:(?:add|remove|narrow|set|take|use|list) |name `)/u;

/** An operator writes the names of tools as workspace.yaml does. Any other remedy is for the client. */
function forOperator(remedy: unknown): string | undefined {
  return typeof remedy === 'string' && operatorsVerb.test(remedy) ? `ask the operator to ${remedy}` : undefined;
}
