// `lumenflow approvals show`: shows the exact subject of a request, and the rule that requires approval.
import {missingText, requiresPasskey, type StandingApproval} from '@lumenflow/kernel';
import {readPreview} from '../../approvals/read-preview.ts';
import type {CliContext, Command} from '../command.ts';
import {approveStep} from '../rendering/approve-step.ts';
import {commandLine, someoneElse} from '../rendering/command-line.ts';
import {findApproval} from '../lookup/find-approval.ts';
import {cleanText} from '../rendering/clean-text.ts';
import {renderDecisions} from '../rendering/render-decisions.ts';
import {renderNext} from '../rendering/render-failure.ts';
import {changesOfApproval} from '../../changes/changes-of-approval.ts';
import type {FileDiff} from '../../changes/diff-files.ts';
import {renderDiff} from '../rendering/render-diff.ts';
import {renderFields} from '../rendering/render-fields.ts';
import {renderTime} from '../rendering/render-time.ts';
import {renderValue} from '../rendering/render-value.ts';
import {paintOf} from '../rendering/style.ts';
import {withHost} from '../with-host.ts';
import {askedFor} from './approvals-list.ts';

export const approvalsShow: Command = async (context, [requestId = '']) =>
  await withHost(context, async ({runtime}) => {
    const approval = findApproval(runtime, requestId);
    const text = approval.input_ref === undefined ? undefined : await runtime.evidence.readBlob(approval.input_ref);
    const input: unknown = text === undefined ? undefined : JSON.parse(text);
    const preview = await readPreview(runtime, approval);
    const changes = await changesOfApproval(runtime, approval.subject);
    return {
      data: {
        approval,
        ...(text !== undefined && {input}),
        ...(changes && {changes}),
        ...(preview !== undefined && {preview_output: preview}),
      },
      text: () => render(context, approval, {input, preview, changes}),
      ...(approval.state === 'pending' && {note: () => answers(context, approval)}),
    };
  });

interface Asked {
  readonly input: unknown;
  readonly preview: unknown;
  /** The changes that an approval applies. */
  readonly changes: readonly FileDiff[] | undefined;
}

function render({style}: CliContext, approval: StandingApproval, {input, preview, changes}: Asked): string {
  const now = Date.now();
  const {subject, state} = approval;
  const facts = renderFields(
    [
      ['request', approval.request_id],
      ['state', paintOf(style, state)(state)],
      ['asked by', `${approval.requested_by}, ${renderTime(approval.requested_at, now)}`],
      ['task', subject.task_id],
      ['pack', subject.pack_id === undefined ? undefined : `${subject.pack_id} ${subject.pack_version ?? ''}`],
      ['expires', renderTime(approval.expires_at, now)],
      ['approved by', approval.answers?.map(({by}) => by).join(', ')],
      ['missing', approval.missing && missingText(approval.missing)],
      ['answered', answeredBy(approval)],
      ['reason', approval.reason === undefined ? undefined : cleanText(approval.reason)],
      ['used by', approval.used_by],
      ['withdrawn', withdrawnBy(approval)],
      ['instead', approval.superseded_by],
    ],
    style,
  );
  const asked = input === undefined ? [] : ['', style.dim('INPUT'), renderValue(input, style)];
  const would = preview === undefined ? [] : ['', style.dim('EFFECT OF THE CALL'), renderValue(preview, style)];
  const changed = changes === undefined ? [] : ['', style.dim('CHANGES'), renderDiff(changes, style)];
  const rules = approval.rules.length === 0 ? [] : ['', style.dim('RULES'), renderDecisions(approval.rules, style)];
  return [style.bold(cleanText(askedFor(approval))), facts, ...asked, ...would, ...changed, ...rules].join('\n');
}

function answeredBy({resolved_by, channel}: StandingApproval): string | undefined {
  if (resolved_by === undefined) return undefined;
  return channel === 'inband' ? `by ${resolved_by}, in the conversation that asked` : `by ${resolved_by}`;
}

function withdrawnBy({withdrawn_by, withdrawn_reason = ''}: StandingApproval): string | undefined {
  return withdrawn_by === undefined ? undefined : `by ${withdrawn_by}: ${cleanText(withdrawn_reason)}`;
}

function answers({errorStyle, workspace}: CliContext, approval: StandingApproval): string {
  const {request_id, subject} = approval;
  const options = {as: someoneElse, workspace};
  const [approve, reject] =
    subject.kind === 'program'
      ? (['approve it', 'or reject it'] as const)
      : (['allow exactly this call, once', 'or reject the call'] as const);
  const next = [
    approveStep({to: approve, request: request_id, details: {passkey: requiresPasskey(approval)}, workspace}),
    {to: reject, command: commandLine(['approvals', 'reject', request_id], options)},
  ];
  return renderNext(next, errorStyle);
}
