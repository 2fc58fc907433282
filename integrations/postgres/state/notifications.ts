// Learns of events that other hosts append. A connection that is lost is made again, and until then events are asked for.
import {setTimeout as wait} from 'node:timers/promises';
import type {Database} from '../connection/database.ts';

/** Also without a notification: one can be lost with its connection. */
const askEveryMs = 1_000;

export interface Notifications {
  close(): Promise<void>;
}

export function listen(database: Database, onEvents: () => Promise<void>): Notifications {
  const closing = new AbortController();
  const {signal} = closing;
  const asked = (): void => void onEvents().catch(() => undefined);
  const timer = setInterval(asked, askEveryMs);
  timer.unref();

  async function listenOnce(): Promise<void> {
    const client = await database.connect();
    const ended = new Promise<void>((resolve) => {
      client.on('error', () => resolve());
      client.on('end', () => resolve());
      signal.addEventListener('abort', () => resolve(), {once: true});
      // It may have been closed while it connected.
      if (signal.aborted) resolve();
    });
    try {
      client.on('notification', ({payload}) => {
        if (payload?.startsWith(`${database.schema} `) === true) asked();
      });
      await client.query('listen lumenflow');
      asked();
      await ended;
    } finally {
      client.release(true);
    }
  }

  const listening = (async () => {
    while (!signal.aborted) {
      await listenOnce().catch(() => undefined);
      await wait(askEveryMs, undefined, {signal, ref: false}).catch(() => undefined);
    }
  })();
  return {
    async close() {
      clearInterval(timer);
      closing.abort();
      await listening;
    },
  };
}
