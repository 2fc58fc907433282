// The filters of the feed, and the search that they ask for.
import type {JSX} from 'preact';
import {useMemo} from 'preact/hooks';
import type {CallOutcome, CallSearch} from '../../../receipts/matches-call.ts';
import {Choice, FilterBar} from '../filter-bar.tsx';
import {useFoldedCaller} from '../folded-scheduler.tsx';
import {useFilter} from '../place.ts';

/** Anything that was denied, before a call or while it ran. */
const refused = 'refused';
const results = {
  '': 'any',
  success: 'success',
  denied: 'denied',
  approval_required: 'needs approval',
  failed: 'failed',
  open: 'running',
  [refused]: 'denied in part',
};
const minuteMs = 60_000;
const ranges: Readonly<Record<string, readonly [text: string, ms: number]>> = {
  '': ['all time', Number.POSITIVE_INFINITY],
  '15m': ['last 15 min', 15 * minuteMs],
  '1h': ['last hour', 60 * minuteMs],
  '24h': ['last 24 h', 24 * 60 * minuteMs],
  '7d': ['last 7 days', 7 * 24 * 60 * minuteMs],
};

export interface FeedSearch extends CallSearch {
  readonly refused?: true;
  /** ISO 8601. */
  readonly since?: string;
  /** Whether a person has narrowed the list. */
  readonly isNarrowed: boolean;
}

export function useFeedSearch(): FeedSearch {
  const [text] = useFilter('text');
  const [result] = useFilter('result');
  const [range] = useFilter('since');
  const folded = useFoldedCaller();
  return useMemo(() => {
    const ms = ranges[range]?.[1] ?? Number.POSITIVE_INFINITY;
    return {
      ...(text.trim() !== '' && {text: text.trim()}),
      ...(result === refused
        ? {refused: true}
        : result in results && result !== '' && {outcome: result as CallOutcome}),
      ...(Number.isFinite(ms) && {since: new Date(Date.now() - ms).toISOString()}),
      ...(folded !== undefined && {without_by: folded}),
      isNarrowed: [text.trim(), result, range].some((value) => value !== ''),
    };
  }, [text, result, range, folded]);
}

/** The query of the search, as the API reads it. */
export function queryOf({text, outcome, refused: isRefused, since, without_by}: FeedSearch): URLSearchParams {
  return new URLSearchParams({
    ...(text !== undefined && {text}),
    ...(outcome && {outcome}),
    ...(isRefused && {refused: 'true'}),
    ...(since !== undefined && {since}),
    ...(without_by !== undefined && {without_by}),
  });
}

export function CallFilters({isLive}: {readonly isLive: boolean}): JSX.Element {
  return (
    <FilterBar of="tool, lane, task or principal">
      <Choice label="Result" filter="result" options={results} />
      <Choice
        label="Time"
        filter="since"
        options={Object.fromEntries(Object.entries(ranges).map(([key, [text]]) => [key, text]))}
      />
      <span class={isLive ? 'live' : 'live past'} role="status">
        {isLive ? 'live' : 'older calls'}
      </span>
    </FilterBar>
  );
}
