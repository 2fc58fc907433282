// One line about a call: its progress, its failure, or the rule that decided.
import type {HttpReceipt} from '@lumenflow/schemas';
import {decisionOfCall} from '../../../receipts/decision-of-call.ts';

export function whyOfCall(receipt: HttpReceipt): string {
  return reportOf(receipt) ?? whyOf(receipt);
}

/** The progress of an open call: the model's text as it arrives, else the last report. */
function reportOf({finished, progress}: HttpReceipt): string | undefined {
  if (finished !== undefined || progress.length === 0) return undefined;
  const texts = progress.map(({payload}) => (Object(payload) as {readonly text?: unknown}).text);
  const text = texts.every((one) => typeof one === 'string')
    ? texts.join('')
    : JSON.stringify(progress.at(-1)?.payload);
  return text.length > 200 ? `…${text.slice(-200)}` : text;
}

/** The failure's message, otherwise the deciding rule, which says more than the number of an approval request. */
function whyOf({started, finished}: HttpReceipt): string {
  const decision = decisionOfCall(finished);
  if (finished?.error_message !== undefined && decision !== 'approval_required') return finished.error_message;
  const decisions = finished?.policy_decisions ?? started.policy_decisions;
  const isApproved = decision === 'allow' && started.approval_request_id !== undefined;
  const counting = isApproved ? 'approval_required' : decision;
  const deciding = decisions.findLast((one) => one.decision === counting) ?? decisions.at(-1);
  if (!deciding) return '';
  const {layer, rule_id, reason} = deciding;
  if (rule_id === `${layer}.default`) return `default of the ${layer}`;
  return [`${isApproved ? 'approved, ' : ''}${layer} ${rule_id}`, reason].filter(Boolean).join(': ');
}
