// Starts the HTTP server, and closes it in bounded time without open handles.
import {getRequestListener} from '@hono/node-server';
import {stopListening} from '@lumenflow/sandbox';
import {setMaxListeners} from 'node:events';
import type {RequestListener, Server} from 'node:http';
import type {AddressInfo} from 'node:net';
import {setTimeout as sleep} from 'node:timers/promises';
import {openLinks} from '../approvals/links/index.ts';
import {createAnswerPage, type AnswerPage} from './answer-page/answer-page.ts';
import {createBoundedServer, serverLimits} from './bounded-server.ts';
import {createEventFeed} from './events/event-feed.ts';
import {createServerHealth, type ServerHealth} from './health/server-health.ts';
import type {MetricFamily} from '../metrics/metric-family.ts';
import {createHttpApp, type HttpAppOptions} from './http-app.ts';
import {createMcpEndpoint} from './mcp/mcp-endpoint.ts';
import {createSignIn} from '../sign-in/create-sign-in.ts';
import {createAuthenticator} from './tokens/authenticator.ts';
import {createCallerWatch} from './tokens/caller-watch.ts';
import {createRateLimit, type RateLimit} from './requests/rate-limit.ts';
import type {HttpHost} from './route.ts';
import {watchIdleSessions} from './sessions/watch-idle-sessions.ts';
import type {TokenStore} from './tokens/token-store.ts';

export interface HttpServerOptions {
  readonly tokens: TokenStore;
  /** The host's version, for /healthz. */
  readonly version: string;
  /** Address to listen on; default 127.0.0.1. Beyond loopback, name the server in `hostsAllowed` too. */
  readonly hostname?: string;
  /** Default 0: a free port. */
  readonly port?: number;
  /** Allowed names in a `Host` header besides loopback, without port. */
  readonly hostsAllowed?: readonly string[];
  /** Maximum requests per second for each token; default: no limit. */
  readonly requestsPerSecond?: number | undefined;
  /** Idle time after which a caller's session ends, of MCP or of the API; default 30 minutes. */
  readonly sessionIdleMs?: number;
  /** How long closing waits for calls in progress before it cancels them; default 10,000. */
  readonly closeTimeoutMs?: number;
  /** For the variable that `sign_in.client_secret_env` of workspace.yaml names; default the process's. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** For how long one request of /metrics reads a log that was not counted yet; default 5,000. */
  readonly metricsReadMs?: number;
  /** Further metrics for /metrics. */
  moreMetrics?(): readonly MetricFamily[];
  /** Receives the details of server errors, of which callers see only the kind. Never contains a token. */
  onError?(error: unknown): void;
}

export interface HttpServer {
  /** For example `http://127.0.0.1:8787`. */
  readonly url: string;
  readonly port: number;
  /** All metrics, as /metrics reports them. */
  metrics(): Promise<readonly MetricFamily[]>;
  /** From now on, /readyz reports DRAINING. Requests are still served, until load balancers send no more. */
  drain(): void;
  /** Accepts no new connections, ends streams, waits for calls in progress, then cancels them. The host stays open. */
  close(): Promise<void>;
}

const defaultIdleMs = 30 * 60_000;
/** How long a request that was on its way when closing began can still arrive, and be refused. */
const lateRequestMs = 100;
/** Time to record and report outcomes after calls were cancelled. */
const cancelTimeoutMs = 2_000;
/** Time for the rest of answers. Incomplete requests are dropped. */
const flushTimeoutMs = 250;

function rateLimitOf(requestsPerSecond: number | undefined): RateLimit | undefined {
  return requestsPerSecond === undefined ? undefined : createRateLimit(requestsPerSecond, () => performance.now());
}

function answerPageOf(
  runtime: HttpHost['runtime'],
  env: Readonly<Record<string, string | undefined>>,
): AnswerPage | undefined {
  const links = openLinks({spec: runtime.workspace.spec, env, now: Date.now});
  return links.ok ? createAnswerPage(runtime, links.value) : undefined;
}

/** How callers are known: by tokens, by sign-ins, and by signed links. */
function callersOf(
  {runtime}: HttpHost,
  {tokens, env = process.env}: Pick<HttpServerOptions, 'tokens' | 'env'>,
  onError: (error: unknown) => void,
): Pick<HttpAppOptions, 'answerPage' | 'authenticator' | 'signIn' | 'url' | 'watch'> {
  const settings = runtime.workspace.spec.sign_in;
  const isTokenName = (name: string): boolean =>
    tokens.list().some((token) => token.name.toLowerCase() === name.toLowerCase());
  const signIn = settings && createSignIn({runtime, settings, env, isTokenName, onError});
  return {
    answerPage: answerPageOf(runtime, env),
    authenticator: createAuthenticator({runtime, tokens, signIn, onError}),
    signIn,
    url: settings?.url,
    watch: createCallerWatch({refresh: () => runtime.refresh(), onError}),
  };
}

