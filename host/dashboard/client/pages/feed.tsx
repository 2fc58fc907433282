// Calls as they arrive, newest first. Older calls are loaded by page, so a long log costs no more than a short one.
import type {HttpMinutes, HttpReceiptPage} from '@lumenflow/schemas';
import type {JSX} from 'preact';
import {useRef, useState} from 'preact/hooks';
import {CallFilters, queryOf, useFeedSearch} from '../call-feed/call-filters.tsx';
import {CallsTable} from '../call-feed/calls-table.tsx';
import {mergeCalls, rowsMax} from '../call-feed/merge-calls.ts';
import {FoldedScheduler} from '../folded-scheduler.tsx';
import {useLiveCalls} from '../call-feed/use-live-calls.ts';
import {Charts} from '../charts.tsx';
import {Loaded} from '../elements.tsx';
import {useEvery, useResource, type Resource} from '../page-session.ts';
import {useSettled} from '../use-settled.ts';

export function FeedPage(): JSX.Element {
  const minutes = useResource<HttpMinutes>('/v1/calls/minutes');
  useEvery(5_000, minutes.reload);
  const search = useFeedSearch();
  const {before, pager} = usePager(search);
  const cursor = before.at(-1);
  const query = queryOf(search);
  query.set('limit', String(rowsMax));
  if (cursor !== undefined) query.set('before_seq', String(cursor));
  const page = usePage(useSettled(`/v1/evidence?${query}`));
  const live = useLiveCalls(search);
  const isLive = cursor === undefined;
  return (
    <>
      <Loaded from={minutes}>{(data) => <Charts of={data} />}</Loaded>
      <CallFilters isLive={isLive} />
      <Loaded from={page}>
        {({receipts, next_before_seq, searched, left_out = 0}) => {
          const calls = mergeCalls(isLive ? live.calls : [], receipts);
          const folded = left_out + (isLive ? live.leftOut.size : 0);
          return (
            <>
              <FoldedScheduler count={search.without_by === undefined ? undefined : folded} />
              {calls.length > 0 ? (
                <CallsTable of={calls} />
              ) : (
                <p class="empty">
                  {search.isNarrowed || next_before_seq !== undefined
                    ? noMatch(next_before_seq === undefined ? undefined : searched)
                    : 'No calls yet. New calls appear here.'}
                </p>
              )}
              {pager(next_before_seq)}
            </>
          );
        }}
      </Loaded>
    </>
  );
}

function noMatch(searched: number | undefined): string {
  if (searched === undefined) return 'No call matches.';
  return `No call matches among ${searched.toLocaleString('en')} calls. “Older” searches further back.`;
}

interface Pager {
  /** Where each older page starts, the current one last; empty on the newest page. */
  readonly before: readonly number[];
  pager(next: number | undefined): JSX.Element;
}

/** Another search starts at the newest page. */
function usePager(search: object): Pager {
  const [state, setState] = useState<{of: object; before: readonly number[]}>({of: search, before: []});
  const before = state.of === search ? state.before : [];
  const go = (to: readonly number[]): void => setState({of: search, before: to});
  return {
    before,
    pager: (next) => (
      <nav class="pager" aria-label="Pages of calls">
        <button type="button" disabled={before.length === 0} onClick={() => go([])}>
          Newest
        </button>
        <button type="button" disabled={before.length === 0} onClick={() => go(before.slice(0, -1))}>
          Newer
        </button>
        <button type="button" disabled={next === undefined} onClick={() => next !== undefined && go([...before, next])}>
          Older
        </button>
      </nav>
    ),
  };
}

/** Calls come live. Only those of a pause are missing. */
const afterPause = /^resumed$/;

/** Keeps the current page visible until the next one is loaded. */
function usePage(path: string): Resource<HttpReceiptPage> {
  const page = useResource<HttpReceiptPage>(path, afterPause);
  const shown = useRef(page.data);
  shown.current = page.data ?? shown.current;
  return {...page, ...(shown.current && {data: shown.current})};
}
