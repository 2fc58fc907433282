// The failure that a caller receives when the files of a call are not in the workspace.
import type {ToolOutput} from '@lumenflow/schemas';
import type {ApprovalRecord} from '../approvals/approval-record.ts';
import type {ApplyResult} from '../dispatch/finished-changes.ts';
import type {AdmittedCall} from './call.ts';
import {splitByDecision, type ChangesDecision} from './decide-changes.ts';
import {requiresPasskey} from '../passkeys/refuse-unsigned.ts';

const pathsMax = 200;

export function changesDenied(call: AdmittedCall, decided: ChangesDecision): ToolOutput {
  const {rule_id, layer, reason, where} = decided.deciding;
  const {objected, allowed} = splitByDecision(decided, {max: pathsMax});
  const paths = objected.length > 0 ? ` (${listed(objected)})` : '';
  const message = `policy denies what \`${call.tool.name}\` changed${paths}: ${reason ?? `rule \`${rule_id}\``}; nothing of it was applied`;
  return failure('POLICY_DENIED', message, {
    rule_id,
    layer,
    ...(where !== undefined && {where}),
    denied_paths: objected,
    allowed_paths: allowed,
  });
}

export function changesParked(call: AdmittedCall, approval: ApprovalRecord, decided: ChangesDecision): ToolOutput {
  const {request_id, expires_at, subject} = approval;
  const {rule_id, layer, reason, where} = decided.deciding;
  const count = decided.question.request.context.changes?.length ?? 0;
  const waiting = count === 1 ? '1 change waits' : `${count} changes wait`;
  const why = reason ?? `rule \`${rule_id}\``;
  const message = `\`${call.tool.name}\` ran, and its ${waiting} for approval as request \`${request_id}\`: ${why}. Nothing is applied until a person approves; do not call it again. \`lumenflow changes show ${call.receipt_id}\` shows the changes and their state`;
  return failure('CHANGES_PARKED', message, {
    request_id,
    receipt_id: call.receipt_id,
    digest: subject.changes_digest,
    count,
    expires_at,
    rule_id,
    layer,
    ...(where !== undefined && {where}),
    ...(requiresPasskey(approval) && {passkey: true}),
  });
}

export function changesConflict({conflicts, kept_in}: Extract<ApplyResult, {state: 'conflict'}>): ToolOutput {
  const kept = kept_in === undefined ? '' : `; it is kept in \`${kept_in}\``;
  const message = `${listed(conflicts)} changed during the call, so nothing of what the call wrote was applied${kept}`;
  return failure('WRITE_CONFLICT', message, {
    conflicts: conflicts.slice(0, pathsMax),
    ...(kept_in !== undefined && {kept_in}),
    retryable: true,
  });
}

function failure(code: string, message: string, details: Record<string, unknown>): ToolOutput {
  return {success: false, error: {code, message, details}};
}

function listed(paths: readonly string[]): string {
  const shown = paths.slice(0, 10).map((path) => `\`${path.replaceAll('\n', String.raw`\n`)}\``);
  return `${shown.join(', ')}${paths.length > 10 ? ` and ${paths.length - 10} more` : ''}`;
}
