// Calls as they arrive, as far as they match the search.
import {refusalsOf} from '@lumenflow/kernel';
import type {HttpReceipt} from '@lumenflow/schemas';
import {useEffect, useRef, useState} from 'preact/hooks';
import {isLeftOut, matchesCall} from '../../../receipts/matches-call.ts';
import {useSession} from '../page-session.ts';
import type {FeedSearch} from './call-filters.tsx';
import {mergeCalls} from './merge-calls.ts';

/** Interval between updates: short enough to look live, long enough to stay smooth at any rate of calls. */
const showEveryMs = 250;

interface LiveCalls {
  readonly calls: readonly HttpReceipt[];
  /** Ids of calls that the search leaves out. */
  readonly leftOut: ReadonlySet<string>;
}

const none: LiveCalls = {calls: [], leftOut: new Set()};

export function useLiveCalls(search: FeedSearch): LiveCalls {
  const {onCall} = useSession();
  const [live, setLive] = useState(none);
  const newest = useRef(search);
  newest.current = search;
  // The server's answer to another search contains the calls so far.
  useEffect(() => setLive(none), [search]);
  useEffect(() => {
    let waiting: HttpReceipt[] = [];
    const timer = setInterval(() => {
      const came = waiting.filter((call) => isWanted(call, newest.current));
      waiting = [];
      if (came.length > 0) setLive((before) => added(before, came, newest.current));
    }, showEveryMs);
    const stop = onCall((call) => waiting.push(call));
    return () => {
      clearInterval(timer);
      stop();
    };
  }, [onCall]);
  return live;
}

function isWanted(call: HttpReceipt, search: FeedSearch): boolean {
  return matchesCall(call, search) && (search.refused !== true || refusalsOf(call.finished).length > 0);
}

function added({calls, leftOut}: LiveCalls, came: readonly HttpReceipt[], search: FeedSearch): LiveCalls {
  const folded = came.filter((call) => isLeftOut(call, search)).map(({receipt_id}) => receipt_id);
  return {
    calls: mergeCalls(
      came.filter((call) => !isLeftOut(call, search)),
      calls,
    ),
    leftOut: folded.length === 0 ? leftOut : new Set([...leftOut, ...folded]),
  };
}
