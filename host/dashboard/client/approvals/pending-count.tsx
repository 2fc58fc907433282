// The number of pending requests, in the menu of every page.
import type {HttpApprovalPage} from '@lumenflow/schemas';
import type {JSX} from 'preact';
import {useResource} from '../page-session.ts';
import {approvalEvents} from './approval-events.ts';

export function PendingCount(): JSX.Element | null {
  const {data} = useResource<HttpApprovalPage>('/v1/approvals?state=pending&limit=1', approvalEvents);
  const count = data?.total ?? 0;
  return count === 0 ? null : (
    <span class="count">
      {count}
      <span class="hidden"> waiting</span>
    </span>
  );
}
