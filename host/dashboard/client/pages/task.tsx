// One task: its spec, and a timeline of its events and receipts.
import type {HttpEventList, HttpReceipt, HttpReceiptPage, HttpTask, KernelEvent} from '@lumenflow/schemas';
import type {JSX} from 'preact';
import {Badge, Facts, Json, Loaded, Section, Time, Verdict} from '../elements.tsx';
import {useEvery, useResource} from '../page-session.ts';
import {useStateAlias} from '../state-alias.ts';

export function TaskPage({id}: {readonly id: string}): JSX.Element {
  const task = useResource<HttpTask>(`/v1/tasks/${encodeURIComponent(id)}`, /^task_/);
  return (
    <Loaded from={task}>
      {(data) => (
        <>
          <Section title={data.spec?.title ?? data.task_id}>
            <Facts
              of={{
                state: <State of={data} />,
                'blocked because': data.blocked_reason,
                task: <code>{data.task_id}</code>,
                program: data.spec?.program && (
                  <a href={`#/programs/${encodeURIComponent(id)}`}>steps of the program</a>
                ),
                type: data.task_type,
                lane: data.lane_id,
                'claimed by': data.run?.by,
                created: <Time at={data.created_at} />,
                amended: data.amended_at && <Time at={data.amended_at} />,
                completed: data.completed_at && <Time at={data.completed_at} />,
              }}
            />
            {data.spec?.description !== undefined && <p>{data.spec.description}</p>}
            <details>
              <summary>Spec</summary>
              <Json value={data.spec} label="Spec" />
            </details>
          </Section>
          <Timeline taskId={id} />
        </>
      )}
    </Loaded>
  );
}

/** The pack's name for the state, if it has one. */
function State({of: task}: {readonly of: HttpTask}): JSX.Element {
  return (
    <>
      <Badge of={task.state} /> <small>{useStateAlias()(task)}</small>
    </>
  );
}

type Entry =
  | {readonly at: string; readonly key: string; readonly event: KernelEvent}
  | {readonly at: string; readonly key: string; readonly receipt: HttpReceipt};

function Timeline({taskId}: {readonly taskId: string}): JSX.Element {
  const events = useResource<HttpEventList>(
    `/v1/tasks/${encodeURIComponent(taskId)}/events`,
    /^(?:task|approval|changes)_/,
  );
  const query = new URLSearchParams({task_id: taskId, limit: '500'});
  const page = useResource<HttpReceiptPage>(`/v1/evidence?${query}`, /^(?:task|approval)_/);
  useEvery(3_000, page.reload);
  const entries: readonly Entry[] = [
    ...(events.data?.events ?? []).map((event) => ({at: event.timestamp, key: `e${event.seq}`, event})),
    ...(page.data?.receipts ?? []).map((receipt) => ({
      at: receipt.started.timestamp,
      key: receipt.receipt_id,
      receipt,
    })),
  ];
  return (
    <Section title="Timeline">
      <ol class="timeline">
        {entries
          .toSorted((one, other) => (one.at < other.at ? -1 : 1))
          .map((entry) => (
            <li key={entry.key}>
              <Time at={entry.at} />
              {'event' in entry ? <EventLine event={entry.event} /> : <ReceiptLine receipt={entry.receipt} />}
            </li>
          ))}
      </ol>
    </Section>
  );
}

function EventLine({event}: {readonly event: KernelEvent}): JSX.Element {
  return (
    <span>
      <b>{event.type.replaceAll('_', ' ')}</b> by {event.actor}
      {'reason' in event && event.reason !== undefined && <> — {event.reason}</>}
    </span>
  );
}

function ReceiptLine({receipt}: {readonly receipt: HttpReceipt}): JSX.Element {
  return (
    <span>
      <Verdict receipt={receipt} />{' '}
      <a href={`#/receipts/${encodeURIComponent(receipt.receipt_id)}`}>{receipt.started.tool_name}</a>{' '}
      {receipt.finished?.error_message}
    </span>
  );
}
