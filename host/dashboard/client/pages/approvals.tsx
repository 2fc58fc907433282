// Pending requests: the exact subject of each, and buttons for the answer.
import type {HttpApproval, HttpApprovalPage} from '@lumenflow/schemas';
import type {JSX} from 'preact';
import {useEffect, useRef, useState} from 'preact/hooks';
import {Content} from '../content.tsx';
import {Diff} from '../diff.tsx';
import {Badge, Decisions, Facts, grantTexts, Loaded, Problem, ScopeList, TaskLink, Time, Trace} from '../elements.tsx';
import {useResource, useSession} from '../session.ts';

const shownMax = 200;
const approvalEvents = /^approval_/;

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

export function ApprovalsPage(): JSX.Element {
  const [state, setState] = useState('pending');
  // Oldest first for pending requests, newest first for answered ones.
  const order = state === 'pending' ? 'oldest' : 'newest';
  const query = new URLSearchParams({state, order, limit: String(shownMax)});
  const list = useResource<HttpApprovalPage>(`/v1/approvals?${query}`, approvalEvents);
  const [chosen, setChosen] = useState<string>();
  const approvals = list.data?.approvals ?? [];
  const shown = approvals.find(({request_id}) => request_id === chosen);
  // Keeps the selection when another person answers the request. Otherwise a key could approve a request that was not read.
  const [first] = approvals;
  useEffect(() => {
    if (chosen === undefined && first) setChosen(first.request_id);
  }, [chosen, first]);
  useKeys((key) => {
    const step = {j: 1, k: -1}[key];
    const next = step === undefined ? undefined : shown ? approvals[approvals.indexOf(shown) + step] : first;
    if (next) setChosen(next.request_id);
  });
  return (
    <>
      <StateFilter
        state={state}
        onState={(wanted) => {
          setState(wanted);
          setChosen(undefined);
        }}
      />
      <Loaded from={list}>
        {({total}) =>
          first ? (
            <div class="inbox">
              <Requests of={approvals} more={total - approvals.length} chosen={chosen} onChoose={setChosen} />
              {shown ? (
                <Request
                  key={shown.request_id}
                  id={shown.request_id}
                  isPending={state === 'pending'}
                  onDone={() => {
                    setChosen(approvals.find((one) => one !== shown)?.request_id);
                    list.reload();
                  }}
                />
              ) : (
                <p class="empty" role="status">
                  {chosen !== undefined && 'This request was answered or withdrawn, or it expired. Choose another.'}
                </p>
              )}
            </div>
          ) : (
            <p class="empty">{state === 'pending' ? 'No pending requests.' : `No ${state} requests.`}</p>
          )
        }
      </Loaded>
    </>
  );
}

interface StateFilterProps {
  readonly state: string;
  onState(state: string): void;
}

