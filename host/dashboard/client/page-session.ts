// The state that all pages share: the API, the signed-in caller, and the workspace's events.
import type {HttpCaller, HttpReceipt} from '@lumenflow/schemas';
import {createContext} from 'preact';
import {useContext, useEffect, useRef, useState} from 'preact/hooks';
import {resumed, type Api, type ServerEvent} from './api.ts';

export interface PageSession {
  readonly api: Api;
  readonly caller: HttpCaller;
  onEvent(listener: (event: ServerEvent) => void): () => void;
  /** Calls come over the same stream, while anybody listens. */
  onCall(listener: (call: HttpReceipt) => void): () => void;
}

export const SessionContext = createContext<PageSession | undefined>(undefined);

export function useSession(): PageSession {
  const session = useContext(SessionContext);
  if (!session) throw new Error('the page is rendered outside a session');
  return session;
}

export interface Resource<T> {
  readonly data?: T;
  readonly error?: Error;
  reload(): void;
}

/** Polls for changes without an event, except while the tab is hidden. */
export function useEvery(intervalMs: number, act: () => void): void {
  const newest = useRef(act);
  newest.current = act;
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) newest.current();
    }, intervalMs);
    return () => clearInterval(timer);
  }, [intervalMs]);
}

/**
 * Loads a path, and reloads it when it changes or an event of these kinds arrives. Several events in a burst cause one reload.
 */
export function useResource<T>(path: string | undefined, refreshOn?: RegExp): Resource<T> {
  const {api, onEvent} = useSession();
  const [state, setState] = useState<{path?: string; data?: T; error?: Error}>({});
  const [turn, setTurn] = useState(0);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => {
    if (path === undefined) return undefined;
    let isCurrent = true;
    api.get<T>(path).then(
      (data) => isCurrent && setState({path, data}),
      (error: Error) => isCurrent && setState({path, error}),
    );
    return () => {
      isCurrent = false;
    };
  }, [path, turn, api]);
  useEffect(() => {
    if (!refreshOn) return undefined;
    const stop = onEvent(({type}) => {
      if (!(type === resumed || refreshOn.test(type)) || timer.current !== undefined) return;
      timer.current = setTimeout(() => {
        timer.current = undefined;
        setTurn((before) => before + 1);
      }, 300);
    });
    return () => {
      clearTimeout(timer.current);
      timer.current = undefined;
      stop();
    };
  }, [onEvent]);
  const {data, error} = state.path === path ? state : {};
  return {
    ...(data !== undefined && {data}),
    ...(error && {error}),
    reload: () => setTurn((before) => before + 1),
  };
}
