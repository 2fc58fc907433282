// Adds to a failure what the model can do about it. A model cannot change the workspace, so the remedy names the person to ask.
import type {Conversation} from './conversation.ts';
import type {GovernedFailure} from './failure-content.ts';
import {approvalUri} from './resource-uri.ts';
import {toMcpName} from './tool-name.ts';

export interface FailedCall extends GovernedFailure {
  readonly tool: string;
  readonly input: unknown;
}

export async function advised(conversation: Conversation, call: FailedCall): Promise<GovernedFailure> {
  const {error, output} = call;
  if (error.details?.['rejected_by'] !== undefined) return rejected(conversation, call);
  const remedy = await remedyOf(conversation, call);
  return {error, output, ...(remedy !== undefined && {remedy})};
}

/** A person who answers in the client has the client's name in the record. */
function rejected({session}: Conversation, {error, output}: FailedCall): GovernedFailure {
  const isInClient = error.details?.['rejected_by'] === session.by;
  const message = isInClient ? error.message.replace(`\`${session.by}\``, 'the user') : error.message;
  return {error: {...error, message}, output, remedy: 'do not repeat this call: ask the user what to do instead'};
}

/** Only policy can say what would change its decision; other failures contain their own fix. */
async function remedyOf(
  {session, dashboard}: Conversation,
  {tool, input, error}: FailedCall,
): Promise<string | undefined> {
  const {code, details} = error;
  if (code === 'APPROVAL_REQUIRED' || code === 'CHANGES_PARKED')
    return waitFor(code, String(details?.['request_id']), dashboard);
  if (code === 'POLICY_DENIED') return forOperator((await session.explain(tool, input)).policy?.would_change[0]);
  return code === 'SCOPE_DENIED' ? forOperator(details?.['remedy']) : undefined;
}

/** Also names a tool for a resource, because some clients offer a model only tools. */
function waitFor(code: string, requestId: string, dashboard: string | undefined): string {
  const page = dashboard === undefined ? 'the dashboard of `lumenflow serve`' : `${dashboard}/#/approvals`;
  const command = `lumenflow approvals approve ${requestId} --as NAME`;
  const person = `ask the user to run \`${command}\` under their own name, or to open ${page}`;
  const outcome = `\`${toMcpName('kernel:show-request')}\` or \`${approvalUri(requestId)}\` shows`;
  return code === 'CHANGES_PARKED'
    ? `do not repeat the call: ${person}; ${outcome} whether the changes were applied`
    : `${person}; once it is approved, repeat the call with the same arguments: ${outcome} when`;
}

/** The kernel's remedies are changes of workspace.yaml or of a manifest, if they begin like this. */
const operatorsVerb = /^(?:add|remove|narrow|set|take|use|list) /u;

function forOperator(remedy: unknown): string | undefined {
  if (typeof remedy !== 'string') return undefined;
  return operatorsVerb.test(remedy) ? `ask the operator to ${remedy}` : remedy;
}
