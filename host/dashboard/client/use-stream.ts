// The one stream of the page: events, and calls while a list of calls is open. A browser opens few connections to a server.
import type {HttpReceipt} from '@lumenflow/schemas';
import {useEffect, useMemo, useRef, useState} from 'preact/hooks';
import type {Api, ServerEvent} from './api.ts';
import type {PageSession} from './page-session.ts';

type Subscriptions = Pick<PageSession, 'onEvent' | 'onCall'>;

export function useStream(api: Api, isSignedIn: boolean, onRefused: (error: Error) => void): Subscriptions {
  const events = useRef(new Set<(event: ServerEvent) => void>()).current;
  const calls = useRef(new Set<(call: HttpReceipt) => void>()).current;
  const [withCalls, setWithCalls] = useState(false);
  const lastId = useRef<string | undefined>(undefined);
  useEffect(() => {
    lastId.current = undefined;
  }, [api]);
  useEffect(() => {
    if (!isSignedIn) return undefined;
    const ending = new AbortController();
    const onServerEvent = (event: ServerEvent): void => {
      if (event.type === 'call') calls.forEach((listener) => listener(event.data as HttpReceipt));
      else events.forEach((listener) => listener(event));
    };
    api
      .follow(`/v1/events${withCalls ? '?calls=true' : ''}`, {signal: ending.signal, lastId}, onServerEvent)
      .catch(onRefused);
    return () => ending.abort();
  }, [api, isSignedIn, withCalls]);
  return useMemo(
    () => ({
      onEvent(listener) {
        events.add(listener);
        return () => events.delete(listener);
      },
      onCall(listener) {
        calls.add(listener);
        setWithCalls(true);
        return () => {
          calls.delete(listener);
          setWithCalls(calls.size > 0);
        };
      },
    }),
    [],
  );
}
