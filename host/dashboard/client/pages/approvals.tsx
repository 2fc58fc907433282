// Requests for approval by state, and their filter.
import type {HttpApproval, HttpApprovalPage} from '@lumenflow/schemas';
import type {JSX} from 'preact';
import {matchesWords} from '../../../text/matches-words.ts';
import {approvalEvents} from '../approvals/approval-events.ts';
import {Inbox} from '../approvals/inbox.tsx';
import {subjectText} from '../approvals/subject-text.ts';
import {Loaded} from '../elements.tsx';
import {Choice, FilterBar} from '../filter-bar.tsx';
import {useFilter} from '../place.ts';
import {useEvery, useResource} from '../page-session.ts';

const shownMax = 200;
const states = ['pending', 'approved', 'rejected', 'used', 'expired', 'withdrawn'];
const keys = {j: 'next request', k: 'previous request', a: 'approve it', r: 'reject it, with a reason'};

export function ApprovalsPage({id}: {readonly id: string}): JSX.Element {
  const [state] = useFilter('state', 'pending');
  const [text] = useFilter('text');
  // Oldest first for pending requests, newest first for answered ones.
  const order = state === 'pending' ? 'oldest' : 'newest';
  const query = new URLSearchParams({state, order, limit: String(shownMax)});
  const list = useResource<HttpApprovalPage>(`/v1/approvals?${query}`, approvalEvents);
  // Ages change without an event.
  useEvery(60_000, list.reload);
  return (
    <>
      <FilterBar of="tool, argument, task or principal" keys={keys}>
        <Choice
          label="Show"
          filter="state"
          clears="request"
          options={Object.fromEntries(states.map((one) => [one, one]))}
        />
      </FilterBar>
      <Loaded from={list}>
        {({approvals, total}) => (
          <Inbox
            key={state}
            state={state}
            approvals={approvals}
            isMatch={(one) => matchesWords(text, namesOf(one))}
            more={total - approvals.length}
            linked={id}
            onAnswered={list.reload}
          />
        )}
      </Loaded>
    </>
  );
}

function namesOf(approval: HttpApproval): readonly (string | undefined)[] {
  const {subject, requested_by, input_summary} = approval;
  return [subjectText(approval), input_summary, subject.task_id, requested_by];
}
