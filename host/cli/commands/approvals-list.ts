// `lumenflow approvals list`: lists requests with their requester and expiry.
import type {ApprovalFilter, StandingApproval} from '@lumenflow/kernel';
import type {Command} from '../command.ts';
import {renderTable} from '../rendering/render-table.ts';
import {shortIdLength} from '../rendering/short-id-length.ts';
import {renderTime} from '../rendering/render-time.ts';
import {paintOf, type Style} from '../rendering/style.ts';
import {withHost} from '../with-host.ts';

interface Options {
  readonly state: string;
  readonly task?: string;
}

export const approvalsList: Command<Options> = async (context, _args, {state, task}) => {
  return await withHost(context, async ({runtime}) => {
    const approvals = runtime.listApprovals({
      ...(state !== 'all' && {state: state as NonNullable<ApprovalFilter['state']>}),
      ...(task !== undefined && {task_id: task}),
    });
    const {style, errorStyle} = context;
    return {
      data: {approvals},
      text: () => (approvals.length === 0 ? '' : render(approvals, style)),
      note: () =>
        errorStyle.dim(
          approvals.length === 0
            ? `nothing ${state === 'pending' ? 'waits for an answer' : `is ${state}`}`
            : 'details: lumenflow approvals show REQUEST',
        ),
    };
  });
};

/** The subject of a request: the tool of a call, or the transition of a task. */
export function askedFor({subject}: StandingApproval): string {
  if (subject.kind === 'call') return subject.tool_name ?? 'a call';
  return `${subject.kind} of ${subject.kind === 'changes' ? (subject.tool_name ?? 'a call') : subject.task_id}`;
}

function render(approvals: readonly StandingApproval[], style: Style): string {
  const now = Date.now();
  return renderTable(
    approvals,
    [
      {title: 'REQUEST', cell: (approval) => approval.request_id.slice(0, shortIdLength)},
      {title: 'FOR', cell: askedFor, shrinksTo: 12, paint: () => style.bold},
      {title: 'ASKED BY', cell: (approval) => approval.requested_by, shrinksTo: 8},
      {title: 'WHEN', cell: (approval) => renderTime(approval.requested_at, now)},
      {title: 'STATE', cell: (approval) => approval.state, paint: (approval) => paintOf(style, approval.state)},
      {title: 'EXPIRES', cell: (approval) => renderTime(approval.expires_at, now)},
    ],
    style,
  );
}