function createClosing(): AbortController {
  const closing = new AbortController();
  // One listener per event stream.
  setMaxListeners(0, closing.signal);
  return closing;
}

function healthOf(host: HttpHost, options: HttpServerOptions, onError: (error: unknown) => void): ServerHealth {
  const {version, metricsReadMs: readMs} = options;
  return createServerHealth(host, {version, more: options.moreMetrics?.bind(options) ?? (() => []), readMs, onError});
}

/** Throws LinkKeyError if the key of signed links cannot be used. Rejects with the system's error if the server cannot listen on the address. */
export async function startHttpServer(host: HttpHost, options: HttpServerOptions): Promise<HttpServer> {
  const {version, requestsPerSecond, hostname = '127.0.0.1', sessionIdleMs: idleMs = defaultIdleMs} = options;
  const closing = createClosing();
  const inHand = new Set<AbortController>();
  const feed = createEventFeed(host.runtime);
  const onError = options.onError?.bind(options) ?? (() => undefined);
  const {watch, ...callers} = callersOf(host, options, onError);
  const mcp = createMcpEndpoint({host, version, idleMs, watch, onError});
  const stopWatch = watchIdleSessions(host.runtime, {idleMs, onError});
  const health = healthOf(host, options, onError);
  const app = createHttpApp({
    host,
    health,
    mcp,
    watch,
    ...callers,
    feed,
    version,
    onError,
    closing: closing.signal,
    inHand,
    hostsAllowed: (options.hostsAllowed ?? []).map((name) => name.toLowerCase()),
    rateLimit: rateLimitOf(requestsPerSecond),
  });
  const requests = trackRequests(getRequestListener(app.fetch, {overrideGlobalObjects: false}), onError);
  const server = createBoundedServer(requests.listener, serverLimits);
  const stopWatches = (): void => {
    stopWatch();
    watch.close();
  };
  await listen(server, options.port ?? 0, hostname).catch(async (error: unknown) => {
    stopWatches();
    feed.close();
    await mcp.close();
    throw error;
  });
  const {port} = server.address() as AddressInfo;

  let close: Promise<void> | undefined;
  return {
    url: `http://${hostname.includes(':') ? `[${hostname}]` : hostname}:${port}`,
    port,
    metrics: health.metrics,
    drain: () => health.readiness.drain(),
    close: () =>
      (close ??= closeServer({
        server,
        requests,
        inHand,
        timeoutMs: options.closeTimeoutMs ?? 10_000,
        begin: () => {
          health.readiness.drain();
          closing.abort();
        },
        stopWatches,
        mcp,
        feed,
        health,
      })),
  };
}

interface Closing {
  readonly server: Server;
  readonly requests: Requests;
  readonly inHand: ReadonlySet<AbortController>;
  /** For calls in progress. */
  readonly timeoutMs: number;
  /** Refuses further requests. */
  begin(): void;
  stopWatches(): void;
  readonly mcp: {close(): Promise<unknown>};
  readonly feed: {close(): void};
  readonly health: {close(): Promise<void>};
}

async function closeServer(closing: Closing): Promise<void> {
  const {server, requests, inHand, timeoutMs, begin, stopWatches, mcp, feed, health} = closing;
  begin();
  const {closed} = await stopListening(server);
  await within(lateRequestMs, closed);
  stopWatches();
  // MCP streams do not end by themselves, so closing does not wait for them.
  const ended = mcp.close();
  if (!(await within(timeoutMs, requests.answered()))) {
    for (const request of inHand) request.abort();
    await within(cancelTimeoutMs, requests.answered());
  }
  server.close();
  await within(flushTimeoutMs, closed);
  server.closeAllConnections();
  await closed;
  await ended;
  feed.close();
  await health.close();
}

interface Requests {
  readonly listener: RequestListener;
  /** Resolves once no request is in flight. */
  answered(): Promise<void>;
}

function trackRequests(listener: ReturnType<typeof getRequestListener>, onError: (error: unknown) => void): Requests {
  const inFlight = new Set<Promise<void>>();
  return {
    listener(incoming, outgoing) {
      const serving = listener(incoming, outgoing).catch(onError);
      inFlight.add(serving);
      void serving.finally(() => inFlight.delete(serving));
    },
    async answered() {
      while (inFlight.size > 0) await Promise.all(inFlight);
    },
  };
}

async function listen(server: Server, port: number, hostname: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, hostname, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** False if the time ran out first. */
async function within(timeoutMs: number, work: Promise<void>): Promise<boolean> {
  const over = new AbortController();
  const late = sleep(timeoutMs, false, {signal: over.signal}).catch(() => false);
  const isDone = await Promise.race([work.then(() => true), late]);
  over.abort();
  return isDone;
}
