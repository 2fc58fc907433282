// A worker: an HTTP/2 endpoint that the Restate server calls for each attempt at a run.
import './promise-with-resolvers.ts';
import type {EngineWork, EngineWorker} from '@lumenflow/kernel/adapters';
import {createEndpointHandler} from '@restatedev/restate-sdk';
import {createServer, type ServerHttp2Session} from 'node:http2';
import {setTimeout as wait} from 'node:timers/promises';
import {listenOn} from './listen-on.ts';
import {requireSignatures} from './require-signatures.ts';
import {RestateServer} from './restate-server.ts';
import {objectNameOf, type RestateSettings} from './restate-settings.ts';
import {createRunObject, type RetryOptions} from './run-object.ts';

export interface RestateWorkerOptions {
  readonly hostname: string;
  /** 0 selects a free one. */
  readonly port: number;
  /** Where the server reaches the worker; default its address. It must not change for runs that are under way. */
  readonly url?: string | undefined;
  readonly retry?: RetryOptions;
}

export interface RestateWorker extends EngineWorker {
  readonly url: string;
}

/** How long a finished attempt may take to reach the server. */
const flushMs = 5_000;

/** Rejects if it is not allowed to listen there, or if the server cannot discover it. */
export async function startEngineWorker(
  settings: RestateSettings,
  work: EngineWork,
  {hostname, port, url: givenUrl, retry}: RestateWorkerOptions,
): Promise<RestateWorker> {
  const {identity_keys} = settings;
  requireSignatures(settings, hostname);
  const {counted, settled} = countAttempts(work);
  const endpoint = createEndpointHandler({
    services: [createRunObject(objectNameOf(settings), counted, retry)],
    ...(identity_keys && {identityKeys: [...identity_keys]}),
    // Failures are in the state of the run.
    logger: () => undefined,
  });
  let isClosing = false;
  const sessions = new Set<ServerHttp2Session>();
  const server = createServer((request, response) => {
    if (!isClosing) return endpoint(request, response);
    // The server repeats the request later, perhaps at another worker.
    response.writeHead(503).end();
  });
  server.on('session', (session) => {
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
  });
  const url = givenUrl ?? (await listenOn(server, hostname, port));
  if (givenUrl !== undefined) await listenOn(server, hostname, port);
  const closeServer = async (): Promise<void> => {
    for (const session of sessions) session.destroy();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  };
  try {
    await new RestateServer(settings).register(url);
  } catch (error) {
    await closeServer();
    throw error;
  }
  return {
    url,
    async close() {
      isClosing = true;
      await settled();
      await flushed(sessions);
      await closeServer();
    },
  };
}

function countAttempts(work: EngineWork): {readonly counted: EngineWork; settled(): Promise<void>} {
  const attempts = new Set<Promise<unknown>>();
  return {
    counted: {
      ...work,
      async advance(run_id, signal) {
        const attempt = work.advance(run_id, signal);
        attempts.add(attempt);
        try {
          return await attempt;
        } finally {
          attempts.delete(attempt);
        }
      },
    },
    async settled() {
      while (attempts.size > 0) await Promise.allSettled(attempts);
    },
  };
}

/** Closed streams mean that the server has what was reported. */
async function flushed(sessions: ReadonlySet<ServerHttp2Session>): Promise<void> {
  const closing = [...sessions].map((session) => new Promise<void>((resolve) => session.close(() => resolve())));
  await Promise.race([Promise.all(closing), wait(flushMs, undefined, {ref: false})]);
}
