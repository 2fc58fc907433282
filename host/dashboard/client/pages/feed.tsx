// Calls as they arrive, newest first. Older calls are loaded by page, so a long log costs no more than a short one.
import type {HttpMinutes, HttpReceipt, HttpReceiptPage} from '@lumenflow/schemas';
import type {JSX} from 'preact';
import {useEffect, useRef, useState} from 'preact/hooks';
import {decisionOfCall} from '../../../receipts/decision-of-call.ts';
import {Loaded, Problem, Time, Verdict} from '../elements.tsx';
import {useEvery, useResource, useSession, type Resource} from '../session.ts';
import {Charts} from '../charts.tsx';

const rowsMax = 100;
/** Any denial, before or during a call. The server finds these calls. */
const refused = 'refused';
const results = ['success', 'failure', 'denied', 'invalid', 'crashed', 'open', refused];
/** Interval between updates: short enough to look live, long enough to stay smooth at any rate of calls. */
const showEveryMs = 250;

export function FeedPage(): JSX.Element {
  const [tool, setTool] = useState('');
  const [result, setResult] = useState('');
  const [before, setBefore] = useState<readonly number[]>([]);
  const minutes = useResource<HttpMinutes>('/v1/calls/minutes');
  useEvery(5_000, minutes.reload);
  const cursor = before.at(-1);
  const query = new URLSearchParams({
    limit: String(rowsMax),
    ...(tool !== '' && {tool_name: tool}),
    ...(result === refused ? {refused: 'true'} : result !== '' && {result}),
    ...(cursor !== undefined && {before_seq: String(cursor)}),
  });
  const page = usePage(`/v1/evidence?${query}`);
  const {live, error} = useLiveCalls();
  const fresh = cursor === undefined ? live.filter((one) => isWanted(one, tool, result)) : [];
  const next = page.data?.next_before_seq;
  return (
    <>
      <Loaded from={minutes}>{(data) => <Charts of={data} />}</Loaded>
      <Filters
        tool={tool}
        result={result}
        isLive={cursor === undefined}
        onTool={(name) => {
          setTool(name);
          setBefore([]);
        }}
        onResult={(name) => {
          setResult(name);
          setBefore([]);
        }}
      />
      {error && <Problem error={error} />}
      <Loaded from={page}>{({receipts}) => <Calls of={merge(fresh, receipts)} />}</Loaded>
      <nav class="pager" aria-label="Pages of calls">
        <button type="button" disabled={before.length === 0} onClick={() => setBefore([])}>
          Newest
        </button>
        <button type="button" disabled={before.length === 0} onClick={() => setBefore(before.slice(0, -1))}>
          Newer
        </button>
        <button
          type="button"
          disabled={next === undefined}
          onClick={() => next !== undefined && setBefore([...before, next])}
        >
          Older
        </button>
      </nav>
    </>
  );
}

/** Keeps the current page visible until the next one is loaded. */
function usePage(path: string): Resource<HttpReceiptPage> {
  const page = useResource<HttpReceiptPage>(path);
  const shown = useRef(page.data);
  shown.current = page.data ?? shown.current;
  return {...page, ...(shown.current && {data: shown.current})};
}

interface FiltersProps {
  readonly tool: string;
  readonly result: string;
  readonly isLive: boolean;
  onTool(name: string): void;
  onResult(name: string): void;
}

function Filters({tool, result, isLive, onTool, onResult}: FiltersProps): JSX.Element {
  return (
    <form class="filters" onSubmit={(event) => event.preventDefault()}>
      <label>
        Tool
        <input
          type="search"
          placeholder="such as file:read"
          value={tool}
          onChange={(event) => onTool(event.currentTarget.value.trim())}
        />
      </label>
      <label>
        Result
        <select value={result} onChange={(event) => onResult(event.currentTarget.value)}>
          <option value="">any</option>
          {results.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </label>
      <span class={isLive ? 'live' : 'live past'} role="status">
        {isLive ? 'live' : 'older calls'}
      </span>
    </form>
  );
}

function Calls({of}: {readonly of: readonly HttpReceipt[]}): JSX.Element {
  if (of.length === 0) return <p class="empty">No calls yet. New calls appear here.</p>;
  return (
    <table class="calls">
      <thead>
        <tr>
          <th scope="col">Decision</th>
          <th scope="col">Tool</th>
          <th scope="col">Lane</th>
          <th scope="col">Why</th>
          <th scope="col" class="number">
            Took
          </th>
          <th scope="col">Time</th>
        </tr>
      </thead>
      <tbody>
        {of.map((receipt) => (
          <tr key={receipt.receipt_id}>
            <td>
              <Verdict receipt={receipt} />
            </td>
            <td>
              <a href={`#/receipts/${encodeURIComponent(receipt.receipt_id)}`}>{receipt.started.tool_name}</a>
            </td>
            <td>{receipt.started.lane_id ?? '–'}</td>
            <td class="why">{reportOf(receipt) ?? whyOf(receipt)}</td>
            <td class="number">{receipt.finished ? `${Math.round(receipt.finished.duration_ms)} ms` : '…'}</td>
            <td>
              <Time at={receipt.started.timestamp} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
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

function isWanted({started, finished}: HttpReceipt, tool: string, result: string): boolean {
  return (tool === '' || started.tool_name === tool) && (result === '' || (finished?.result ?? 'open') === result);
}

/** The newest version of each call: live data is newer than loaded data. */
function merge(live: readonly HttpReceipt[], loaded: readonly HttpReceipt[]): readonly HttpReceipt[] {
  const byId = new Map([...loaded, ...live].map((receipt) => [receipt.receipt_id, receipt]));
  return [...byId.values()].toSorted((one, other) => other.started.seq - one.started.seq).slice(0, rowsMax);
}

function useLiveCalls(): {readonly live: readonly HttpReceipt[]; readonly error?: Error} {
  const {api} = useSession();
  const [live, setLive] = useState<readonly HttpReceipt[]>([]);
  const [error, setError] = useState<Error>();
  useEffect(() => {
    const ending = new AbortController();
    let waiting: HttpReceipt[] = [];
    const timer = setInterval(() => {
      const came = waiting;
      waiting = [];
      if (came.length > 0) setLive((before) => merge(came, before));
    }, showEveryMs);
    api.follow('/v1/calls/live', ending.signal, ({data}) => waiting.push(data as HttpReceipt)).catch(setError);
    return () => {
      clearInterval(timer);
      ending.abort();
    };
  }, [api]);
  return {live, ...(error && {error})};
}
