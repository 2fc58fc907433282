// The text of a message for people. It contains no input of the call: that is read where people sign in.
import {requiresPasskey, type DueNotification} from '@lumenflow/kernel';

export interface MessageTerms {
  /** The address of the dashboard; absent: the message has no link. */
  readonly url: string | undefined;
  /** Makes a signed link for the receiver of the message. */
  link?(request_id: string, to: string): string;
  /** UTC, ISO 8601. */
  readonly now: string;
}

export interface MessageText {
  readonly title: string;
  readonly facts: readonly (readonly [name: string, value: string])[];
  readonly link: string | undefined;
}

export function textOf(due: DueNotification, terms: MessageTerms): MessageText {
  const {approval, occasion} = due;
  const {request_id, state, subject, requested_by, expires_at, rules, resolved_by} = approval;
  const what = subject.tool_name ?? `the ${subject.kind} of task ${subject.task_id}`;
  const asks = occasion === 'requested' ? 'Approval needed' : 'Still waiting for approval';
  const reasons = rules.flatMap(({reason}) => reason ?? []);
  return {
    title: occasion === 'closed' ? `Request is ${state}: ${what}` : `${asks}: ${what}`,
    facts: [
      ['Request', request_id],
      ['Requested by', requested_by],
      ...reasons.slice(0, 1).map((reason) => ['Reason', reason] as const),
      ...(occasion === 'closed' ? [] : [['Expires', expires_at] as const]),
      ...(state === 'pending' && requiresPasskey(approval)
        ? [['To approve', 'sign with a passkey in the dashboard'] as const]
        : []),
      ...(resolved_by === undefined ? [] : [['Answered by', resolved_by] as const]),
    ],
    link: linkOf(due, terms),
  };
}

/** Where the request is answered; after its end, where it is shown. */
export function linkOf({approval, receiver}: DueNotification, {url, link}: MessageTerms): string | undefined {
  const {request_id, state} = approval;
  // A page without scripts cannot sign.
  const isAnswerable = state === 'pending' && !requiresPasskey(approval);
  if (link && receiver.link_to !== undefined && isAnswerable) return link(request_id, receiver.link_to);
  return url === undefined ? undefined : `${url}/#/approvals/${encodeURIComponent(request_id)}`;
}