function StateFilter({state, onState}: StateFilterProps): JSX.Element {
  return (
    <form class="filters" onSubmit={(event) => event.preventDefault()}>
      <label>
        Show
        <select value={state} onChange={(event) => onState(event.currentTarget.value)}>
          {['pending', 'approved', 'rejected', 'used', 'expired', 'withdrawn'].map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </label>
      <span class="quiet keys">
        <kbd>j</kbd> <kbd>k</kbd> next and previous, <kbd>a</kbd> approve, <kbd>r</kbd> reject
      </span>
    </form>
  );
}

interface RequestsProps {
  readonly of: readonly HttpApproval[];
  readonly more: number;
  readonly chosen: string | undefined;
  onChoose(id: string): void;
}

function Requests({of, more, chosen, onChoose}: RequestsProps): JSX.Element {
  return (
    <ul aria-label="Requests">
      {of.map(({request_id, subject, requested_by, requested_at}) => (
        <li key={request_id}>
          <button type="button" aria-pressed={request_id === chosen} onClick={() => onChoose(request_id)}>
            <b>{subject.tool_name ?? `${subject.kind} of a task`}</b>
            <span>
              {requested_by}, <Time at={requested_at} />
            </span>
          </button>
        </li>
      ))}
      {more > 0 && <li class="quiet">and {more} more</li>}
    </ul>
  );
}

interface RequestProps {
  readonly id: string;
  readonly isPending: boolean;
  onDone(): void;
}

function Request({id, isPending, onDone}: RequestProps): JSX.Element {
  const asked = useResource<HttpApproval>(`/v1/approvals/${encodeURIComponent(id)}`);
  return (
    <Loaded from={asked}>
      {(approval) => {
        const {subject, explanation, input, preview_output, changes} = approval;
        return (
          <article class="card request" aria-label="The request">
            <h2>{subject.tool_name ?? `${subject.kind} of ${subject.task_id}`}</h2>
            <Facts
              of={{
                'requested by': approval.requested_by,
                task: <TaskLink id={subject.task_id} />,
                pack: subject.pack_id && `${subject.pack_id} ${subject.pack_version ?? ''}`,
                expires: <Time at={approval.expires_at} />,
                state: <Badge of={approval.state} />,
                'answered by': approval.resolved_by,
                reason: approval.reason,
                withdrawn: approval.withdrawn_reason,
              }}
            />
            <h3>Reason for the request</h3>
            <Decisions of={approval.rules} />
            {changes && (
              <>
                <h3>Changes to apply</h3>
                <Diff of={changes} />
              </>
            )}
            {input !== undefined && (
              <>
                <h3>Arguments</h3>
                <Content of={input} label="Arguments" />
              </>
            )}
            {preview_output !== undefined && (
              <>
                <h3>Effect of the call</h3>
                <Content of={preview_output} label="Effect of the call" />
              </>
            )}
            {explanation?.granted_scopes && (
              <>
                <h3>Granted scopes</h3>
                <ScopeList of={grantTexts(explanation.granted_scopes)} />
              </>
            )}
            {explanation?.policy && (
              <details>
                <summary>Policy decision by layer</summary>
                <Trace of={explanation.policy.trace} />
              </details>
            )}
            {isPending && <Answer id={id} onDone={onDone} />}
          </article>
        );
      }}
    </Loaded>
  );
}

function Answer({id, onDone}: {readonly id: string; readonly onDone: () => void}): JSX.Element {
  const {api} = useSession();
  const [reason, setReason] = useState('');
  const [error, setError] = useState<Error>();
  const [isSending, setIsSending] = useState(false);
  const text = useRef<HTMLInputElement>(null);
  const answer = (approved: boolean): void => {
    if (isSending) return;
    setIsSending(true);
    const body = {approved, ...(reason.trim() !== '' && {reason: reason.trim()})};
    api
      .post(`/v1/approvals/${encodeURIComponent(id)}`, body)
      .then(onDone, setError)
      .finally(() => setIsSending(false));
  };
  const reject = (): void => {
    if (reason.trim() !== '') return answer(false);
    setError(new Error('give a reason: the agent reads it'));
    return text.current?.focus();
  };
  useKeys((key) => {
    if (key === 'a') answer(true);
    if (key === 'r') reject();
  });
  return (
    <form
      class="answer"
      onSubmit={(event) => {
        event.preventDefault();
        reject();
      }}
    >
      <label>
        Reason
        <input ref={text} value={reason} maxLength={4096} onInput={(event) => setReason(event.currentTarget.value)} />
      </label>
      <button type="button" class="approve" disabled={isSending} onClick={() => answer(true)}>
        Approve
      </button>
      <button type="submit" class="reject" disabled={isSending}>
        Reject
      </button>
      {error && <Problem error={error} />}
    </form>
  );
}

/** Shortcuts are single letters, disabled while a person types. */
function useKeys(listener: (key: string) => void): void {
  const newest = useRef(listener);
  newest.current = listener;
  useEffect(() => {
    const hear = (event: KeyboardEvent): void => {
      const isTyping = event.target instanceof Element && event.target.matches('input, textarea, select');
      if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      if (/^[jkar]$/.test(event.key)) event.preventDefault();
      newest.current(event.key);
    };
    addEventListener('keydown', hear);
    return () => removeEventListener('keydown', hear);
  }, []);
}
